// Imports the orders that come on the standard input, and follows their status:
//
//   demo/orders.sh | WAYBILL_URL=… WAYBILL_API_KEY=… node dist/examples/follow.js
//
// The token of the feed is kept in WAYBILL_TOKEN_FILE (feed.token). With --once it ends
// when nothing more is waiting.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

import { connect, Refusal, statusChanges, type Schemas } from "../src/index.js";

const client = connect({ baseUrl: process.env.WAYBILL_URL ?? "", key: process.env.WAYBILL_API_KEY ?? "" });
const kept = process.env.WAYBILL_TOKEN_FILE ?? "feed.token";

const orders = JSON.parse(readFileSync(0, "utf8")) as Schemas["ImportRequest"];
const { data, error } = await client.POST("/v3/orders/import", { body: orders });
if (error) {
  throw new Refusal(error);
}
if ("importId" in data) {
  console.log(`import ${data.importId} goes on; GET /v3/orders/imports/${data.importId} has its results`);
} else {
  for (const result of data.results) {
    console.log(Object.keys(result)[0]);
  }
}

for (;;) {
  const token = existsSync(kept) ? readFileSync(kept, "utf8") : "";
  for await (const page of statusChanges(client, token)) {
    for (const change of page.items) {
      console.log(change.externalId, change.status);
    }
    writeFileSync(kept, page.nextToken); // better: a row beside what the changes change
  }
  if (process.argv.includes("--once")) {
    break;
  }
  await pause(5000);
}
