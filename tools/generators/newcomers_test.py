"""A client that openapi-python-client made of the published contract takes what a later release may answer."""

import importlib
import json
import pathlib
import re
import unittest

import httpx

import waybill_newcomers
from waybill_newcomers import models
from waybill_newcomers.client import Client

GENERATED = pathlib.Path(waybill_newcomers.__file__).parent
NEWCOMERS = json.loads((GENERATED.parents[1] / "newcomers/newcomers.json").read_text())


def module_of(operation):
    """The module of an operation, None where the generator knows nothing of its bodies."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", operation).lower()
    for file in GENERATED.glob(f"api/*/{name}.py"):
        return importlib.import_module(".".join(file.relative_to(GENERATED.parent).with_suffix("").parts))
    return None


class Newcomers(unittest.TestCase):
    def test_every_answer_is_taken(self):
        client, taken = Client(base_url="https://waybill.example"), 0
        for newcomer in NEWCOMERS:
            with self.subTest(operation=newcomer["operation"], example=newcomer["example"]):
                if "schema" in newcomer:
                    parsed = getattr(models, newcomer["schema"]).from_dict(newcomer["body"])
                elif module := module_of(newcomer["operation"]):
                    response = httpx.Response(int(newcomer["status"]), json=newcomer["body"])
                    parsed = module._parse_response(client=client, response=response)
                else:
                    continue
                items = parsed if isinstance(parsed, list) else [parsed]
                again = json.dumps([item.to_dict() if hasattr(item, "to_dict") else item for item in items])
                for new in "A_NEW_VALUE", "aNewField":
                    self.assertEqual(again.count(new), json.dumps(newcomer["body"]).count(new))
                taken += 1
        self.assertGreater(taken, 0.9 * len(NEWCOMERS))


if __name__ == "__main__":
    unittest.main()
