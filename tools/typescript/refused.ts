// Errors that the compiler must report. Each line below such a comment must be
// one: TypeScript complains otherwise.
import type { components } from "./generated/waybill.js";
import { connect } from "./client.js";

type Schemas = components["schemas"];

const imported: Schemas["ImportedOrder"] = { externalId: "SO-1", OrderID: 1 };

export const results: Schemas["ImportResult"][] = [
  { orderCreated: imported },
  // @ts-expect-error an import has one outcome
  { orderCreated: imported, orderUpdated: imported },
  // @ts-expect-error and not none
  {},
  // @ts-expect-error of five
  { orderLost: imported },
];

// What only requests hold is one of the values of this release.
export const trigger: Schemas["TransformTrigger"][] = [
  "TRANSFORM_TRIGGER_ORDER_CREATED",
  // @ts-expect-error rules do not start at another time
  "TRANSFORM_TRIGGER_ORDER_LOST",
];

// Fields that have a default need not be sent.
export const page: Schemas["PaginatedOrdersRequest"] = { order_status_ids: [1] };
export const applied: Schemas["ApplyTransformationsRequest"] = { trigger: "TRANSFORM_TRIGGER_ORDER_UPDATED" };
export const preview: Schemas["RecurringOrderPreviewRequest"] = {
  rruleset: "FREQ=DAILY",
  startDate: "2026-12-07T08:00:00Z",
};
export const template: Schemas["RecurringOrderInput"] = { ...preview, orderTemplate: {} };

// @ts-expect-error an optional field is left out, and is not undefined
export const drafted: Schemas["ImportedOrder"] = { externalId: "SO-1", OrderID: undefined };

export async function wrong(): Promise<void> {
  const client = connect("http://localhost", "key");
  // @ts-expect-error there is no such path
  await client.GET("/v1/order");
  // @ts-expect-error dates of the list are needed
  await client.GET("/v1/orders");
  // @ts-expect-error an import has orders
  await client.POST("/v3/orders/import", { body: {} });
}
