"""A client of Waybill, a transport management service.

The contract generates the types (waybill_client.models) and a method for each operation that an
API key may call, grouped by resource:

    client = Waybill("https://waybill.example", os.environ["WAYBILL_API_KEY"])
    order = client.orders.get_by_number("SO-1")

AsyncWaybill has the same methods for asyncio. Retries, paging, the feed, webhooks and waiting
are written by hand.
"""

from . import models
from ._client import AsyncWaybill, Waybill
from ._core import Options, Response, Retries
from ._version import __version__
from .errors import (
    ApiError,
    ConflictError,
    ForbiddenError,
    GoneError,
    ImportIncompleteError,
    InvalidError,
    NoResponseError,
    NotFoundError,
    NotModifiedError,
    PreconditionFailedError,
    RateLimitedError,
    ResponseTimeoutError,
    UnauthorizedError,
    UnavailableError,
    UnexpectedResponseError,
    WaybillError,
)
from .webhook import WebhookError, WebhookMessage, verify_webhook

__all__ = [
    "ApiError",
    "AsyncWaybill",
    "ConflictError",
    "ForbiddenError",
    "GoneError",
    "ImportIncompleteError",
    "InvalidError",
    "NoResponseError",
    "NotFoundError",
    "NotModifiedError",
    "Options",
    "PreconditionFailedError",
    "RateLimitedError",
    "Response",
    "ResponseTimeoutError",
    "Retries",
    "UnauthorizedError",
    "UnavailableError",
    "UnexpectedResponseError",
    "Waybill",
    "WaybillError",
    "WebhookError",
    "WebhookMessage",
    "__version__",
    "models",
    "verify_webhook",
]
