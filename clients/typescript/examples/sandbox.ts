// Has an order delivered in a sandbox: imports an order, runs its day, receives the webhook of
// the delivery, and reads the proof.
//
//   WAYBILL_URL=… WAYBILL_API_KEY=… WAYBILL_RECEIVER_URL=https://… PORT=3000 node dist/examples/sandbox.js
//
// WAYBILL_RECEIVER_URL is the address at which Waybill reaches PORT of this machine. Without it,
// Waybill must run on the same machine.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { verifyWebhook, Waybill, type OrderStatusChange, type WebhookEvent } from "../src/index.js";

const client = new Waybill({ baseUrl: process.env.WAYBILL_URL ?? "", key: process.env.WAYBILL_API_KEY ?? "" });
const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const number = `TRY-${Date.now()}`;

let secret = "";
let arrived: (change: OrderStatusChange) => void;
const delivery = new Promise<OrderStatusChange>((resolve) => (arrived = resolve));

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts);
    try {
      verifyWebhook([secret], request.headers, body);
      const { data } = JSON.parse(body.toString()) as WebhookEvent;
      if (data.externalId === number) {
        arrived(data);
      }
      response.writeHead(204).end();
    } catch {
      response.writeHead(401).end();
    }
  });
});
await new Promise<void>((listening) => server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", listening));

const url = process.env.WAYBILL_RECEIVER_URL ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const endpoint = await client.webhookEndpoints.create({ url, types: ["order.delivered"] });
secret = endpoint.secret;
try {
  const { results } = await client.importAndWait({
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
  });
  if (!results[0]?.orderCreated) {
    throw new Error(`no order was created: ${JSON.stringify(results)}`);
  }
  console.log("imported", number);
  await client.sandbox.startRun({ date: day, pace: 600, trouble: "NONE" });

  const { orderId, status } = await delivery;
  console.log("told that", number, "is", status);
  const proof = await client.orders.getCompletionProof(orderId);
  console.log("signed for by", proof.inPersonProof?.signee);
} finally {
  await client.webhookEndpoints.delete(endpoint.id);
  server.close();
  server.closeAllConnections();
}
