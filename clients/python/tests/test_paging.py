import unittest

from tests.site import Reply, Site, refusal
from waybill_client import ImportIncompleteError, UnauthorizedError

DRAFTS = (
    Reply(200, {"drafts": [{"externalId": "A"}, {"externalId": "B"}], "nextToken": "2", "hasMore": True}),
    Reply(200, {"drafts": [{"externalId": "C"}], "nextToken": "", "hasMore": False}),
)
FEED = (
    Reply(200, {"items": [{"externalId": "SO-1"}], "nextToken": "2", "hasMore": True}),
    Reply(200, {"items": [{"externalId": "SO-2"}], "nextToken": "3", "hasMore": False}),
    Reply(200, {"items": [{"externalId": "SO-3"}], "nextToken": "4", "hasMore": False}),
)
IMPORT = (
    Reply(202, {"importId": 7, "state": "RUNNING"}),
    Reply(200, {"importId": 7, "state": "RUNNING"}),
    Reply(200, {"importId": 7, "state": "COMPLETED", "results": [{"orderCreated": {"externalId": "SO-1"}}]}),
)


class TestPaging(unittest.TestCase):
    def test_iterators_by_token(self) -> None:
        site = Site(self, *DRAFTS)
        drafts = list(site.client.drafts.list_all(state="incomplete", page_size=2))
        self.assertEqual([draft["externalId"] for draft in drafts], ["A", "B", "C"])
        self.assertEqual(
            [asked.path for asked in site.asked],
            ["/v2/drafts?state=incomplete&pageSize=2", "/v2/drafts?state=incomplete&token=2&pageSize=2"],
        )

    def test_iterators_by_page(self) -> None:
        site = Site(self, Reply(200, {"items": [{}], "pages": 2}))
        self.assertEqual(len(list(site.client.customers.list_all())), 2)
        self.assertEqual(site.asked[1].path, "/v1/customers?page=2")
        site = Site(self, Reply(200, {"shipments": [{}], "totalPages": 2}))
        self.assertEqual(len(list(site.client.exports.list_all())), 2)
        site = Site(self, Reply(200, {"emailLogs": [{}], "numPages": 2}))
        self.assertEqual(len(list(site.client.notifications.search_email_log_all({"page": 1, "perPage": 1}))), 2)
        self.assertIn('"page": 2', site.asked[1].body)

    def test_iterators_by_offset(self) -> None:
        site = Site(
            self,
            Reply(200, {"recurringOrders": [{}, {}], "total": 3}),
            Reply(200, {"recurringOrders": [{}], "total": 3}),
        )
        self.assertEqual(len(list(site.client.recurring_orders.list_all())), 3)
        self.assertEqual(site.asked[1].path, "/v1/recurring_orders?offset=2")

    def test_an_iterator_ends_with_an_error(self) -> None:
        with self.assertRaises(UnauthorizedError):
            list(Site(self, Reply(401, refusal("AUTH_KEY_NEEDED"))).client.drivers.list_all())

    def test_the_feed_is_followed(self) -> None:
        site = Site(self, *FEED)
        seen: list[str] = []
        for page in site.client.follow_status_changes("kept", interval=0.001):
            seen += [item["externalId"] for item in page["items"]] + [page["nextToken"]]
            if page["nextToken"] == "4":
                break
        self.assertEqual(seen, ["SO-1", "2", "SO-2", "3", "SO-3", "4"])
        self.assertIn("token=kept", site.asked[0].path)
        self.assertEqual(len(list(site.client.follow_product_changes(interval=None))), 1)

    def test_waits_for_an_import(self) -> None:
        site = Site(self, *IMPORT)
        done = site.client.import_and_wait({"orders": []}, respond_async=True)
        self.assertIn("orderCreated", done["results"][0])
        self.assertEqual(site.asked[2].path, "/v3/orders/imports/7")
        failed = Site(self, Reply(202, {"importId": 7, "state": "FAILED", "notDone": [1]}))
        with self.assertRaises(ImportIncompleteError) as incomplete:
            failed.client.import_and_wait({"orders": []})
        self.assertEqual(incomplete.exception.progress["notDone"], [1])
        running = Site(self, *IMPORT[:1])
        with self.assertRaises(TimeoutError):
            running.client.wait_for_import(running.client.orders.import_({"orders": []}), timeout=0.1)


class TestAsyncPaging(unittest.IsolatedAsyncioTestCase):
    async def test_iterators(self) -> None:
        async with Site(self, *DRAFTS).asynchronous() as client:
            self.assertEqual([draft["externalId"] async for draft in client.drafts.list_all()], ["A", "B", "C"])

    async def test_the_feed_is_followed(self) -> None:
        async with Site(self, *FEED).asynchronous() as client:
            pages = [page["nextToken"] async for page in client.follow_status_changes(interval=None)]
            self.assertEqual(pages, ["2", "3"])
            self.assertEqual([page["nextToken"] async for page in client.follow_product_changes(interval=None)], ["4"])

    async def test_waits_for_an_import(self) -> None:
        async with Site(self, *IMPORT).asynchronous() as client:
            done = await client.import_and_wait({"orders": []})
            self.assertIn("orderCreated", done["results"][0])
