package order_test

import (
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

func TestAnUpdateNamesWhatItLeftAlone(t *testing.T) {
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

func TestAnUpdateNamesWhatPeopleAndBookingsHold(t *testing.T) {
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

func TestAnAddressThatDiffersFromTheKnownPlaceIsNamed(t *testing.T) {
	t.Parallel()
	w := setup(t)
	require.Empty(t, w.one(order.Defaults{}, entry("A")).NotApplied)
	r := w.one(order.Defaults{}, with(entry("B"), func(r *order.Request) { r.Delivery = place("D-1", "Moved 9") }))
	require.Equal(t, order.OrderCreated, r.Kind)
	require.Equal(t, map[string]order.Code{"delivery.address": order.LocationKept}, notApplied(r))
	require.Equal(t, "Moved 9", w.orders[1].Delivery.Address.Address1, "this order goes there")
	require.Equal(t, "Havnegata 2", w.locations[1].Address.Address1)
}

func TestAReversedWindowIsReportedBesideABadAddress(t *testing.T) {
	t.Parallel()
	w := setup(t)
	r := w.one(order.Defaults{}, with(entry("A"), func(r *order.Request) {
		window(r.Delivery, "12:00", "10:00")
		r.Delivery.ExternalID, r.Delivery.Address = "", &order.Address{City: "Oslo"}
	}))
	require.Equal(t, []order.Code{order.InvalidDeliveryAddress, order.InvalidDeliveryTimeWindow}, codes(r))
}
