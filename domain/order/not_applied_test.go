package order_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

// notApplied are the fields that a result names, with why.
func notApplied(r order.Result) map[string]order.Code {
	out := map[string]order.Code{}
	for _, n := range r.NotApplied {
		out[n.Field] = n.Code
	}
	return out
}

func TestUpdateReportsPartsLeftUnchanged(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(order.Defaults{}, entry("A"))
	other := with(entry("A"), func(r *order.Request) {
		r.Date, r.Reference, r.RouteNumber = "2026-06-16", "x", "R"
		r.Pickup.Instructions, r.Products[0].Name = "new", "Lamp"
		r.Groups, r.Pricing = []order.Ref{{Name: "Morning"}}, []order.PriceRequest{{Price: "1", Currency: "NOK"}}
	})
	ignoring := order.Defaults{UpdateConfig: order.UpdateSettings{
		Order: order.IgnoreOrder, OrderLocation: order.IgnoreLocation,
		OrderProducts: order.IgnoreProducts, OrderGroups: order.IgnoreGroups,
	}}
	r := w.one(ignoring, other)
	require.Equal(t, order.OrderUpdated, r.Kind)
	require.Equal(t, map[string]order.Code{
		"date": order.IgnoredBySettings, "reference": order.IgnoredBySettings, "routeNumber": order.IgnoredBySettings,
		"pickup": order.IgnoredBySettings, "products": order.IgnoredBySettings, "groups": order.IgnoredBySettings,
		"pricing": order.IgnoredBySettings,
	}, notApplied(r))
	require.Empty(t, w.one(ignoring, entry("A")).NotApplied, "what is so already needs no mention")
	r = w.one(order.Defaults{}, other)
	require.Equal(t, map[string]order.Code{"pricing": order.IgnoredBySettings},
		notApplied(r), "prices are left alone unless asked")
	require.Empty(t,
		w.one(order.Defaults{UpdateConfig: order.UpdateSettings{OrderPricing: order.ReplacePricing}}, other).NotApplied)
}

func TestUpdateReportsPartsHeldByPeopleAndBookings(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(order.Defaults{}, entry("A"))
	w.orders[0].Products[0].Modified, w.orders[0].Booked = true, true
	r := w.one(order.Defaults{}, with(entry("A"), func(r *order.Request) {
		r.Products[0].Weight = ptr(41.0)
		window(r.Delivery, "08:00", "10:00")
	}))
	require.Equal(t,
		map[string]order.Code{"products": order.ModifiedByPerson, "delivery.earliest": order.WindowBooked}, notApplied(r))
	require.InDelta(t, 40.0, *w.orders[0].Products[0].Weight, 0)
	require.Empty(t, w.one(order.Defaults{}, entry("A")).NotApplied)
}

func TestDifferenceFromKnownAddressIsReported(t *testing.T) {
	t.Parallel()
	w := setup(t)
	require.Empty(t, w.one(order.Defaults{}, entry("A")).NotApplied)
	r := w.one(order.Defaults{}, with(entry("B"), func(r *order.Request) { r.Delivery = place("D-1", "Moved 9") }))
	require.Equal(t, order.OrderCreated, r.Kind)
	require.Equal(t,
		map[string]order.Code{"delivery.address": order.LocationKept, "delivery.name": order.LocationKept}, notApplied(r))
	require.Equal(t, "address1", r.NotApplied[1].Text.Args["fields"])
	require.Equal(t, "Moved 9", w.orders[1].Delivery.Address.Address1, "this order goes there")
	require.Equal(t, "Havnegata 2", w.locations[1].Address.Address1)
}

func TestDifferencesFromKnownLocationAreReported(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(order.Defaults{}, entry("A"))
	known := w.locations[1]
	known.Hours, known.HoursAreDefault = &order.Hours{Opens: *clock("08:00"), Closes: *clock("16:00")}, true
	kept := func(say func(*order.LocationRequest)) []string {
		r := w.one(order.Defaults{}, with(entry("A"), func(r *order.Request) {
			r.Delivery.Name, r.Delivery.LocationID = known.Name, known.ID
			say(r.Delivery)
		}))
		var parts []string
		for _, n := range r.NotApplied {
			require.Equal(t, order.LocationKept, n.Code)
			parts = append(parts, n.Field+": "+n.Text.Args["fields"])
		}
		return parts
	}
	hours := func(opens, closes string) func(*order.LocationRequest) {
		return func(r *order.LocationRequest) {
			r.Opens, r.Closes, r.HasOpeningTimes, r.OpeningHoursIsDefault = opens, closes, true, ptr(true)
		}
	}
	require.Empty(t, kept(func(*order.LocationRequest) {}))
	require.Empty(t, kept(hours("08:00", "16:00")))
	require.Equal(t, []string{"delivery.opens: opens, closes"}, kept(hours("08:00", "17:00")))
	require.Equal(t, []string{"delivery.name: name"}, kept(func(r *order.LocationRequest) { r.Name = "Ramp 9" }))
	require.Equal(t, []string{"delivery.address: postalCode, latitude, longitude"}, kept(func(r *order.LocationRequest) {
		a := known.Address
		a.PostalCode, a.Latitude, a.Longitude, a.City = "0999", ptr(59.1), ptr(10.2), strings.ToUpper(a.City)
		r.Address = &a
	}))
}

func TestAStopTakesTheTimeOfItsLocation(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.imported(order.Defaults{}, entry("A"))
	w.locations[1].EstimatedTimeOnLocation = ptr(int32(25))
	w.one(order.Defaults{}, entry("A"))
	require.Equal(t, int32(25), *w.orders[0].Delivery.EstimatedTimeOnLocation)
	w.one(order.Defaults{}, with(entry("A"), func(r *order.Request) {
		r.Delivery.EstimatedTimeOnLocation = ptr(int32(5))
	}))
	require.Equal(t, int32(5), *w.orders[0].Delivery.EstimatedTimeOnLocation, "the order says itself")
}

func TestReversedWindowAndBadAddressAreBothReported(t *testing.T) {
	t.Parallel()
	w := setup(t)
	r := w.one(order.Defaults{}, with(entry("A"), func(r *order.Request) {
		window(r.Delivery, "12:00", "10:00")
		r.Delivery.ExternalID, r.Delivery.Address = "", &order.Address{City: "Oslo"}
	}))
	require.Equal(t, []order.Code{order.InvalidDeliveryAddress, order.InvalidDeliveryTimeWindow}, codes(r))
}
