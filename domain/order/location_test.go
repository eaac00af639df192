package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

func TestLocationKeyIgnoresSpelling(t *testing.T) {
	t.Parallel()
	address := order.Address{Address1: "Storgata 1", PostalCode: "0150", City: "Oslo", Country: "NO"}
	key := order.KeyOf("Fjord Møbler", address)
	same := address
	same.Address1, same.City, same.Address2, same.State = " STORGATA\t 1 ", "oslo", "Door 3", "Viken"
	same.Latitude, same.Longitude = ptr(59.9), ptr(10.7)
	require.Equal(t, key, order.KeyOf("fjord  MØBLER", same))
	for _, other := range []order.Address{
		{Address1: "Storgata 2", PostalCode: "0150", City: "Oslo", Country: "NO"},
		{Address1: "Storgata 1", PostalCode: "0151", City: "Oslo", Country: "NO"},
		{Address1: "Storgata 1", PostalCode: "0150", City: "Moss", Country: "NO"},
		{Address1: "Storgata 1", PostalCode: "0150", City: "Oslo", Country: "DK"},
		{Address1: "Storgata 10150", City: "Oslo", Country: "NO"},
	} {
		require.NotEqual(t, key, order.KeyOf("Fjord Møbler", other))
	}
	require.NotEqual(t, key, order.KeyOf("Fjord", address))

	point := func(lat, lon float64) order.LocationKey {
		return order.KeyOf("", order.Address{Latitude: &lat, Longitude: &lon})
	}
	require.Equal(t, point(59.9, 10.7), point(59.900001, 10.699999))
	require.NotEqual(t, point(59.9, 10.7), point(59.9001, 10.7))
}

func TestLocationRefsAreWhatIsToBeLookedUp(t *testing.T) {
	t.Parallel()
	free := place("", "Storgata 9")
	refs := order.RefsOf([]order.Request{
		entry("A"), entry("B"),
		{},
		{Pickup: free, Delivery: free},
		{Pickup: &order.LocationRequest{Name: "No address"}},
		{Delivery: &order.LocationRequest{ExternalID: "P-9"}},
		{Pickup: &order.LocationRequest{LocationID: 7, ExternalID: "P-10"}},
	})
	require.Equal(t, order.LocationRefs{
		IDs: []int64{7}, ExternalIDs: []string{"D-1", "P-1", "P-9"},
		Keys: []order.LocationKey{order.KeyOf(free.Name, *free.Address)},
	}, refs)
	require.Empty(t, order.RefsOf(nil))
}

func TestNewLocationsAreThoseThatAreNotKnown(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.create([]order.Request{{Pickup: place("P-1", "Storgata 1")}})
	again := place("P-2", "Storgata 2")
	again.Name = "A later description"
	found := order.NewLocations(w.snapshot(), []order.Request{
		entry("A"),                                         // P-1 is known, D-1 is not
		{Pickup: place("", "Storgata 1")},                  // known by its key
		{Pickup: place("P-2", "Storgata 2")},               // new
		{Pickup: again, Delivery: place("", "Storgata 2")}, // both are P-2
		{Pickup: place("", "Storgata 3"), Delivery: place("", "STORGATA  3")},
		{Pickup: &order.LocationRequest{ExternalID: "P-4"}}, // nothing to go by
		{Pickup: &order.LocationRequest{Name: "P", Address: &order.Address{Address1: "Storgata"}}}, // nor here
		{Pickup: place(long, "Storgata 5")},
	})
	names := []string{}
	for _, n := range found {
		names = append(names, n.ExternalID+" "+n.Name)
	}
	require.Equal(t, []string{"D-1 Place Havnegata 2", "P-2 Place Storgata 2", " Place Storgata 3"}, names)
}

func TestForeseenLocationsYieldToKnownOnes(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.create([]order.Request{{Pickup: place("P-1", "Storgata 1")}})
	s := w.snapshot()
	entries := []order.Request{
		{Pickup: place("P-9", "Storgata 1"), Delivery: place("P-8", "Storgata 8")},
		{Pickup: place("", "Storgata 1"), Delivery: place("P-7", "Storgata 8")},
		{Pickup: place("", "Storgata 8"), Delivery: place("P-7", "Storgata 8")},
	}
	for i := range entries { // one after the other, as when more comes up later
		s.Foresee(order.NewLocations(s, entries[i:i+1]))
	}
	require.Empty(t, order.NewLocations(s, entries))
	ids := map[int64]bool{}
	for _, l := range s.Locations {
		require.False(t, ids[l.ID], "an id is used twice")
		ids[l.ID] = true
	}
	for i := range entries {
		e := entry(string(rune('A' + i)))
		entries[i].ExternalID, entries[i].Date, entries[i].Customer = e.ExternalID, e.Date, e.Customer
		entries[i].VehicleType, entries[i].OrderType = e.VehicleType, e.OrderType
	}
	results := order.Decide(s, order.Defaults{}, entries).Results
	require.Less(t, results[0].Order.Pickup.LocationID, int64(0))
	require.Equal(t, int64(1), results[1].Order.Pickup.LocationID, "what is stored is older")
	require.Equal(t, results[0].Order.Delivery.LocationID, results[2].Order.Pickup.LocationID, "what came first is older")
}

func TestKnownLocationSuppliesAddressAndName(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.one(order.Defaults{}, entry("A"))
	e := entry("B")
	e.Pickup = &order.LocationRequest{ExternalID: "P-1"}
	o := w.one(order.Defaults{}, e).Order
	require.Equal(t, "Place Storgata 1", o.Pickup.Name)
	require.Equal(t, "Storgata 1", o.Pickup.Address.Address1)

	e.ExternalID, e.Pickup = "C", place("P-1", "Elsewhere 5")
	o = w.one(order.Defaults{}, e).Order
	require.Equal(t, int64(1), o.Pickup.LocationID)
	require.Equal(t, "Elsewhere 5", o.Pickup.Address.Address1, "the order's own address")
	require.Equal(t, "Storgata 1", w.locations[0].Address.Address1, "the location stays")

	e.ExternalID, e.Pickup = "D", &order.LocationRequest{ExternalID: "P-1", Name: long}
	require.Equal(t, "pickup.name", w.one(order.Defaults{}, e).Reasons[0].Field)
	e.Pickup = &order.LocationRequest{ExternalID: "P-1", Address: &order.Address{Country: "NO"}}
	require.Equal(t, []order.Code{order.InvalidPickupAddress}, codes(w.one(order.Defaults{}, e)))
}

func TestAddressRequiresCoordinatesOrStreet(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		address order.Address
		ok      bool
	}{
		"PostalCode":  {order.Address{Address1: "a", Country: "NO", PostalCode: "1"}, true},
		"City":        {order.Address{Address1: "a", Country: "DK", City: "b"}, true},
		"Kosovo":      {order.Address{Address1: "a", Country: "XK", City: "b"}, true},
		"Point":       {order.Address{Latitude: ptr(-90.0), Longitude: ptr(180.0)}, true},
		"PointAtZero": {order.Address{Latitude: ptr(0.0), Longitude: ptr(0.0)}, true},
		"Nothing":     {order.Address{}, false},
		"NoCountry":   {order.Address{Address1: "a", City: "b"}, false},
		"NoTown":      {order.Address{Address1: "a", Country: "NO"}, false},
		"AlphaThree":  {order.Address{Address1: "a", Country: "NOR", City: "b"}, false},
		"Nowhere":     {order.Address{Address1: "a", Country: "ZZ", City: "b"}, false},
		"Europe":      {order.Address{Address1: "a", Country: "EU", City: "b"}, false},
		"England":     {order.Address{Address1: "a", Country: "UK", City: "b"}, false},
		"AcrossCodes": {order.Address{Address1: "a", Country: "D ", City: "b"}, false},
		"BadPoint": {
			order.Address{Address1: "a", Country: "NO", City: "b", Latitude: ptr(10.0), Longitude: ptr(180.5)}, false,
		},
		"PointAbroad": {order.Address{Country: "??", Latitude: ptr(10.0), Longitude: ptr(18.5)}, false},
	} {
		e := entry("A")
		e.Pickup.Address = &c.address
		got := setup(t).one(order.Defaults{}, e)
		require.Equal(t, c.ok, got.Kind == order.OrderCreated, name)
	}
}
