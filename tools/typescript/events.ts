// What a receiver of webhooks does with the types that openapi-typescript makes of the published
// OpenAPI 3.1, which has webhooks. An event that nobody knows yet is no error.
import type { webhooks } from "./generated/waybill-3.1.js";

type Event = webhooks["orderEvent"]["post"]["requestBody"]["content"]["application/json"];

/** Says in words what happened. */
export function told(event: Event): string {
  switch (event.type) {
    case "order.picked_up":
      return `order ${event.data.orderId} is picked up`;
    default:
      return `something else happened at ${event.timestamp}`;
  }
}

export const unknown: Event["type"] = "order.new_kind";
