import assert from "node:assert/strict";
import { test } from "node:test";

import {
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
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedResponseError,
  Waybill,
} from "../src/index.js";
import { refusal, site } from "./site.js";

test("retries what failed for now", async (t) => {
  const { client, asked, pauses } = await site(t, [
    { status: 429, headers: { "Retry-After": "7" } },
    { status: 503 },
    { status: 0 },
    { status: 502, body: "<html>Bad Gateway</html>" },
    { status: 200, body: { results: [] } },
  ]);
  assert.deepEqual(await client.orders.cancel({ externalIds: ["SO-1"] }), { results: [] });
  assert.equal(asked.length, 5);
  assert.equal(pauses[0], 7000);
  assert.ok(asked[0]?.headers["idempotency-key"]);
  for (const each of asked) {
    assert.equal(each.headers["idempotency-key"], asked[0]?.headers["idempotency-key"]);
    assert.equal(each.headers["authorization"], "apikey key");
    assert.equal(each.body, '{"externalIds":["SO-1"]}');
  }
});

test("each kind of error has its class", async (t) => {
  for (const [status, kind] of [
    [400, InvalidError],
    [401, UnauthorizedError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [409, ConflictError],
    [410, GoneError],
    [412, PreconditionFailedError],
    [413, InvalidError],
    [422, InvalidError],
    [429, RateLimitedError],
    [500, UnavailableError],
    [502, UnavailableError],
  ] as const) {
    const { client, asked } = await site(t, [{ status, body: refusal("SOMETHING_NEW") }]);
    await assert.rejects(client.orders.get(1), (error) => {
      assert.ok(error instanceof kind && error instanceof ApiError);
      assert.equal(error.name, kind.name);
      assert.equal(error.status, status);
      assert.equal(error.reason, "SOMETHING_NEW");
      assert.equal(error.metadata["order"], "1");
      assert.equal(error.requestId, "req-1");
      return true;
    });
    assert.equal(asked.length, status === 429 || status >= 500 ? 6 : 1);
  }
});

test("pages of proxies are errors", async (t) => {
  for (const [status, kind] of [
    [200, UnexpectedResponseError],
    [404, NotFoundError],
    [502, UnavailableError],
  ] as const) {
    const { client } = await site(t, [{ status, body: "<html>Welcome to nginx</html>" }]);
    await assert.rejects(client.orders.get(1), (error) => {
      assert.ok(error instanceof kind);
      assert.equal(error.status, status);
      assert.equal(error.reason, undefined);
      assert.match(error.body, /nginx/);
      return true;
    });
  }
  for (const body of ["null", "[]", '{"details":{}}', '{"details":[null]}']) {
    const { client } = await site(t, [{ status: 404, body }]);
    await assert.rejects(client.orders.get(1), NotFoundError);
  }
});

test("a dropped connection and a timeout are errors", async (t) => {
  const dropped = await site(t, [{ status: 0 }]);
  await assert.rejects(dropped.client.webhookEndpoints.delete(1), NoResponseError);
  assert.equal(dropped.asked.length, 6);
  const slow = await site(t, [{ status: -1 }]);
  await assert.rejects(slow.client.orders.get(1, {}, { timeout: 20, retries: { tries: 1 } }), TimeoutError);
});

test("a signal ends a request and its retries", async (t) => {
  const { client, asked } = await site(t, [{ status: 503, headers: { "Retry-After": "3600" } }], { retries: {} });
  await assert.rejects(client.orders.get(1, {}, { signal: AbortSignal.timeout(100) }), { name: "TimeoutError" });
  assert.equal(asked.length, 1);
});

test("conditional requests", async (t) => {
  const { client, asked } = await site(t, [
    { status: 200, headers: { ETag: '"7"' }, body: { order_id: 1 } },
    { status: 304 },
    { status: 200, body: { id: 1 } },
    { status: 204 },
  ]);
  const { data, response } = await client.orders.get(1).withResponse();
  assert.equal(data.order_id, 1);
  assert.equal(response.etag, '"7"');
  assert.equal(response.requestId, "req-1");
  await assert.rejects(client.orders.get(1, {}, { ifNoneMatch: '"7"' }), NotModifiedError);
  assert.equal(asked[1]?.headers["if-none-match"], '"7"');
  const options = { ifMatch: '"8"', language: "nb", headers: { "X-Mine": "1" } };
  await client.webhookEndpoints.update(1, { isActive: true }, options);
  assert.equal(asked[2]?.headers["if-match"], '"8"');
  assert.equal(asked[2]?.headers["accept-language"], "nb");
  assert.equal(asked[2]?.headers["x-mine"], "1");
  assert.equal(asked[2]?.headers["idempotency-key"], undefined);
  assert.equal(await client.webhookEndpoints.delete(1), undefined);
});

test("unknown values and fields are kept", async (t) => {
  const { client } = await site(t, [
    { status: 200, body: { items: [{ externalId: "SO-1", status: "beamed_up", aura: 1 }], nextToken: "2", hasMore: false } },
  ]);
  const page = await client.feed.listStatusChanges();
  assert.equal(page.items[0]?.status, "beamed_up");
});

test("parameters of the query and the path", async (t) => {
  const { client, asked } = await site(t, [{ status: 200, body: {} }]);
  await client.orders.getByNumber("SO/1", { loads: ["Customer", "OrderLocations"] });
  assert.equal(asked[0]?.path, "/v1/orders/internal/SO%2F1");
  assert.equal(asked[0]?.query, "loads=Customer%2COrderLocations");
  await client.orders.import({ orders: [] }, { validateOnly: true, respondAsync: true });
  assert.equal(asked[1]?.query, "validateOnly=true");
  assert.equal(asked[1]?.headers["prefer"], "respond-async");
  assert.throws(() => new Waybill({ baseUrl: "waybill.example", key: "key" }), TypeError);
  assert.throws(() => new Waybill({ baseUrl: "https://waybill.example", key: "" }), TypeError);
});

test("a file is read as bytes", async (t) => {
  const { client } = await site(t, [{ status: 200, body: "%PDF" }]);
  assert.deepEqual(Buffer.from(await client.orders.getCompletionProofPdf(1)).toString(), "%PDF");
});
