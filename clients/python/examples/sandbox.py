"""Has an order delivered from end to end in a sandbox: imports one, has its day driven, is
told of the delivery by a webhook, and fetches the proof.

    WAYBILL_URL=… WAYBILL_API_KEY=… WAYBILL_RECEIVER_URL=https://… PORT=3000 python3 examples/sandbox.py

WAYBILL_RECEIVER_URL is where Waybill reaches PORT of this machine; without it, Waybill has
to be on the same one.
"""

import datetime
import http.server
import json
import os
import queue
import threading
import time

from waybill import Client, WebhookError, verify_webhook

LARGEST = 1 << 20
client = Client(os.environ["WAYBILL_URL"], os.environ["WAYBILL_API_KEY"])
day = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)).date().isoformat()
number = f"TRY-{time.time_ns()}"
secrets: list[str] = []
told: queue.Queue[dict] = queue.Queue()


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), LARGEST))
        try:
            verify_webhook(secrets, dict(self.headers), body)
        except WebhookError:
            self.send_error(401)
            return
        change = json.loads(body)["data"]
        if change["externalId"] == number:
            told.put(change)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Receiver)
url = os.environ.get("WAYBILL_RECEIVER_URL", f"http://127.0.0.1:{server.server_port}")
endpoint = client.call("POST", "/v2/webhook-endpoints", body={"url": url, "types": ["order.delivered"]})
secrets.append(endpoint["secret"])
threading.Thread(target=server.serve_forever, daemon=True).start()
try:
    answer = client.import_orders(
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
    if "orderCreated" not in answer["results"][0]:
        raise SystemExit(f"it is not imported: {answer}")
    print("imported", number)
    client.call("POST", "/v2/sandbox/run", body={"date": day, "pace": 600, "trouble": "NONE"})

    change = told.get(timeout=300)
    print("told that", number, "is", change["status"])
    proof = client.call("GET", f"/v2/orders/{change['orderId']}/completion-proof")
    print("signed for by", proof["inPersonProof"]["signee"])
finally:
    client.call("DELETE", f"/v2/webhook-endpoints/{endpoint['id']}")
