"""Has an order delivered in a sandbox: imports an order, runs its day, receives the webhook of
the delivery, and reads the proof.

    WAYBILL_URL=… WAYBILL_API_KEY=… WAYBILL_RECEIVER_URL=https://… PORT=3000 python3 examples/sandbox.py

WAYBILL_RECEIVER_URL is the address at which Waybill reaches PORT of this machine. Without it,
Waybill must run on the same machine.
"""

import datetime
import http.server
import json
import os
import queue
import threading
import time

from waybill_client import Waybill, WebhookError, verify_webhook
from waybill_client.models import OrderStatusChange, WebhookEvent

LARGEST = 1 << 20
client = Waybill(os.environ["WAYBILL_URL"], os.environ["WAYBILL_API_KEY"])
day = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)).date().isoformat()
number = f"TRY-{time.time_ns()}"
secrets: list[str] = []
delivered: queue.Queue[OrderStatusChange] = queue.Queue()


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), LARGEST))
        try:
            verify_webhook(secrets, dict(self.headers), body)
        except WebhookError:
            self.send_error(401)
            return
        event: WebhookEvent = json.loads(body)
        if event["data"]["externalId"] == number:
            delivered.put(event["data"])
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Receiver)
url = os.environ.get("WAYBILL_RECEIVER_URL", f"http://127.0.0.1:{server.server_port}")
endpoint = client.webhook_endpoints.create({"url": url, "types": ["order.delivered"]})
secrets.append(endpoint["secret"])
threading.Thread(target=server.serve_forever, daemon=True).start()
try:
    done = client.import_and_wait(
        {
            "fallbackCustomer": {"externalId": "C-100"},
            "fallbackOrderType": {"name": "Standard"},
            "fallbackVehicleType": {"name": "Van"},
            "orders": [
                {
                    "externalId": number,
                    "date": day,
                    "pickup": {"externalId": "T-OSL"},
                    "products": [{"name": "Chair", "quantity": 2}],
                    "delivery": {
                        "name": "Kari Nordmann",
                        "earliest": f"{day}T07:00:00Z",
                        "latest": f"{day}T15:00:00Z",
                        "address": {
                            "address1": "Thorvald Meyers gate 40",
                            "postalCode": "0555",
                            "city": "Oslo",
                            "country": "NO",
                            "latitude": 59.9219,
                            "longitude": 10.7597,
                        },
                        "contacts": [{"firstName": "Kari", "lastName": "Nordmann"}],
                    },
                }
            ],
        }
    )
    if "orderCreated" not in done["results"][0]:
        raise SystemExit(f"no order was created: {done}")
    print("imported", number)
    client.sandbox.start_run({"date": day, "pace": 600, "trouble": "NONE"})

    change = delivered.get(timeout=300)
    print("told that", number, "is", change["status"])
    signed = client.orders.get_completion_proof(change["orderId"])["inPersonProof"]
    print("signed for by", signed["signee"] if signed else None)
finally:
    client.webhook_endpoints.delete(endpoint["id"])
    client.close()
