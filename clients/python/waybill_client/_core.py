"""Sends the requests of all resources, and sends them again where that makes sense."""

from __future__ import annotations

import asyncio
import inspect
import json
import random
import time
import urllib.parse
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypedDict

import httpx

from ._version import __version__
from .errors import ApiError, ConflictError, NoResponseError, ResponseTimeoutError, UnexpectedResponseError, error_of


class Response:
    """What a response has besides its body: pass one as the option response, and read it afterwards."""

    status: int = 0
    headers: Mapping[str, str] = {}

    @property
    def request_id(self) -> str | None:
        """Identifies the request in the logs of the service. Quote it when you ask for help."""
        return self.headers.get("X-Request-ID")

    @property
    def etag(self) -> str | None:
        """The version of the record, for if_match and if_none_match."""
        return self.headers.get("ETag")


@dataclass(frozen=True)
class Retries:
    """How often to send a request, and how long to wait in between."""

    tries: int = 6
    """How often a request is sent at most."""
    first: float = 1
    """The first pause in seconds. Each is about twice as long as the one before. Retry-After of a response counts instead."""
    longest: float = 60
    """The longest pause in seconds."""
    sleep: Callable[[float], Any] | None = None
    """Waits, and can return an awaitable; None waits on the clock."""

    def pause(self, attempt: int, method: str, fault: Exception) -> float | None:
        """Returns how long to wait before the next try, and None when there is none."""
        if attempt >= self.tries or not _again(method, fault):
            return None
        if isinstance(fault, ApiError) and fault.retry_after is not None:
            return fault.retry_after
        longest = min(self.first * 2.0 ** (attempt - 1), self.longest)
        return longest * random.uniform(0.5, 1)


def _again(method: str, fault: Exception) -> bool:
    """Reports whether a request can succeed when it is sent once more.

    Every POST has an Idempotency-Key, and the other methods end the same when they are repeated.
    """
    if isinstance(fault, UnexpectedResponseError):
        return method == "GET"  # others were carried out
    if isinstance(fault, ConflictError):
        return fault.retry_after is not None  # it lost a race
    if isinstance(fault, ApiError):
        return fault.status == 429 or fault.status >= 500
    return isinstance(fault, NoResponseError)


class Options(TypedDict, total=False):
    """How to send one request."""

    timeout: float
    """How long to wait for the connection, and for each part of the response, in seconds."""
    idempotency_key: str
    """Makes the service carry out a request once. Without it, the client makes a key for each POST."""
    if_match: str
    """Changes a record only if it still has this ETag; otherwise there is a PreconditionFailedError."""
    if_none_match: str
    """Reads a record only if it no longer has this ETag; otherwise there is a NotModifiedError."""
    respond_async: bool
    """Returns from an import at once."""
    language: str
    """The language of messages: en, nb or da."""
    headers: Mapping[str, str]
    retries: Retries
    response: Response
    """Gets the status and the headers of the response."""


@dataclass(frozen=True)
class Settings:
    """What all requests have in common."""

    base_url: str
    key: str
    language: str | None = None
    timeout: float = 120
    retries: Retries = field(default_factory=Retries)
    headers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.base_url.startswith(("https://", "http://")):
            raise ValueError("base_url must begin with https:// or http://")
        if not self.key:
            raise ValueError("key is missing")


@dataclass(frozen=True)
class Call:
    """A request of an operation."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    reads: Literal["json", "file", "nothing"] = "json"


@dataclass(frozen=True)
class Paging:
    """How a list goes on. Without items, the pages are the entries."""

    style: Literal["token", "page", "offset"]
    items: str | None
    pages: str

    def split(self, call: Call, page: Any) -> tuple[list[Any], Call | None]:
        """Returns the entries of a page, and the request of the next one."""
        entries = [page] if self.items is None else page[self.items]
        at = call.query if call.body is None else call.body
        following: Any = None
        if self.style == "token":
            following = page["nextToken"] if page["hasMore"] else None
        elif self.style == "page":
            number = at.get("page") or 1
            following = number + 1 if number < page[self.pages] else None
        elif entries:
            offset = (at.get("offset") or 0) + len(entries)
            following = offset if offset < page["total"] else None
        if following is None:
            return entries, None
        changed = {**at, self.style: following}
        return entries, replace(call, query=changed) if call.body is None else replace(call, body=changed)


def segment(value: object) -> str:
    """Returns a value as a part of a path."""
    return urllib.parse.quote(str(value), safe="")


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


class _Sender:
    """Makes requests and reads responses, for both cores."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def request(self, client: httpx.Client | httpx.AsyncClient, call: Call, options: Options) -> httpx.Request:
        query = {name: _text(value) for name, value in call.query.items() if value is not None and value != []}
        content = None if call.body is None else json.dumps(call.body, ensure_ascii=False).encode()
        return client.build_request(
            call.method,
            self.settings.base_url.rstrip("/") + call.path,
            params=query,
            content=content,
            headers=self._headers(call, options),
            timeout=options.get("timeout", self.settings.timeout),
        )

    def _headers(self, call: Call, options: Options) -> dict[str, str]:
        named = {
            "Accept-Language": options.get("language", self.settings.language),
            "Content-Type": None if call.body is None else "application/json",
            "Idempotency-Key": options.get("idempotency_key", str(uuid.uuid4()) if call.method == "POST" else None),
            "If-Match": options.get("if_match"),
            "If-None-Match": options.get("if_none_match"),
            "Prefer": "respond-async" if options.get("respond_async") else None,
        }
        return {
            "Authorization": f"apikey {self.settings.key}",
            "Accept": "application/json, */*;q=0.5",
            "User-Agent": f"waybill-python/{__version__}",
            **self.settings.headers,
            **{name: value for name, value in named.items() if value is not None},
            **options.get("headers", {}),
        }

    def read(self, call: Call, options: Options, response: httpx.Response) -> Any:
        if "response" in options:
            options["response"].status, options["response"].headers = response.status_code, response.headers
        if not response.is_success:
            raise error_of(response.status_code, response.headers, response.content)
        if call.reads == "nothing" or response.status_code == 204:
            return None
        if call.reads == "file":
            return response.content
        try:
            return json.loads(response.content)
        except ValueError as fault:
            raise UnexpectedResponseError(
                response.status_code,
                response.headers,
                response.content,
                "the response is not JSON; is there a proxy in between?",
            ) from fault

    def retries(self, options: Options) -> Retries:
        return options.get("retries", self.settings.retries)


def _no_response(fault: httpx.TransportError) -> NoResponseError:
    kind = ResponseTimeoutError if isinstance(fault, httpx.TimeoutException) else NoResponseError
    return kind(f"no response: {fault or type(fault).__name__}")


class Core(_Sender):
    """Sends requests, and waits for the responses."""

    def __init__(self, settings: Settings, client: httpx.Client | None) -> None:
        super().__init__(settings)
        self.client = client or httpx.Client()

    def send(self, call: Call, options: Options) -> Any:
        """Returns the body of the response."""
        request = self.request(self.client, call, options)
        retries = self.retries(options)
        for attempt in range(1, retries.tries + 1):
            try:
                return self._once(request, call, options)
            except (ApiError, NoResponseError) as fault:
                pause = retries.pause(attempt, call.method, fault)
                if pause is None:
                    raise
            (retries.sleep or time.sleep)(pause)
        raise AssertionError("the last try returns or raises")

    def _once(self, request: httpx.Request, call: Call, options: Options) -> Any:
        try:
            response = self.client.send(request)
        except httpx.TransportError as fault:
            raise _no_response(fault) from fault
        return self.read(call, options, response)

    def pages(self, call: Call, paging: Paging, options: Options) -> Iterator[Any]:
        """Yields the entries of page after page."""
        following: Call | None = call
        while following is not None:
            entries, following = paging.split(following, self.send(following, options))
            yield from entries


class AsyncCore(_Sender):
    """Sends requests for asyncio."""

    def __init__(self, settings: Settings, client: httpx.AsyncClient | None) -> None:
        super().__init__(settings)
        self.client = client or httpx.AsyncClient()

    async def send(self, call: Call, options: Options) -> Any:
        """Returns the body of the response."""
        request = self.request(self.client, call, options)
        retries = self.retries(options)
        for attempt in range(1, retries.tries + 1):
            try:
                return await self._once(request, call, options)
            except (ApiError, NoResponseError) as fault:
                pause = retries.pause(attempt, call.method, fault)
                if pause is None:
                    raise
            waiting = (retries.sleep or asyncio.sleep)(pause)
            if inspect.isawaitable(waiting):
                await waiting
        raise AssertionError("the last try returns or raises")

    async def _once(self, request: httpx.Request, call: Call, options: Options) -> Any:
        try:
            response = await self.client.send(request)
        except httpx.TransportError as fault:
            raise _no_response(fault) from fault
        return self.read(call, options, response)

    async def pages(self, call: Call, paging: Paging, options: Options) -> AsyncIterator[Any]:
        """Yields the entries of page after page."""
        following: Call | None = call
        while following is not None:
            entries, following = paging.split(following, await self.send(following, options))
            for entry in entries:
                yield entry
