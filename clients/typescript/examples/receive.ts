// Receives webhooks on PORT, or on any free port, and accepts those that are signed with
// WAYBILL_WEBHOOK_SECRET.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { verifyWebhook, WebhookError } from "../src/index.js";

const secrets = (process.env.WAYBILL_WEBHOOK_SECRET ?? "").split(" ");
const seen = new Set<string>(); // better: a table, because a message can come again days later

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts);
    try {
      const { id } = verifyWebhook(secrets, request.headers, body);
      if (!seen.has(id)) {
        seen.add(id);
        const event = JSON.parse(body.toString()) as { type: string };
        console.log(event.type, id);
      }
      response.writeHead(204).end(); // at once; do what takes long afterwards
    } catch (fault) {
      response.writeHead(fault instanceof WebhookError ? 401 : 400).end();
    }
  });
});
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  console.log(`listening at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
