"""A client of Waybill in Python, which needs nothing but Python.

The types of requests and answers are in waybill.models, which is generated from
the contract (make clients). What is written by hand is beside it: trying again,
following the feed, and verifying webhooks.
"""

from .client import Client, Refusal
from .webhook import WebhookError, WebhookMessage, verify_webhook

__all__ = ["Client", "Refusal", "WebhookError", "WebhookMessage", "verify_webhook"]
