"""Calls Waybill, and sends requests until they get an answer that lasts."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .models import ImportRequest, OrderStatusFeed


class Refusal(Exception):
    """What the service refused, with its reason for programs."""

    def __init__(self, status: int, error: Mapping[str, Any]) -> None:
        super().__init__(f"{status}: {error.get('message', '')}")
        self.status = status
        self.error = error

    @property
    def reason(self) -> str | None:
        """The reason of the error, which every error has."""
        for detail in self.error.get("details", []):
            if detail.get("@type") == "type.googleapis.com/google.rpc.ErrorInfo":
                return detail["reason"]
        return None


class Client:
    """Sends an API key with every request, and tries again.

    What is refused for now (429, 503), and what gets no answer or that of a fault of
    the service, is sent up to `tries` times. Whatever is posted gets an Idempotency-Key
    unless it has one, so that nothing is done twice.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        language: str = "en",
        timeout: float = 120,
        tries: int = 6,
        first: float = 1,
        longest: float = 60,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._url = url.rstrip("/")
        self._headers = {"Authorization": f"apikey {key}", "Accept-Language": language, "Accept": "application/json"}
        self._timeout = timeout
        self._tries = tries
        self._first = first
        self._longest = longest
        self._sleep = sleep

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Returns the answer to a request; raises a Refusal when there is none."""
        url = self._url + path
        if query:
            url += "?" + urllib.parse.urlencode(query, doseq=True)
        sent = self._headers | dict(headers or {})
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        if method == "POST":
            sent.setdefault("Idempotency-Key", str(uuid.uuid4()))
        request = urllib.request.Request(url, data, sent, method=method)
        pause = self._first
        for attempt in range(1, self._tries + 1):
            asked = None
            try:
                return self._send(request)
            except urllib.error.HTTPError as refused:
                with refused:
                    if attempt == self._tries or not (refused.code == 429 or refused.code >= 500):
                        raise Refusal(refused.code, _error(refused.read())) from None
                    asked = refused.headers.get("Retry-After")
            except (urllib.error.URLError, http.client.HTTPException, OSError):
                if attempt == self._tries:
                    raise
            wait = pause / 2 + random.random() * pause / 2
            self._sleep(float(asked) if asked and asked.isdigit() else wait)
            pause = min(2 * pause, self._longest)
        raise AssertionError("the last try returns or raises")

    def _send(self, request: urllib.request.Request) -> Any:
        with urllib.request.urlopen(request, timeout=self._timeout) as answer:
            text = answer.read()
            if answer.headers.get_content_type() == "application/json":
                return json.loads(text)
            return text or None

    def import_orders(self, orders: ImportRequest) -> Any:
        """Imports orders: the results, or where they will be when that takes long."""
        return self.call("POST", "/v3/orders/import", body=orders)

    def status_changes(self, token: str = "") -> Iterator[OrderStatusFeed]:
        """Reads the status feed from a token on, page by page, until nothing more is waiting.

        An empty token starts at the oldest change that is kept. A token that is older is
        refused with FEED_TOKEN_EXPIRED, and one of another installation with
        FEED_TOKEN_AHEAD. Keep the nextToken of a page when its
        changes are dealt with, and go on from there the next time.
        """
        while True:
            page = self.call(
                "GET", "/v2/orders/summary/orderstatusfeed", query={"token": token, "pageSize": 1000}
            )
            yield page
            if not page["hasMore"]:
                return
            token = page["nextToken"]


def _error(text: bytes) -> Mapping[str, Any]:
    try:
        return json.loads(text)
    except ValueError:
        return {"message": text.decode(errors="replace")}
