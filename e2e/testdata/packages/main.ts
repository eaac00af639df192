// An integrator's program, which uses the installed client.
import {
  ApiError,
  ConflictError,
  ForbiddenError,
  GoneError,
  InvalidError,
  NoResponseError,
  NotFoundError,
  NotModifiedError,
  PreconditionFailedError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  verifyWebhook,
  Waybill,
  WebhookError,
} from "@waybill/client";

const { WAYBILL_URL = "", WAYBILL_API_KEY = "", LIMITED_KEY = "", STUB_URL = "", NUMBER = "", DAY = "", SECRET = "" } = process.env;
const connect = (baseUrl: string, key: string) => new Waybill({ baseUrl, key, retries: { tries: 1 } });
const client = connect(WAYBILL_URL, WAYBILL_API_KEY);

const { results } = await client.importAndWait({
  fallbackCustomer: { externalId: "C-100" },
  fallbackOrderType: { name: "Standard" },
  fallbackVehicleType: { name: "Van" },
  orders: [
    {
      externalId: NUMBER,
      date: DAY,
      pickup: { externalId: "T-OSL" },
      delivery: { externalId: "T-OSL" },
      products: [{ name: "Chair", quantity: 2 }],
    },
  ],
});
console.log("created", results[0]?.orderCreated !== undefined);
const { response } = await client.masterData.getOrganization().withResponse();
const order = await client.orders.getByNumber(NUMBER);
console.log("read", order.internal_order_number);

const headers = {
  "webhook-id": process.env.WEBHOOK_ID,
  "webhook-timestamp": process.env.WEBHOOK_TIMESTAMP,
  "webhook-signature": process.env.WEBHOOK_SIGNATURE,
};
const accepts = (body: string) => {
  try {
    return verifyWebhook(SECRET, headers, body).id === process.env.WEBHOOK_ID;
  } catch (error) {
    return !(error instanceof WebhookError);
  }
};
console.log("webhook", accepts(process.env.WEBHOOK_BODY ?? ""), !accepts("{}"));

const endpoint = await client.webhookEndpoints.create({ url: STUB_URL });
const get = (client: Waybill) => client.orders.get(order.order_id);
const refusals: [string, typeof ApiError, PromiseLike<unknown>][] = [
  ["invalid", InvalidError, client.orders.import({ orders: [] })],
  ["unauthorized", UnauthorizedError, get(connect(WAYBILL_URL, "wrong"))],
  ["forbidden", ForbiddenError, connect(WAYBILL_URL, LIMITED_KEY).orders.find({ text: "chair" })],
  ["not found", NotFoundError, client.orders.getByNumber("none")],
  ["conflict", ConflictError, client.orders.replan({ externalId: NUMBER })],
  ["gone", GoneError, get(connect(`${STUB_URL}/410`, WAYBILL_API_KEY))],
  ["precondition failed", PreconditionFailedError, client.webhookEndpoints.update(endpoint.id, { isActive: false }, { ifMatch: '"0"' })],
  ["rate limited", RateLimitedError, get(connect(`${STUB_URL}/429`, WAYBILL_API_KEY))],
  ["unavailable", UnavailableError, get(connect(`${STUB_URL}/502`, WAYBILL_API_KEY))],
  ["not modified", NotModifiedError, client.masterData.getOrganization({ ifNoneMatch: response.etag })],
];
const outcomes = await Promise.allSettled(refusals.map(([, , answer]) => answer));
for (const [i, [name, kind]] of refusals.entries()) {
  const outcome = outcomes[i];
  const error: unknown = outcome?.status === "rejected" ? outcome.reason : undefined;
  if (!(error instanceof kind)) {
    console.log("wrong:", name, error);
    continue;
  }
  console.log(name, error.requestId !== undefined);
}
const silence: unknown = await get(connect("http://127.0.0.1:1", "key")).catch((error: unknown) => error);
console.log("no response", silence instanceof NoResponseError);
const missing: unknown = await client.orders.getByNumber("none").catch((error: unknown) => error);
console.log("reason", missing instanceof ApiError && missing.reason === "ORDER_NOT_FOUND");
