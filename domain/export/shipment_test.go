package export_test

import (
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"waybill/domain/export"
	"waybill/domain/order"
)

// sample is an order with something in every part, with the names of its
// references.
func sample() (*order.Order, *export.Names) {
	pallet := &order.Product{ID: 1, Number: "A-1", Name: "Pallet", Quantity: 1, AtomType: order.AtomColli, ExternalID: "P"}
	chair := &order.Product{
		ID: 2, Number: "A-1", Name: "Chair", Quantity: 4, AtomType: order.AtomTradeItem, Parent: pallet,
	}
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	stop := func(id int64) order.Stop {
		return order.Stop{
			ID: id, LocationID: 7, Name: "Alnabru", Window: order.Window{Earliest: at, Latest: at.Add(time.Hour)},
			Contacts: []order.Contact{{FirstName: "Kari"}},
			Skills:   map[int64]order.SkillType{1: order.SkillRequired, 2: order.SkillProhibited},
		}
	}
	o := &order.Order{
		ID: 3, Number: "A-1", Status: order.Registered,
		Header: order.Header{Date: at, CustomerID: 5, OrderTypeID: 6, VehicleTypeID: 8},
		Pickup: stop(1), Delivery: stop(2), Products: []*order.Product{pallet, chair}, Groups: []int64{4},
		Prices:       []order.Price{{Name: "Freight", Amount: "10.50", Currency: "NOK", Quantity: 1}},
		CustomFields: map[int64]order.FieldValue{1: {JSON: `"x"`}, 2: {JSON: "7", Stop: order.Delivery}},
	}
	return o, &export.Names{
		Parties:      map[int64]export.Party{5: {ExternalID: "C-100", BusinessName: "Fjord Møbler AS"}},
		Skills:       map[int64]string{1: "Tail lift", 2: "ADR"},
		OrderTypes:   map[int64]string{6: "Carrier"},
		VehicleTypes: map[int64]string{8: "Van"}, Groups: map[int64]string{4: "Morning"},
		CustomFields: map[int64]string{1: "gate", 2: "dock"},
		Serials:      map[int64]int64{3: 12}, Locations: map[int64]string{7: "L-1"},
	}
}

func TestShipment(t *testing.T) {
	t.Parallel()
	o, names := sample()
	s := export.NewShipment(o, names)
	require.Equal(t, "WB-12", s.SerialCode)
	require.Equal(t, "Fjord Møbler AS", s.Customer.BusinessName)
	require.Len(t, s.Products, 1)
	require.Equal(t, "Chair", s.Products[0].Children[0].Name)
	require.Equal(t, []export.Skill{{Name: "ADR", Type: "PROHIBITED"}, {Name: "Tail lift", Type: "REQUIRED"}},
		s.Pickup.Skills)
	require.Equal(t, "2026-03-02T12:00:00.000Z", s.Pickup.Earliest)
	require.Empty(t, s.Pricing, "prices are no business of a carrier's")
	names.Prices = true
	require.Len(t, export.NewShipment(o, names).Pricing, 1)
	for range 50 {
		again, names := sample()
		require.Equal(t, s.Payload(), export.NewShipment(again, names).Payload(), "the order of maps does not show")
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	o, names := sample()
	first := export.NewShipment(o, names).Fingerprint()
	o.Status, o.Pickup.ID, o.Products[0].ID, o.Pickup.Window.Source = order.Planned, 99, 98, order.FromOrderType
	require.Equal(t, first, export.NewShipment(o, names).Fingerprint(), "none of this is a carrier's business")
	o.Products[1].Quantity++
	changed := export.NewShipment(o, names).Fingerprint()
	require.NotEqual(t, first, changed)
	o.Status = order.Cancelled
	cancelled := export.NewShipment(o, names).Fingerprint()
	require.NotEqual(t, changed, cancelled)
	o.Products[1].Quantity++
	require.Equal(t, cancelled, export.NewShipment(o, names).Fingerprint(), "of a cancelled one nothing else matters")
}

func TestDifference(t *testing.T) {
	t.Parallel()
	value := func(text string) jsontext.Value { return jsontext.Value(text) }
	changes, err := export.Difference(
		[]byte(`{"a": 1, "b": {"c": "x", "d": true}, "e": [{"f": 1}, {"f": 2}], "g": null}`),
		[]byte(`{"a": 1, "b": {"c": "y"}, "e": [{"f": 1}, {"f": 3}, {"f": 4}], "g": null, "h": "new"}`))
	require.NoError(t, err)
	require.Equal(t, []export.Change{
		{Field: "b.c", Was: value(`"x"`), Now: value(`"y"`)},
		{Field: "b.d", Was: value("true")},
		{Field: "e[1].f", Was: value("2"), Now: value("3")},
		{Field: "e[2].f", Now: value("4")},
		{Field: "h", Now: value(`"new"`)},
	}, changes)
	_, err = export.Difference([]byte("{"), nil)
	require.Error(t, err)
}
