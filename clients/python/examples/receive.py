"""Receives webhooks on PORT, or on any free port, and accepts those that are signed with
WAYBILL_WEBHOOK_SECRET."""

import http.server
import json
import os

from waybill_client import WebhookError, verify_webhook

SECRETS = os.environ["WAYBILL_WEBHOOK_SECRET"].split()
LARGEST = 1 << 20
seen: set[str] = set()  # better: a table, because a message can come again days later


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), LARGEST))
        try:
            message = verify_webhook(SECRETS, dict(self.headers), body)
        except WebhookError:
            self.send_error(401)
            return
        if message.id not in seen:
            seen.add(message.id)
            print(json.loads(body)["type"], message.id, flush=True)
        self.send_response(204)  # at once; do what takes long afterwards
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Receiver)
print(f"listening at http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
