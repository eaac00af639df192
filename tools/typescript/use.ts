// Uses the client with a running service: node out/use.js, with WAYBILL_URL,
// WAYBILL_API_KEY and the orders to import as JSON in WAYBILL_ORDERS. It prints
// its observations as JSON.
import { setTimeout } from "node:timers/promises";

import { cancel, connect, describe, importOrders, readFeed, Refusal } from "./client.js";

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`set ${name}`);
  }
  return value;
}

const client = connect(setting("WAYBILL_URL"), setting("WAYBILL_API_KEY"));
const orders = JSON.parse(setting("WAYBILL_ORDERS"));

const outcomes = (await importOrders(client, orders)).map(describe);
const cancelled = [await cancel(client, orders[0].externalId), await cancel(client, orders[0].externalId)];

// The feed follows a moment after, so it is read until it has the last change.
const changes: string[] = [];
for (let token = ""; !changes.includes(`${orders[0].externalId} is cancelled`); ) {
  const read = await readFeed(client, token);
  changes.push(...read.changes);
  token = read.token;
  await setTimeout(100);
}

let refusal: string | undefined;
try {
  await importOrders(client, []);
} catch (error) {
  refusal = error instanceof Refusal ? error.reason : String(error);
}

console.log(JSON.stringify({ outcomes, cancelled, changes, refusal }));
