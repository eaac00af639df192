import assert from "node:assert/strict";
import { test } from "node:test";

import { WebhookError, verifyWebhook } from "../src/index.js";

// The example that the reference libraries of Standard Webhooks are tested with.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = '{"test": 2432232314}';
const headers = {
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": "1614265330",
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const signed = new Date(1614265330_000);
const other = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

test("accepts what is signed", () => {
  const message = { id: headers["webhook-id"], sent: signed };
  assert.deepEqual(verifyWebhook(secret, headers, body, signed), message);
  assert.deepEqual(verifyWebhook([other, secret], headers, Buffer.from(body), signed), message);
  const several = { ...headers, "webhook-signature": `v1,AAAA v1a,BBBB ${headers["webhook-signature"]}` };
  assert.deepEqual(verifyWebhook(secret, several, body, new Date(signed.getTime() + 300_000)), message);
});

test("refuses everything else", () => {
  for (const [name, sent, text, now, key] of [
    ["late", headers, body, new Date(signed.getTime() + 301_000), secret],
    ["early", headers, body, new Date(signed.getTime() - 301_000), secret],
    ["another body", headers, `${body} `, signed, secret],
    ["another secret", headers, body, signed, other],
    ["another message", { ...headers, "webhook-id": "msg_2" }, body, signed, secret],
    ["another time", { ...headers, "webhook-timestamp": "1614265331" }, body, signed, secret],
    ["another scheme", { ...headers, "webhook-signature": "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" }, body, signed, secret],
    ["no signature", { ...headers, "webhook-signature": undefined }, body, signed, secret],
    ["no time", { ...headers, "webhook-timestamp": "today" }, body, signed, secret],
  ] as const) {
    assert.throws(() => verifyWebhook(key, sent, text, now), WebhookError, name);
  }
  assert.throws(() => verifyWebhook("whsec_", headers, body, signed), TypeError);
});
