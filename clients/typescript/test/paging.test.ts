import assert from "node:assert/strict";
import { test } from "node:test";

import { ImportIncompleteError, UnauthorizedError } from "../src/index.js";
import { refusal, site } from "./site.js";

async function all<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const entry of entries) {
    found.push(entry);
  }
  return found;
}

test("iterators by token", async (t) => {
  const { client, asked } = await site(t, [
    { status: 200, body: { drafts: [{ externalId: "A" }, { externalId: "B" }], nextToken: "2", hasMore: true } },
    { status: 200, body: { drafts: [{ externalId: "C" }], nextToken: "", hasMore: false } },
  ]);
  const drafts = await all(client.drafts.listAll({ state: "incomplete", pageSize: 2 }));
  assert.deepEqual(drafts.map((draft) => draft.externalId), ["A", "B", "C"]);
  assert.deepEqual(asked.map((each) => each.query), ["state=incomplete&pageSize=2", "state=incomplete&pageSize=2&token=2"]);
});

test("iterators by page", async (t) => {
  const customers = await site(t, [{ status: 200, body: { items: [{}], pages: 2 } }]);
  assert.equal((await all(customers.client.customers.listAll())).length, 2);
  assert.equal(customers.asked[1]?.query, "page=2");
  const exports = await site(t, [{ status: 200, body: { shipments: [{}], totalPages: 2 } }]);
  assert.equal((await all(exports.client.exports.listAll())).length, 2);
  const emails = await site(t, [{ status: 200, body: { emailLogs: [{}], numPages: 2 } }]);
  assert.equal((await all(emails.client.notifications.searchEmailLogAll({ page: 1, perPage: 1 }))).length, 2);
  assert.match(emails.asked[1]?.body ?? "", /"page":2/);
});

test("iterators by offset", async (t) => {
  const { client, asked } = await site(t, [
    { status: 200, body: { recurringOrders: [{}, {}], total: 3 } },
    { status: 200, body: { recurringOrders: [{}], total: 3 } },
  ]);
  assert.equal((await all(client.recurringOrders.listAll())).length, 3);
  assert.equal(asked[1]?.query, "offset=2");
});

test("an iterator ends with an error", async (t) => {
  const { client } = await site(t, [{ status: 401, body: refusal("AUTH_KEY_NEEDED") }]);
  await assert.rejects(all(client.drivers.listAll()), UnauthorizedError);
});

test("the feed is followed", async (t) => {
  const { client, asked } = await site(t, [
    { status: 200, body: { items: [{ externalId: "SO-1" }], nextToken: "2", hasMore: true } },
    { status: 200, body: { items: [{ externalId: "SO-2" }], nextToken: "3", hasMore: false } },
    { status: 200, body: { items: [{ externalId: "SO-3" }], nextToken: "4", hasMore: false } },
  ]);
  const seen: string[] = [];
  for await (const page of client.followStatusChanges({ token: "kept", interval: 1 })) {
    seen.push(...page.items.map((item) => item.externalId), page.nextToken);
    if (page.nextToken === "4") {
      break;
    }
  }
  assert.deepEqual(seen, ["SO-1", "2", "SO-2", "3", "SO-3", "4"]);
  assert.match(asked[0]?.query ?? "", /token=kept/);
  assert.equal((await all(client.followProductChanges({ interval: false }))).length, 1);
  const waiting = all(client.followStatusChanges({ interval: 3_600_000, signal: AbortSignal.timeout(50) }));
  await assert.rejects(waiting, { name: "TimeoutError" });
});

test("waits for an import", async (t) => {
  const { client, asked } = await site(t, [
    { status: 202, body: { importId: 7, state: "RUNNING" } },
    { status: 200, body: { importId: 7, state: "RUNNING" } },
    { status: 200, body: { importId: 7, state: "COMPLETED", results: [{ orderCreated: { externalId: "SO-1" } }] } },
  ]);
  const { results } = await client.importAndWait({ orders: [] }, { respondAsync: true });
  assert.ok(results[0] && "orderCreated" in results[0]);
  assert.equal(asked[2]?.path, "/v3/orders/imports/7");
  const failed = await site(t, [{ status: 202, body: { importId: 7, state: "FAILED", notDone: [1] } }]);
  await assert.rejects(failed.client.importAndWait({ orders: [] }), (error) => {
    assert.ok(error instanceof ImportIncompleteError);
    assert.deepEqual(error.progress.notDone, [1]);
    return true;
  });
});
