import http.server
import json
import threading
import unittest
from typing import Any

from waybill import Client, Refusal


class Site:
    """Answers what the test says, and notes what it was asked."""

    def __init__(self, test: unittest.TestCase, *replies: tuple[int, dict[str, str], Any]) -> None:
        self.asked: list[tuple[str, str | None, str]] = []
        self.waited: list[float] = []
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                status, headers, answer = replies[min(len(site.asked), len(replies) - 1)]
                site.asked.append((self.path, self.headers.get("Idempotency-Key"), body))
                if status == 0:  # no answer
                    self.close_connection = True
                    return
                text = json.dumps(answer).encode()
                self.send_response(status)
                for name, value in ({"Content-Type": "application/json"} | headers).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = answer

            def log_message(self, *_: Any) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        test.addCleanup(server.server_close)
        test.addCleanup(server.shutdown)
        self.client = Client(f"http://127.0.0.1:{server.server_port}", "key", sleep=self.waited.append)


class TestClient(unittest.TestCase):
    def test_what_is_refused_for_now_is_sent_again(self) -> None:
        site = Site(
            self, (429, {"Retry-After": "7"}, {}), (503, {}, {}), (0, {}, {}), (500, {}, {}), (200, {}, {"results": []})
        )
        answer = site.client.call("POST", "/v2/orders/cancel-orders", body={"externalIds": ["SO-1"]})
        self.assertEqual(answer, {"results": []})
        self.assertEqual(len(site.asked), 5)
        self.assertEqual(site.waited[0], 7)
        self.assertTrue(site.asked[0][1])
        self.assertEqual(len(set(site.asked)), 1, "each try has the same key and body")

    def test_what_is_refused_for_good_is_sent_once(self) -> None:
        info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "ORDER_NOT_FOUND"}
        site = Site(self, (404, {}, {"message": "no such order", "details": [info]}))
        with self.assertRaises(Refusal) as refused:
            site.client.call("GET", "/v1/orders/1")
        self.assertEqual((refused.exception.status, refused.exception.reason), (404, "ORDER_NOT_FOUND"))
        self.assertEqual(len(site.asked), 1)

    def test_tries_end(self) -> None:
        site = Site(self, (503, {}, {}))
        with self.assertRaises(Refusal):
            site.client.call("GET", "/v1/orders/today")
        self.assertEqual(len(site.asked), 6)

    def test_a_feed_is_read_to_its_end(self) -> None:
        site = Site(
            self,
            (200, {}, {"items": [{"externalId": "SO-1"}], "hasMore": True, "nextToken": "2"}),
            (200, {}, {"items": [{"externalId": "SO-2"}], "hasMore": False, "nextToken": "3"}),
        )
        pages = list(site.client.status_changes("kept"))
        self.assertEqual([item["externalId"] for page in pages for item in page["items"]], ["SO-1", "SO-2"])
        self.assertIn("token=kept", site.asked[0][0])
        self.assertIn("token=2", site.asked[1][0])
