"""Imports the orders of the standard input, and follows their status:

    demo/orders.sh | WAYBILL_URL=… WAYBILL_API_KEY=… python3 examples/follow.py

It keeps the token of the feed in WAYBILL_TOKEN_FILE (feed.token). With --once it ends when no
more changes are waiting.
"""

import json
import os
import pathlib
import sys

from waybill_client import Waybill

client = Waybill(os.environ["WAYBILL_URL"], os.environ["WAYBILL_API_KEY"])
file = pathlib.Path(os.environ.get("WAYBILL_TOKEN_FILE", "feed.token"))

for result in client.import_and_wait(json.load(sys.stdin))["results"]:
    print(next(iter(result)), flush=True)

token = file.read_text() if file.exists() else ""
for page in client.follow_status_changes(token, interval=None if "--once" in sys.argv else 5):
    for change in page["items"]:
        print(change["externalId"], change["status"], flush=True)
    file.write_text(page["nextToken"])  # better: a row in the transaction that processes the changes
