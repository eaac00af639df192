import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";

import { connect, Refusal, statusChanges } from "../src/index.js";

interface Reply {
  status: number; // 0 for no answer
  headers?: Record<string, string>;
  body?: unknown;
}

/** A site that answers what the test says, and notes what it was asked. */
async function site(t: TestContext, ...replies: Reply[]) {
  const asked: { url: string; key: string | undefined; body: string }[] = [];
  const waited: number[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const reply = replies[Math.min(asked.length, replies.length - 1)] as Reply;
      asked.push({ url: request.url ?? "", key: request.headers["idempotency-key"]?.toString(), body });
      if (reply.status === 0) {
        request.socket.destroy();
        return;
      }
      response.writeHead(reply.status, { "Content-Type": "application/json", ...reply.headers });
      response.end(JSON.stringify(reply.body ?? { code: 14, message: "not now", details: [] }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => server.close());
  const client = connect({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: "key",
    retries: { sleep: async (milliseconds) => waited.push(milliseconds) },
  });
  return { client, asked, waited };
}

test("what is refused for now is sent again", async (t) => {
  const { client, asked, waited } = await site(
    t,
    { status: 429, headers: { "Retry-After": "7" } },
    { status: 503 },
    { status: 0 },
    { status: 500 },
    { status: 200, body: { results: [] } },
  );
  const { data } = await client.POST("/v2/orders/cancel-orders", { body: { externalIds: ["SO-1"] } });
  assert.deepEqual(data, { results: [] });
  assert.equal(asked.length, 5);
  assert.equal(waited[0], 7000);
  assert.ok(asked[0]?.key);
  for (const each of asked) {
    assert.equal(each.key, asked[0]?.key, "each try has the same key");
    assert.equal(each.body, '{"externalIds":["SO-1"]}');
  }
});

test("what is refused for good is sent once, and tries end", async (t) => {
  for (const status of [400, 401, 404, 409]) {
    const { client, asked } = await site(t, { status });
    assert.ok((await client.GET("/v1/orders/today")).error);
    assert.equal(asked.length, 1);
  }
  const { client, asked } = await site(t, { status: 503 });
  assert.equal((await client.GET("/v1/orders/today")).response.status, 503);
  assert.equal(asked.length, 6);
});

test("a feed is read to its end", async (t) => {
  const { client, asked } = await site(
    t,
    { status: 200, body: { items: [{ externalId: "SO-1" }], hasMore: true, nextToken: "2" } },
    { status: 200, body: { items: [{ externalId: "SO-2" }], hasMore: false, nextToken: "3" } },
  );
  const seen: string[] = [];
  for await (const page of statusChanges(client, "kept")) {
    seen.push(...page.items.map((item) => item.externalId), page.nextToken);
  }
  assert.deepEqual(seen, ["SO-1", "2", "SO-2", "3"]);
  assert.match(asked[0]?.url ?? "", /token=kept/);
  assert.match(asked[1]?.url ?? "", /token=2/);
});

test("a feed that cannot be read says so", async (t) => {
  const { client } = await site(t, { status: 401, body: { code: 16, message: "no key", details: [] } });
  await assert.rejects(statusChanges(client, "").next(), Refusal);
});
