package main

import (
	"encoding/json"
	"fmt"
	"time"

	"waybill/domain/order"
)

// depots is the number of locations where the orders start; each goes to its
// own address.
const depots = 40

// revision is one of two states of an order.
type revision int

const (
	first revision = iota
	// changed has another reference and another quantity of one product.
	changed
)

// importBody is an import of orders whose numbers begin with prefix.
func importBody(prefix string, count int, state revision) ([]byte, error) {
	return json.Marshal(map[string]any{"orders": newOrders(prefix, count, state)})
}

// newOrders are orders whose numbers begin with prefix.
func newOrders(prefix string, count int, state revision) []order.Request {
	entries := make([]order.Request, count)
	for i := range entries {
		entries[i] = newOrder(fmt.Sprintf("%s-%06d", prefix, i), i, state)
	}
	return entries
}

var firstDay = time.Date(2027, time.March, 1, 0, 0, 0, 0, time.UTC)

// newOrder is an order with two stops, a contact at each, and four products of
// which one contains the others.
func newOrder(number string, i int, state revision) order.Request {
	day := firstDay.AddDate(0, 0, i%20)
	return order.Request{
		ExternalID:  number,
		Date:        day.Format(time.DateOnly),
		Reference:   fmt.Sprintf("PO-%d-%d", i, state),
		Customer:    &order.Ref{ExternalID: fmt.Sprintf("C-%d", i%20+1)},
		VehicleType: &order.Ref{Name: "Van"},
		OrderType:   &order.Ref{Name: "Standard"},
		Pickup:      pickup(i % depots),
		Delivery:    delivery(number, i, day),
		Products:    products(number, state),
	}
}

// pickup is at a place with an external id; its window follows from the order
// type.
func pickup(depot int) *order.LocationRequest {
	minutes, point := int32(15), float64(depot)/100
	return &order.LocationRequest{
		Name: fmt.Sprintf("Terminal %d", depot), ExternalID: fmt.Sprintf("T-%d", depot),
		Address: &order.Address{
			Address1: fmt.Sprintf("Alfasetveien %d", depot), PostalCode: "0668", City: "Oslo", Country: "NO",
			Latitude: new(59.9 + point), Longitude: new(10.8 + point),
		},
		EstimatedTimeOnLocation: &minutes,
		Contacts: []order.Contact{{
			FirstName: "Bjørn", LastName: "Alnes", PhoneNumber: "+4740000101", EmailAddress: "bjorn.alnes@example.com",
		}},
		Instructions: "Meld deg i luke 2 før lasting.",
	}
}

// delivery is at an address that no other order has, at a fixed time.
func delivery(number string, i int, day time.Time) *order.LocationRequest {
	minutes := int32(10)
	return &order.LocationRequest{
		Name: "Mottaker " + number,
		Address: &order.Address{
			Address1: fmt.Sprintf("Strømsveien %d", i), PostalCode: fmt.Sprintf("%04d", i%10_000), City: "Oslo", Country: "NO",
			Latitude: new(59.8 + float64(i)/100_000), Longitude: new(10.7 + float64(i)/100_000),
		},
		Earliest:                day.Add(12 * time.Hour).Format(time.RFC3339),
		Latest:                  day.Add(15 * time.Hour).Format(time.RFC3339),
		EstimatedTimeOnLocation: &minutes,
		Contacts: []order.Contact{{
			FirstName: "Ingrid", LastName: fmt.Sprintf("Solbakken %d", i), PhoneNumber: "+4740000102",
			EmailAddress: fmt.Sprintf("kunde-%d@example.com", i),
		}},
		Instructions: "Varemottak i bakgården, ring på ved ankomst.",
	}
}

func products(number string, state revision) []order.ProductRequest {
	pallet := number + "-K1"
	all := []order.ProductRequest{{
		Name: "Europall", Quantity: new(1.0), Weight: new(25.0), Length: new(120.0), Width: new(80.0), Height: new(15.0),
		BarcodeID: number, ExternalID: pallet, AtomType: order.AtomColli,
	}}
	for i, name := range []string{"Spisestol Lofoten, eik", "Spisebord Lofoten 180 cm", "Lampe Senja"} {
		all = append(all, order.ProductRequest{
			Name: name, Quantity: new(float64(i + 2)), Weight: new(6.5), Length: new(46.0), Width: new(54.0), Height: new(84.0),
			BarcodeID: fmt.Sprintf("95212340000%02d", i), ExternalID: fmt.Sprintf("%s-%d", number, i), ParentExternalID: pallet,
			AtomType: order.AtomTradeItem,
		})
	}
	all[1].Quantity = new(float64(2 + state))
	return all
}
