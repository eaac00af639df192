// Verifies that a request comes from Waybill, by the scheme of Standard Webhooks
// (https://www.standardwebhooks.com).
import { createHmac, timingSafeEqual } from "node:crypto";

/** How far the time of a message may be from ours, in seconds. */
export const tolerance = 5 * 60;

/** What must not be trusted, and why. */
export class WebhookError extends Error {}

/** What a request that is Waybill's says of itself. */
export interface WebhookMessage {
  /** The same each time the message is sent: deal with each once. */
  readonly id: string;
  readonly sent: Date;
}

type Headers = Record<string, string | string[] | undefined>;

/**
 * Returns what a request is, by its headers (names in lower case, as Node has them)
 * and the very text of its body; throws a WebhookError when it is not from Waybill, or
 * not from now. Give both secrets while one is replaced by another.
 */
export function verifyWebhook(
  secrets: string | readonly string[],
  headers: Headers,
  body: string | Uint8Array,
  now: Date = new Date(),
): WebhookMessage {
  const id = one(headers["webhook-id"]);
  const stamp = one(headers["webhook-timestamp"]);
  const signatures = one(headers["webhook-signature"]);
  if (!id || !/^\d+$/.test(stamp) || !signatures) {
    throw new WebhookError("the headers of a webhook are missing or malformed");
  }
  const sent = new Date(Number(stamp) * 1000);
  if (!(Math.abs(now.getTime() - sent.getTime()) <= tolerance * 1000)) {
    throw new WebhookError("the webhook is too old, or from the future");
  }
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    const want = Buffer.from(sign(secret, id, stamp, body));
    for (const signature of signatures.split(" ")) {
      const got = Buffer.from(signature);
      if (got.length === want.length && timingSafeEqual(got, want)) {
        return { id, sent };
      }
    }
  }
  throw new WebhookError("no signature of the webhook is right");
}

function one(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? "";
}

function sign(secret: string, id: string, stamp: string, body: string | Uint8Array): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  if (key.length === 0) {
    throw new TypeError("a webhook's secret is whsec_ and base64");
  }
  return "v1," + createHmac("sha256", key).update(`${id}.${stamp}.`).update(body).digest("base64");
}
