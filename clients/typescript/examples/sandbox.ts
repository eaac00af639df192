// Has an order delivered from end to end in a sandbox: imports one, has its day driven, is
// told of the delivery by a webhook, and fetches the proof.
//
//   WAYBILL_URL=… WAYBILL_API_KEY=… WAYBILL_RECEIVER_URL=https://… PORT=3000 node dist/examples/sandbox.js
//
// WAYBILL_RECEIVER_URL is where Waybill reaches PORT of this machine; without it, Waybill
// has to be on the same one.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { connect, Refusal, verifyWebhook, type Schemas } from "../src/index.js";

const client = connect({ baseUrl: process.env.WAYBILL_URL ?? "", key: process.env.WAYBILL_API_KEY ?? "" });
const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const number = `TRY-${Date.now()}`;

/** Returns what was answered, or throws what was refused. */
function answered<Body>({ data, error }: { data?: Body; error?: Schemas["ApiError"] }): Body {
  if (error) {
    throw new Refusal(error);
  }
  return data as Body;
}

let secret = "";
let told: (change: Schemas["OrderStatusChange"]) => void;
const delivery = new Promise<Schemas["OrderStatusChange"]>((resolve) => (told = resolve));

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts);
    try {
      verifyWebhook([secret], request.headers, body);
      const { data } = JSON.parse(body.toString()) as Schemas["WebhookEvent"];
      if (data.externalId === number) {
        told(data);
      }
      response.writeHead(204).end();
    } catch {
      response.writeHead(401).end();
    }
  });
});
await new Promise<void>((listening) => server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", listening));

const url = process.env.WAYBILL_RECEIVER_URL ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const endpoint = answered(await client.POST("/v2/webhook-endpoints", { body: { url, types: ["order.delivered"] } }));
secret = endpoint.secret;
try {
  const imported = answered(
    await client.POST("/v3/orders/import", {
      body: {
        fallbackCustomer: { externalId: "C-100" },
        fallbackOrderType: { name: "Standard" },
        fallbackVehicleType: { name: "Van" },
        orders: [
          {
            externalId: number,
            date: day,
            pickup: { externalId: "T-OSL" },
            products: [{ name: "Chair", quantity: 2 }],
            delivery: {
              name: "Kari Nordmann",
              earliest: `${day}T07:00:00Z`,
              latest: `${day}T15:00:00Z`,
              address: {
                address1: "Thorvald Meyers gate 40",
                postalCode: "0555",
                city: "Oslo",
                country: "NO",
                latitude: 59.9219,
                longitude: 10.7597,
              },
              contacts: [{ firstName: "Kari", lastName: "Nordmann" }],
            },
          },
        ],
      },
    }),
  );
  if (!("results" in imported) || !imported.results[0] || !("orderCreated" in imported.results[0])) {
    throw new Error(`it is not imported: ${JSON.stringify(imported)}`);
  }
  console.log("imported", number);
  answered(await client.POST("/v2/sandbox/run", { body: { date: day, pace: 600, trouble: "NONE" } }));

  const { orderId, status } = await delivery;
  console.log("told that", number, "is", status);
  const proof = answered(await client.GET("/v2/orders/{orderId}/completion-proof", { params: { path: { orderId } } }));
  console.log("signed for by", proof.inPersonProof?.signee);
} finally {
  await client.DELETE("/v2/webhook-endpoints/{endpointId}", { params: { path: { endpointId: endpoint.id } } });
  server.close();
  server.closeAllConnections();
}
