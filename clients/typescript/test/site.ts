// A service that gives the answers of a test, one after the other, and notes the requests.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

import { Waybill, type Settings } from "../src/index.js";

export interface Reply {
  status: number; // 0 drops the connection, -1 never answers
  headers?: Record<string, string>;
  body?: unknown; // JSON, or a string as it is
}

interface Asked {
  method: string;
  path: string;
  query: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export async function site(t: TestContext, replies: Reply[], settings: Partial<Settings> = {}) {
  const asked: Asked[] = [];
  const pauses: number[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const reply = replies[Math.min(asked.length, replies.length - 1)] as Reply;
      const [path = "", query = ""] = (request.url ?? "").split("?");
      asked.push({ method: request.method ?? "", path, query, headers: request.headers, body });
      if (reply.status <= 0) {
        if (reply.status === 0) {
          request.socket.destroy();
        }
        return;
      }
      response.writeHead(reply.status, { "X-Request-ID": "req-1", ...reply.headers });
      response.end(typeof reply.body === "string" ? reply.body : reply.body === undefined ? "" : JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const client = new Waybill({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    key: "key",
    retries: { sleep: async (milliseconds) => pauses.push(milliseconds) },
    ...settings,
  });
  return { client, asked, pauses };
}

/** An error as the service writes it. */
export function refusal(reason: string) {
  return {
    code: 5,
    message: "No.",
    details: [
      { "@type": "type.googleapis.com/google.rpc.SomethingNew", fieldViolations: "not a list" },
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "waybill", metadata: { order: "1" } },
    ],
  };
}
