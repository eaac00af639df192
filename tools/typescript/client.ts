// Uses the types that openapi-typescript generates from the contract. It shows
// that they are handy: each outcome and each error is distinguished without a
// cast.
import createClient from "openapi-fetch";

import type { components, paths } from "./generated/waybill.js";

type Schemas = components["schemas"];
export type ImportResult = Schemas["ImportResult"];
export type Reason = Schemas["ErrorReason"];

/** Returns a client that sends an API key with every request. */
export function connect(baseUrl: string, key: string) {
  return createClient<paths>({ baseUrl, headers: { Authorization: `apikey ${key}`, "Accept-Language": "nb" } });
}

type Client = ReturnType<typeof connect>;

/** A rejection by the service, with its reason for programs. */
export class Refusal extends Error {
  constructor(readonly reason: Reason | undefined, error: Schemas["ApiError"]) {
    super(error.message);
  }
}

/** Returns the reason of an error, which every error has. */
export function reasonOf(error: Schemas["ApiError"]): Reason | undefined {
  for (const detail of error.details) {
    if (detail["@type"] === "type.googleapis.com/google.rpc.ErrorInfo") {
      return detail.reason;
    }
  }
  return undefined;
}

/** Imports orders and returns one result per order, however long that takes. */
export async function importOrders(client: Client, orders: Schemas["ImportOrderRequest"][]): Promise<ImportResult[]> {
  const { data, error } = await client.POST("/v3/orders/import", { body: { orders } });
  if (error) {
    throw new Refusal(reasonOf(error), error);
  }
  if ("importId" in data) {
    throw new Error(`import ${data.importId} goes on`);
  }
  return data.results;
}

/** Describes the outcome of an order. Each of the five outcomes has its own shape. */
export function describe(result: ImportResult): string {
  if (result.orderCreated) {
    return `created ${result.orderCreated.externalId} as ${result.orderCreated.OrderID}`;
  }
  if (result.orderUpdated) {
    return `updated ${result.orderUpdated.externalId}, without effect: ${result.orderUpdated.notApplied?.length ?? 0}`;
  }
  if (result.orderMerged) {
    return `merged ${result.orderMerged.externalId} into ${result.orderMerged.OrderID}`;
  }
  if (result.draftCreated) {
    return `draft of ${result.draftCreated.externalId}: ${result.draftCreated.reasons.map((r) => r.reason).join(", ")}`;
  }
  if (result.failedUpdate) {
    return `kept ${result.failedUpdate.externalId}: ${result.failedUpdate.reasons.map((r) => r.reason).join(", ")}`;
  }
  const none: never = result; // all five are dealt with
  return none;
}

/** Reads the status feed from a token on, and returns its changes and where to continue. */
export async function readFeed(client: Client, token: string): Promise<{ changes: string[]; token: string }> {
  const changes: string[] = [];
  for (;;) {
    const { data, error } = await client.GET("/v2/orders/summary/orderstatusfeed", {
      params: { query: { token, pageSize: 100 } },
    });
    if (error) {
      throw new Refusal(reasonOf(error), error);
    }
    changes.push(...data.items.map((change) => `${change.externalId} is ${change.status}`));
    token = data.nextToken;
    if (!data.hasMore) {
      return { changes, token };
    }
  }
}

/** Cancels an order unless it is over already, and reports whether it did. */
export async function cancel(client: Client, internalOrderNumber: string): Promise<boolean> {
  const { error } = await client.DELETE("/v1/import/orders/{internalOrderNumber}", {
    params: { path: { internalOrderNumber } },
  });
  if (!error) {
    return true;
  }
  const reason = reasonOf(error);
  switch (reason) {
    case "ORDER_ALREADY_CANCELLED":
    case "ORDER_NOT_FOUND":
      return false;
    default:
      throw new Refusal(reason, error);
  }
}
