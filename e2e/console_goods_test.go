package e2e_test

import (
	"net/http"
	"testing"
	"time"

	"waybill/api/contract"
)

// furnishGoods creates a freight, a scanned barcode, and a customer with
// pallets.
func (o *organization) furnishGoods(t *testing.T) {
	t.Helper()
	freight := object{
		"internalFreightNumber": "F-7711", "consignee": object{"externalId": "C-101"}, "consignor": object{"externalId": "C-100"},
		"products": []object{{
			"name": "Pallet", "externalId": "PALLET-1", "atomType": "colli", "barcodeId": "106141412345678908", "weight": 240,
		}},
	}
	light := object{"products": []object{product("CHAIR-2", object{"weight": 5})}} // two chairs
	o.importOrders(t, orders(newOrder("FREIGHT-1", freight), newOrder("FREIGHT-2", freight, light)))
	o.expect(t, http.StatusOK, http.MethodPost, "/v1/atoms/scan", object{
		"barcode_id": "00106141412345678908", "event": "TERMINAL", "occurred_at": time.Now().Add(-time.Hour),
	})
	kind := read[contract.CargoCarrier](t, o.expect(t, http.StatusOK, http.MethodPut, "/v2/cargo-carriers",
		object{"code": "EUR1", "name": "EUR pallet", "unitValue": "110"}))
	o.expect(t, http.StatusCreated, http.MethodPost, "/v2/cargo-carrier-movements", object{
		"cargoCarrierId": kind.ID, "customerId": 1, "quantity": 12, "signee": "Kari Nordmann",
	})
}
