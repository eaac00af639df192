"""Errors: one class for each kind."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from .models import ErrorReason, ImportProgress, StatusDetail


class WaybillError(Exception):
    """Any error of this client."""


class NoResponseError(WaybillError):
    """The request got no response, or not all of it, after all retries."""


class ResponseTimeoutError(NoResponseError):
    """The response took longer than the timeout."""


class ImportIncompleteError(WaybillError):
    """An import ended before each order had a result.

    progress has the results that there are. Send the orders at the indexes of its notDone again.
    """

    def __init__(self, progress: ImportProgress) -> None:
        super().__init__(
            f"import {progress['importId']} ended as {progress['state']} "
            f"after {progress.get('done')} of {progress.get('total')} orders"
        )
        self.progress = progress


class ApiError(WaybillError):
    """A response of the service that is not a success."""

    status: int
    """The HTTP status."""
    reason: ErrorReason | None
    """The reason for programs; None when the response is not from Waybill. Handle an unknown one by the status."""
    message: str
    """The explanation for people, in the language of the request."""
    details: list[StatusDetail]
    """Name the fields to correct, and more."""
    metadata: Mapping[str, str]
    """The values of the message."""
    request_id: str | None
    """Identifies the request in the logs of the service. Quote it when you ask for help."""
    retry_after: float | None
    """How long the service asks you to wait, in seconds."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes, message: str = "") -> None:
        self.status = status
        self.headers = headers
        self.body = body
        said, self.details = _status(body)
        self.message = message or said or "no explanation"
        self.reason, self.metadata = None, {}
        for detail in self.details:
            if str(detail.get("@type", "")).endswith("/google.rpc.ErrorInfo"):
                self.reason, self.metadata = detail.get("reason"), detail.get("metadata", {})
        self.request_id = headers.get("X-Request-ID")
        self.retry_after = _retry_after(headers.get("Retry-After"))
        reason = f" {self.reason}" if self.reason else ""
        request = f" (request {self.request_id})" if self.request_id else ""
        super().__init__(f"{status}{reason}: {self.message}{request}")


class InvalidError(ApiError):
    """The request must be corrected: 400, 413, 415 or 422."""


class UnauthorizedError(ApiError):
    """The key is missing, wrong, expired or revoked."""


class ForbiddenError(ApiError):
    """The key may not call the operation."""


class NotFoundError(ApiError):
    """The record does not exist, or belongs to another organization."""


class ConflictError(ApiError):
    """The record does not allow this in its present state."""


class GoneError(ApiError):
    """The token of a feed is older than the feed."""


class PreconditionFailedError(ApiError):
    """The record no longer has the ETag of if_match."""


class RateLimitedError(ApiError):
    """There were too many requests, after all retries."""


class UnavailableError(ApiError):
    """The service, or a proxy before it, failed after all retries."""


class NotModifiedError(ApiError):
    """The record still has the ETag of if_none_match."""


class UnexpectedResponseError(ApiError):
    """The response is a success, but not JSON; is there a proxy in between?"""


_KINDS: dict[int, type[ApiError]] = {
    304: NotModifiedError,
    400: InvalidError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    412: PreconditionFailedError,
    413: InvalidError,
    415: InvalidError,
    422: InvalidError,
    429: RateLimitedError,
}


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """Returns the error of a response, which can be of any form when it comes from a proxy."""
    kind = _KINDS.get(status, UnavailableError if status >= 500 else ApiError)
    return kind(status, headers, body)


def _status(body: bytes) -> tuple[str, list[StatusDetail]]:
    try:
        status: Any = json.loads(body)
    except ValueError:
        return "", []
    if not isinstance(status, dict):
        return "", []
    message, details = status.get("message"), status.get("details")
    found: list[Any] = [detail for detail in details if isinstance(detail, dict)] if isinstance(details, list) else []
    return message if isinstance(message, str) else "", found


def _retry_after(header: str | None) -> float | None:
    """Reads seconds or a date."""
    if not header:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
