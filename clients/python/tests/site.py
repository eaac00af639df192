"""A service that gives the answers of a test, one after the other, and notes the requests."""

from __future__ import annotations

import http.server
import json
import threading
import unittest
from typing import Any, NamedTuple

from waybill_client import AsyncWaybill, Retries, Waybill


class Reply(NamedTuple):
    status: int
    """0 drops the connection."""
    body: Any = None
    """JSON, or bytes as they are."""
    headers: dict[str, str] = {}


class Asked(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    body: str


class Site:
    def __init__(self, test: unittest.TestCase, *replies: Reply) -> None:
        self.asked: list[Asked] = []
        self.pauses: list[float] = []
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                reply = replies[min(len(site.asked), len(replies) - 1)]
                headers = {name.lower(): value for name, value in self.headers.items()}
                site.asked.append(Asked(self.command, self.path, headers, body))
                if reply.status == 0:
                    self.close_connection = True
                    return
                text = reply.body if isinstance(reply.body, bytes) else b""
                if reply.body is not None and not isinstance(reply.body, bytes):
                    text = json.dumps(reply.body).encode()
                self.send_response(reply.status)
                for name, value in ({"X-Request-ID": "req-1", "Content-Length": str(len(text))} | reply.headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = do_DELETE = answer

            def log_message(self, *_: object) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        test.addCleanup(server.server_close)
        test.addCleanup(server.shutdown)
        self.url = f"http://127.0.0.1:{server.server_port}/"
        self.client = Waybill(self.url, "key", retries=Retries(sleep=self.pauses.append))
        test.addCleanup(self.client.close)

    def asynchronous(self) -> AsyncWaybill:
        return AsyncWaybill(self.url, "key", retries=Retries(sleep=self.pauses.append))


def refusal(reason: str) -> dict[str, Any]:
    """Returns an error as the service writes it."""
    info = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": "waybill",
        "metadata": {"order": "1"},
    }
    new = {"@type": "type.googleapis.com/google.rpc.SomethingNew", "fieldViolations": "not a list"}
    return {"code": 5, "message": "No.", "details": [new, info]}
