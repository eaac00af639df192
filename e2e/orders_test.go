package e2e_test

import (
	"fmt"
	"maps"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// object is JSON to be sent.
type object = map[string]any

// orders is an import request of the given orders.
func orders(entries ...object) object { return object{"orders": entries} }

// newOrder is a valid order with changes: members to set, or to leave out if
// nil.
func newOrder(number string, edits ...object) object {
	order := object{
		"externalId":  number,
		"date":        "2026-03-02",
		"reference":   "PO " + number,
		"customer":    object{"externalId": "C-100"},
		"orderType":   object{"name": "Standard"},
		"vehicleType": object{"name": "Van"},
		"pickup":      object{"externalId": "T-OSL"},
		"delivery": object{
			"name": "Ola Hansen", "earliest": "2026-03-02T11:00:00Z", "latest": "2026-03-02T15:00:00Z",
			"address": object{"address1": "Thorvald Meyers gate 40", "postalCode": "0555", "city": "Oslo", "country": "NO"},
		},
		"products": []object{product(number + "-P")},
	}
	for _, edit := range edits {
		maps.Copy(order, edit)
	}
	maps.DeleteFunc(order, func(_ string, value any) bool { return value == nil })
	return order
}

func product(externalID string, edits ...object) object {
	p := object{"externalId": externalID, "name": "Chair", "quantity": 2, "weight": 6.5, "atomType": "trade item"}
	for _, edit := range edits {
		maps.Copy(p, edit)
	}
	return p
}

// richOrder has something of everything that an order can have.
func richOrder(number string) object {
	return newOrder(number, object{
		"internalFreightNumber": "F-" + number,
		"consignee":             object{"externalId": "C-101"},
		"consignor":             object{"businessName": "Fjord Møbler AS"},
		"routeNumber":           "R12",
		"groups":                []object{{"name": "Morning"}, {"name": "Inner city"}},
		"pricing":               []object{{"name": "Home delivery", "price": "649.00", "currency": "NOK", "quantity": 1}},
		"customFields":          []object{{"externalId": "gate_code", "value": "1234"}},
		"pickup": object{
			"externalId": "L-3", "estimatedTimeOnLocation": 15, "instructions": "Gate 4",
			"contacts": []object{{"firstName": "Kari", "lastName": "Nordmann", "phoneNumber": "+4722123456", "emailAddress": "kari@example.com"}},
			"skills":   []object{{"name": "Tail lift", "type": "REQUIRED"}},
		},
		"delivery": object{
			"name": "Café Norden", "earliest": "2026-03-02T11:00:00Z", "latest": "2026-03-02T15:00:00Z",
			"address":                 object{"address1": "Østergade 61", "postalCode": "1100", "city": "København", "country": "DK", "latitude": 55.6786, "longitude": 12.5797},
			"estimatedTimeOnLocation": 70, "customerInstructions": "Third floor", "parkingInstructions": "In the yard",
			"sendNotificationBeforeArriving": true, "priority": "LOCATION_PRIORITY_HIGH",
			"contacts": []object{{"firstName": "Ola"}, {"lastName": "Hansen"}},
			"skills":   []object{{"name": "ADR", "type": "PROHIBITED"}},
		},
		"products": []object{
			product(number+"-PALLET", object{"name": "EUR pallet", "atomType": "colli", "barcodeId": "370702380000000017", "length": 120, "width": 80, "height": 15}),
			product(number+"-SOFA", object{"parentExternalId": number + "-PALLET", "skills": []object{{"name": "Two-person delivery", "type": "REQUIRED"}}}),
			product(number+"-TABLE", object{"parentExternalId": number + "-PALLET", "externalInstanceNumber": number + "-01"}),
		},
	})
}

// demoOrders is the README's import request.
func demoOrders(t testing.TB) string {
	t.Helper()
	request, err := os.ReadFile("../demo/orders.json")
	require.NoError(t, err)
	return string(request)
}

// series are numbers that begin alike.
func series(prefix string, count int) []string {
	numbers := make([]string, count)
	for i := range numbers {
		numbers[i] = fmt.Sprintf("%s%04d", prefix, i)
	}
	return numbers
}
