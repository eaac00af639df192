import json
import unittest

from tests.site import Reply, Site, refusal
from waybill_client import (
    ApiError,
    ConflictError,
    ForbiddenError,
    GoneError,
    InvalidError,
    NoResponseError,
    NotFoundError,
    NotModifiedError,
    PreconditionFailedError,
    RateLimitedError,
    Response,
    ResponseTimeoutError,
    Retries,
    UnauthorizedError,
    UnavailableError,
    UnexpectedResponseError,
    Waybill,
)


class TestClient(unittest.TestCase):
    def test_retries_what_failed_for_now(self) -> None:
        site = Site(
            self,
            Reply(429, {}, {"Retry-After": "7"}),
            Reply(503),
            Reply(0),
            Reply(502, b"<html>Bad Gateway</html>"),
            Reply(200, {"results": []}),
        )
        self.assertEqual(site.client.orders.cancel({"externalIds": ["SO-1"]}), {"results": []})
        self.assertEqual(len(site.asked), 5)
        self.assertEqual(site.pauses[0], 7)
        self.assertTrue(site.asked[0].headers["idempotency-key"])
        for asked in site.asked:
            self.assertEqual(asked.headers["idempotency-key"], site.asked[0].headers["idempotency-key"])
            self.assertEqual(asked.headers["authorization"], "apikey key")
            self.assertEqual(json.loads(asked.body), {"externalIds": ["SO-1"]})

    def test_each_kind_of_error_has_its_class(self) -> None:
        kinds: dict[int, type[ApiError]] = {
            400: InvalidError,
            401: UnauthorizedError,
            403: ForbiddenError,
            404: NotFoundError,
            409: ConflictError,
            410: GoneError,
            412: PreconditionFailedError,
            413: InvalidError,
            422: InvalidError,
            429: RateLimitedError,
            500: UnavailableError,
            502: UnavailableError,
        }
        for status, kind in kinds.items():
            with self.subTest(status):
                site = Site(self, Reply(status, refusal("SOMETHING_NEW")))
                with self.assertRaises(kind) as refused:
                    site.client.orders.get(1)
                error = refused.exception
                self.assertEqual((error.status, error.reason, error.request_id), (status, "SOMETHING_NEW", "req-1"))
                self.assertEqual(error.metadata["order"], "1")
                self.assertEqual(len(site.asked), 6 if status == 429 or status >= 500 else 1)

    def test_pages_of_proxies_are_errors(self) -> None:
        kinds: dict[int, type[ApiError]] = {200: UnexpectedResponseError, 404: NotFoundError, 502: UnavailableError}
        for status, kind in kinds.items():
            site = Site(self, Reply(status, b"<html>Welcome to nginx</html>"))
            with self.subTest(status), self.assertRaises(kind) as refused:
                site.client.orders.get(1)
            self.assertIsNone(refused.exception.reason)
            self.assertIn(b"nginx", refused.exception.body)
        for body in (b"null", b"[]", b'{"details": {}}', b'{"details": [null]}'):
            with self.subTest(body), self.assertRaises(NotFoundError):
                Site(self, Reply(404, body)).client.orders.get(1)

    def test_a_dropped_connection_is_an_error(self) -> None:
        site = Site(self, Reply(0))
        with self.assertRaises(NoResponseError):
            site.client.webhook_endpoints.delete(1)
        self.assertEqual(len(site.asked), 6)

    def test_a_timeout_is_an_error(self) -> None:
        with Waybill("http://192.0.2.1", "key", retries=Retries(tries=1)) as client:
            with self.assertRaises((ResponseTimeoutError, NoResponseError)):
                client.orders.get(1, timeout=0.05)

    def test_conditional_requests(self) -> None:
        site = Site(
            self, Reply(200, {"order_id": 1}, {"ETag": '"7"'}), Reply(304), Reply(200, {"id": 1}), Reply(204)
        )
        response = Response()
        self.assertEqual(site.client.orders.get(1, response=response)["order_id"], 1)
        self.assertEqual((response.etag, response.request_id, response.status), ('"7"', "req-1", 200))
        with self.assertRaises(NotModifiedError):
            site.client.orders.get(1, if_none_match='"7"')
        self.assertEqual(site.asked[1].headers["if-none-match"], '"7"')
        site.client.webhook_endpoints.update(
            1, {"isActive": True}, if_match='"8"', language="nb", headers={"X-Mine": "1"}
        )
        sent = site.asked[2].headers
        self.assertEqual((sent["if-match"], sent["accept-language"], sent["x-mine"]), ('"8"', "nb", "1"))
        self.assertNotIn("idempotency-key", sent)
        site.client.webhook_endpoints.delete(1)

    def test_unknown_values_and_fields_are_kept(self) -> None:
        item = {"externalId": "SO-1", "status": "beamed_up", "aura": 1}
        site = Site(self, Reply(200, {"items": [item], "nextToken": "2", "hasMore": False}))
        self.assertEqual(site.client.feed.list_status_changes()["items"][0]["status"], "beamed_up")

    def test_parameters_of_the_query_and_the_path(self) -> None:
        site = Site(self, Reply(200, {}))
        site.client.orders.get_by_number("SO/1", loads=["Customer", "OrderLocations"])
        self.assertEqual(site.asked[0].path, "/v1/orders/internal/SO%2F1?loads=Customer%2COrderLocations")
        site.client.orders.import_({"orders": []}, validate_only=True, respond_async=True)
        self.assertEqual(site.asked[1].path, "/v3/orders/import?validateOnly=true")
        self.assertEqual(site.asked[1].headers["prefer"], "respond-async")
        for url, key in (("waybill.example", "key"), ("https://waybill.example", "")):
            with self.assertRaises(ValueError):
                Waybill(url, key)

    def test_a_file_is_read_as_bytes(self) -> None:
        site = Site(self, Reply(200, b"%PDF"))
        self.assertEqual(site.client.orders.get_completion_proof_pdf(1), b"%PDF")


class TestAsyncClient(unittest.IsolatedAsyncioTestCase):
    async def test_it_does_the_same(self) -> None:
        site = Site(
            self,
            Reply(429, {}, {"Retry-After": "7"}),
            Reply(0),
            Reply(200, {"results": []}),
            Reply(404, refusal("ORDER_NOT_FOUND")),
        )
        async with site.asynchronous() as client:
            self.assertEqual(await client.orders.cancel({"externalIds": ["SO-1"]}), {"results": []})
            self.assertEqual(site.pauses[0], 7)
            with self.assertRaises(NotFoundError):
                await client.orders.get(1)
