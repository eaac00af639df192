// A client of Waybill, a transport management service. The contract generates the types and a
// method for each operation that an API key may call. Retries, paging, the feed, webhooks and
// waiting are in the files in this folder.
export { Waybill, type Settings } from "./client.js";
export { type Answer, type Options, type ResponseInfo } from "./core.js";
export * from "./errors.js";
export { type Follow } from "./feed.js";
export { ImportIncompleteError } from "./imports.js";
export { type Retries } from "./retry.js";
export { verifyWebhook, WebhookError, type WebhookMessage } from "./webhook.js";
export * from "./generated/resources.js";
export { version } from "./generated/version.js";
