// Verifies that a request comes from Waybill, by the scheme of Standard Webhooks
// (https://www.standardwebhooks.com).
import { createHmac, timingSafeEqual } from "node:crypto";

import { WaybillError } from "./errors.js";

/** How far the time of a message may be from the clock of this machine, in seconds. */
export const tolerance = 5 * 60;

/** A request that is not from Waybill, or too old. */
export class WebhookError extends WaybillError {
  override readonly name = "WebhookError";
}

/** A request from Waybill. */
export interface WebhookMessage {
  /** The same each time the message is sent. Process each once. */
  readonly id: string;
  /** When it was signed. */
  readonly sent: Date;
}

type HeaderList = Record<string, string | string[] | undefined> | Headers;

/**
 * Returns which message a request has, by its headers (with names in lower case, as Node has
 * them, or as Headers) and its body as it came. Throws a WebhookError when it is not from
 * Waybill, or too old. Give both secrets while one replaces the other.
 */
export function verifyWebhook(
  secrets: string | readonly string[],
  headers: HeaderList,
  body: string | Uint8Array,
  now: Date = new Date(),
): WebhookMessage {
  const id = one(headers, "webhook-id");
  const stamp = one(headers, "webhook-timestamp");
  const signatures = one(headers, "webhook-signature");
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

function one(headers: HeaderList, name: string): string {
  const header = headers instanceof Headers ? (headers.get(name) ?? undefined) : headers[name];
  return (Array.isArray(header) ? header[0] : header) ?? "";
}

function sign(secret: string, id: string, stamp: string, body: string | Uint8Array): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  if (key.length === 0) {
    throw new TypeError("a webhook's secret is whsec_ and base64");
  }
  return "v1," + createHmac("sha256", key).update(`${id}.${stamp}.`).update(body).digest("base64");
}
