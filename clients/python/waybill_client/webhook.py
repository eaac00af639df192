"""Verifies that a request comes from Waybill, by the scheme of Standard Webhooks
(https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .errors import WaybillError

TOLERANCE = 5 * 60
"""How far the time of a message may be from the clock of this machine, in seconds."""


class WebhookError(WaybillError):
    """A request that is not from Waybill, or too old."""


class WebhookMessage(NamedTuple):
    """A request from Waybill."""

    id: str
    """The same each time the message is sent. Process each once."""
    sent: int
    """When it was signed, in seconds since 1970."""


def verify_webhook(
    secrets: str | Iterable[str], headers: Mapping[str, str], body: bytes, now: float | None = None
) -> WebhookMessage:
    """Returns which message a request has, by its headers and its body as it came.

    Raises a WebhookError when it is not from Waybill, or too old. Give both secrets while one
    replaces the other.
    """
    sent = {name.lower(): value for name, value in headers.items()}
    message, stamp = sent.get("webhook-id", ""), sent.get("webhook-timestamp", "")
    signatures = sent.get("webhook-signature", "").split()
    if not message or not (stamp.isascii() and stamp.isdigit()) or not signatures:
        raise WebhookError("the headers of a webhook are missing or malformed")
    if abs((time.time() if now is None else now) - int(stamp)) > TOLERANCE:
        raise WebhookError("the webhook is too old, or from the future")
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        want = _sign(secret, message, stamp, body)
        if any(hmac.compare_digest(signature.encode(), want) for signature in signatures):
            return WebhookMessage(message, int(stamp))
    raise WebhookError("no signature of the webhook is right")


def _sign(secret: str, message: str, stamp: str, body: bytes) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("a webhook's secret is whsec_ and base64")
    signed = hmac.new(key, f"{message}.{stamp}.".encode() + body, hashlib.sha256)
    return b"v1," + base64.b64encode(signed.digest())
