"""The clients: resources, the feed, and waiting for imports."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from types import TracebackType
from typing import Self, Unpack

import httpx

from ._core import AsyncCore, Core, Options, Retries, Settings
from .errors import ImportIncompleteError
from .models import ImportProgress, ImportRequest, ImportResponse, OrderStatusFeed, ProductStatusFeed
from .resources import AsyncResources, Resources

_PAGE = 1000
"""How many changes the client asks for at once."""


def _settings(
    base_url: str,
    key: str,
    language: str | None,
    timeout: float,
    retries: Retries | None,
    headers: Mapping[str, str] | None,
) -> Settings:
    return Settings(base_url, key, language, timeout, retries or Retries(), headers or {})


def _ended(progress: ImportProgress) -> ImportResponse | None:
    """Returns the results of an import, and None while it is running; raises an error when it ended early."""
    if progress["state"] == "RUNNING":
        return None
    if progress["state"] != "COMPLETED":
        raise ImportIncompleteError(progress)
    return {"results": progress.get("results", [])}


def _late(progress: ImportProgress, timeout: float | None) -> TimeoutError:
    return TimeoutError(f"import {progress['importId']} takes longer than {timeout} s")


class Waybill(Resources):
    """Calls Waybill. Each attribute has the operations of a resource.

    The client tries again what failed for now, and sends an Idempotency-Key with each POST, so
    that nothing happens twice. It raises a WaybillError: an ApiError for each kind of refusal,
    or a NoResponseError. It keeps connections open: use it as a context manager, or close it.

    Args:
        base_url: The address of the service, such as https://waybill.example.
        key: The API key.
        language: The language of messages: en, nb or da.
        timeout: How long to wait for the connection, and for each part of a response, in seconds.
        retries: How often to try again.
        headers: Headers of every request.
        http_client: Sends the requests, for example through a proxy.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        language: str | None = None,
        timeout: float = 120,
        retries: Retries | None = None,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        self._core = Core(_settings(base_url, key, language, timeout, retries, headers), http_client)
        super().__init__(self._core)

    def close(self) -> None:
        """Closes the connections."""
        self._core.client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def follow_status_changes(
        self, token: str = "", *, interval: float | None = 5, **options: Unpack[Options]
    ) -> Iterator[OrderStatusFeed]:
        """Yields the changes of orders page by page, and waits for more.

        Save the nextToken of each page after you have processed its items, and go on from there
        the next time. An empty token starts at the oldest change that the service has. Raises a
        GoneError when the token is older than the feed, and an InvalidError with
        FEED_TOKEN_AHEAD when it comes from another installation.

        Args:
            token: The nextToken of the last page that you processed.
            interval: The pause in seconds before asking again when nothing was waiting; with
                None the iteration ends instead.
        """
        while True:
            page = self.feed.list_status_changes(token=token, page_size=_PAGE, **options)
            yield page
            token = page["nextToken"]
            if not page["hasMore"]:
                if interval is None:
                    return
                time.sleep(interval)

    def follow_product_changes(
        self, token: str = "", *, interval: float | None = 5, **options: Unpack[Options]
    ) -> Iterator[ProductStatusFeed]:
        """Yields the changes of the products of orders, like follow_status_changes."""
        while True:
            page = self.feed.list_product_changes(token=token, page_size=_PAGE, **options)
            yield page
            token = page["nextToken"]
            if not page["hasMore"]:
                if interval is None:
                    return
                time.sleep(interval)

    def import_and_wait(self, request: ImportRequest, **options: Unpack[Options]) -> ImportResponse:
        """Imports orders and waits for the results."""
        return self.wait_for_import(self.orders.import_(request, **options))

    def wait_for_import(self, answer: ImportResponse | ImportProgress, *, timeout: float | None = None) -> ImportResponse:
        """Returns the results of an import: at once when the answer has them, or when the import has ended.

        Raises an ImportIncompleteError when the import ended early, and a TimeoutError when it
        takes longer than the timeout in seconds.
        """
        if "importId" not in answer:
            return answer
        progress, end, pause = answer, time.monotonic() + (timeout or float("inf")), 0.2
        while (done := _ended(progress)) is None:
            if time.monotonic() + pause > end:
                raise _late(progress, timeout)
            time.sleep(pause)
            pause = min(2 * pause, 5)
            progress = self.orders.get_import(progress["importId"])
        return done


class AsyncWaybill(AsyncResources):
    """Calls Waybill from asyncio. It has the methods and arguments of Waybill."""

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        language: str | None = None,
        timeout: float = 120,
        retries: Retries | None = None,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self._core = AsyncCore(_settings(base_url, key, language, timeout, retries, headers), http_client)
        super().__init__(self._core)

    async def close(self) -> None:
        """Closes the connections."""
        await self._core.client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def follow_status_changes(
        self, token: str = "", *, interval: float | None = 5, **options: Unpack[Options]
    ) -> AsyncIterator[OrderStatusFeed]:
        """Yields the changes of orders page by page, like Waybill.follow_status_changes."""
        while True:
            page = await self.feed.list_status_changes(token=token, page_size=_PAGE, **options)
            yield page
            token = page["nextToken"]
            if not page["hasMore"]:
                if interval is None:
                    return
                await asyncio.sleep(interval)

    async def follow_product_changes(
        self, token: str = "", *, interval: float | None = 5, **options: Unpack[Options]
    ) -> AsyncIterator[ProductStatusFeed]:
        """Yields the changes of the products of orders, like Waybill.follow_product_changes."""
        while True:
            page = await self.feed.list_product_changes(token=token, page_size=_PAGE, **options)
            yield page
            token = page["nextToken"]
            if not page["hasMore"]:
                if interval is None:
                    return
                await asyncio.sleep(interval)

    async def import_and_wait(self, request: ImportRequest, **options: Unpack[Options]) -> ImportResponse:
        """Imports orders and waits for the results."""
        return await self.wait_for_import(await self.orders.import_(request, **options))

    async def wait_for_import(
        self, answer: ImportResponse | ImportProgress, *, timeout: float | None = None
    ) -> ImportResponse:
        """Returns the results of an import, like Waybill.wait_for_import."""
        if "importId" not in answer:
            return answer
        progress, end, pause = answer, time.monotonic() + (timeout or float("inf")), 0.2
        while (done := _ended(progress)) is None:
            if time.monotonic() + pause > end:
                raise _late(progress, timeout)
            await asyncio.sleep(pause)
            pause = min(2 * pause, 5)
            progress = await self.orders.get_import(progress["importId"])
        return done
