// Imports the orders of the standard input, and follows their status:
//
//   demo/orders.sh | WAYBILL_URL=… WAYBILL_API_KEY=… node dist/examples/follow.js
//
// It keeps the token of the feed in WAYBILL_TOKEN_FILE (feed.token). With --once it ends when no
// more changes are waiting.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { Waybill, type ImportRequest } from "../src/index.js";

const client = new Waybill({ baseUrl: process.env.WAYBILL_URL ?? "", key: process.env.WAYBILL_API_KEY ?? "" });
const file = process.env.WAYBILL_TOKEN_FILE ?? "feed.token";

const { results } = await client.importAndWait(JSON.parse(readFileSync(0, "utf8")) as ImportRequest);
for (const result of results) {
  console.log(Object.keys(result)[0]);
}

const token = existsSync(file) ? readFileSync(file, "utf8") : "";
for await (const page of client.followStatusChanges({ token, ...(process.argv.includes("--once") && { interval: false }) })) {
  for (const change of page.items) {
    console.log(change.externalId, change.status);
  }
  writeFileSync(file, page.nextToken); // better: a row in the transaction that processes the changes
}
