// A client of Waybill in TypeScript. The types are generated from the contract; what
// is written by hand is in the files beside: trying again, following the feed, and
// verifying webhooks.
import createClient from "openapi-fetch";

import type { components, paths } from "./generated/waybill.js";
import { retrying, type Retries } from "./retry.js";

export { type Retries } from "./retry.js";
export { WebhookError, verifyWebhook, type WebhookMessage } from "./webhook.js";
export type { components, paths } from "./generated/waybill.js";

export type Schemas = components["schemas"];
export type Reason = Schemas["ErrorReason"];

export interface Settings {
  /** Where Waybill is, such as https://waybill.example. */
  baseUrl: string;
  key: string;
  /** The language of messages: nb, en or da. */
  language?: string;
  retries?: Retries;
}

/** Returns a client that sends an API key with every request and tries again. */
export function connect({ baseUrl, key, language = "en", retries }: Settings) {
  return createClient<paths>({
    baseUrl,
    headers: { Authorization: `apikey ${key}`, "Accept-Language": language },
    fetch: retrying((request) => fetch(request), retries),
  });
}

export type Client = ReturnType<typeof connect>;

/** What the service refused, with its reason for programs. */
export class Refusal extends Error {
  readonly reason: Reason | undefined;
  constructor(readonly error: Schemas["ApiError"]) {
    super(error.message);
    this.reason = reasonOf(error);
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

/**
 * Reads the status feed from a token on, page by page, until nothing more is waiting.
 * An empty token starts at the oldest change that is kept. A token that is older is refused
 * with FEED_TOKEN_EXPIRED, and one of another installation with FEED_TOKEN_AHEAD. Keep the nextToken of a page when its changes
 * are dealt with, and go on from there the next time.
 */
export async function* statusChanges(client: Client, token: string): AsyncGenerator<Schemas["OrderStatusFeed"]> {
  for (;;) {
    const { data, error } = await client.GET("/v2/orders/summary/orderstatusfeed", {
      params: { query: { token, pageSize: 1000 } },
    });
    if (error) {
      throw new Refusal(error);
    }
    yield data;
    if (!data.hasMore) {
      return;
    }
    token = data.nextToken;
  }
}
