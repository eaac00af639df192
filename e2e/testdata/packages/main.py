"""An integrator's program, which uses the installed client."""

import os
from collections.abc import Callable

from waybill_client import (
    ApiError,
    ConflictError,
    ForbiddenError,
    GoneError,
    InvalidError,
    NoResponseError,
    NotFoundError,
    NotModifiedError,
    PreconditionFailedError,
    RateLimitedError,
    Response,
    Retries,
    UnauthorizedError,
    UnavailableError,
    Waybill,
    WebhookError,
    verify_webhook,
)

env = os.environ
url, stub, key, number = env["WAYBILL_URL"], env["STUB_URL"], env["WAYBILL_API_KEY"], env["NUMBER"]


def connect(base_url: str, key: str) -> Waybill:
    return Waybill(base_url, key, retries=Retries(tries=1))


client = connect(url, key)
done = client.import_and_wait(
    {
        "fallbackCustomer": {"externalId": "C-100"},
        "fallbackOrderType": {"name": "Standard"},
        "fallbackVehicleType": {"name": "Van"},
        "orders": [
            {
                "externalId": number,
                "date": env["DAY"],
                "pickup": {"externalId": "T-OSL"},
                "delivery": {"externalId": "T-OSL"},
                "products": [{"name": "Chair", "quantity": 2}],
            }
        ],
    }
)
print("created", str("orderCreated" in done["results"][0]).lower())
response = Response()
client.master_data.get_organization(response=response)
order = client.orders.get_by_number(number)
print("read", order["internal_order_number"])

headers = {
    "webhook-id": env["WEBHOOK_ID"],
    "webhook-timestamp": env["WEBHOOK_TIMESTAMP"],
    "webhook-signature": env["WEBHOOK_SIGNATURE"],
}


def accepts(body: bytes) -> bool:
    try:
        return verify_webhook(env["SECRET"], headers, body).id == env["WEBHOOK_ID"]
    except WebhookError:
        return False


print("webhook", str(accepts(env["WEBHOOK_BODY"].encode())).lower(), str(not accepts(b"{}")).lower())


def get(base_url: str, key: str) -> Callable[[], object]:
    return lambda: connect(base_url, key).orders.get(order["order_id"])


endpoint = client.webhook_endpoints.create({"url": stub})
refusals: list[tuple[str, type[ApiError], Callable[[], object]]] = [
    ("invalid", InvalidError, lambda: client.orders.import_({"orders": []})),
    ("unauthorized", UnauthorizedError, get(url, "wrong")),
    ("forbidden", ForbiddenError, lambda: connect(url, env["LIMITED_KEY"]).orders.find(text="chair")),
    ("not found", NotFoundError, lambda: client.orders.get_by_number("none")),
    ("conflict", ConflictError, lambda: client.orders.replan(external_id=number)),
    ("gone", GoneError, get(stub + "/410", key)),
    (
        "precondition failed",
        PreconditionFailedError,
        lambda: client.webhook_endpoints.update(endpoint["id"], {"isActive": False}, if_match='"0"'),
    ),
    ("rate limited", RateLimitedError, get(stub + "/429", key)),
    ("unavailable", UnavailableError, get(stub + "/502", key)),
    ("not modified", NotModifiedError, lambda: client.master_data.get_organization(if_none_match=response.etag or "")),
]
for name, kind, call in refusals:
    try:
        print("wrong:", name, call())
    except kind as error:
        print(name, str(error.request_id is not None).lower())
try:
    get("http://127.0.0.1:1", key)()
except NoResponseError:
    print("no response true")
try:
    client.orders.get_by_number("none")
except ApiError as error:
    print("reason", str(error.reason == "ORDER_NOT_FOUND").lower())
