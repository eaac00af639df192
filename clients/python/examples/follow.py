"""Imports the orders that come on the standard input, and follows their status:

    demo/orders.sh | WAYBILL_URL=… WAYBILL_API_KEY=… python3 examples/follow.py

The token of the feed is kept in WAYBILL_TOKEN_FILE (feed.token). With --once it ends
when nothing more is waiting.
"""

import json
import os
import pathlib
import sys
import time

from waybill import Client

client = Client(os.environ["WAYBILL_URL"], os.environ["WAYBILL_API_KEY"])
kept = pathlib.Path(os.environ.get("WAYBILL_TOKEN_FILE", "feed.token"))

answer = client.import_orders(json.load(sys.stdin))
if "importId" in answer:
    print(f"import {answer['importId']} goes on; GET /v3/orders/imports/{answer['importId']} has its results")
for result in answer.get("results", []):
    print(next(iter(result)))

while True:
    for page in client.status_changes(kept.read_text() if kept.exists() else ""):
        for change in page["items"]:
            print(change["externalId"], change["status"])
        kept.write_text(page["nextToken"])  # better: a row beside what the changes change
    if "--once" in sys.argv:
        break
    time.sleep(5)
