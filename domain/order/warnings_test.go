package order_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
)

// meetAt fixes the window of a stop.
func meetAt(l *order.LocationRequest, earliest, latest string) {
	l.Earliest, l.Latest = earliest, latest
}

// warnings are those of a result, by field.
func warnings(r order.Result) map[string]order.Code {
	all := map[string]order.Code{}
	for _, n := range r.NotApplied {
		if n.Code.Warns() {
			all[n.Field] = n.Code
		}
	}
	return all
}

// TestProbableMistakesAreAcceptedWithWarnings with a warning, when the order is new and
// when it is imported again.
func TestProbableMistakesAreAcceptedWithWarnings(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*order.Request)
		want   map[string]order.Code
	}{
		"Nothing": {func(*order.Request) {}, map[string]order.Code{}},
		"TheDeliveryIsOverBeforeThePickup": {func(r *order.Request) {
			meetAt(r.Pickup, "2026-06-15T10:00:00Z", "2026-06-15T12:00:00Z")
			meetAt(r.Delivery, "2026-06-15T06:00:00Z", "2026-06-15T09:00:00Z")
		}, map[string]order.Code{"delivery.latest": order.DeliveryBeforePickup}},
		"TheWindowsOverlap": {func(r *order.Request) {
			meetAt(r.Pickup, "2026-06-15T10:00:00Z", "2026-06-15T12:00:00Z")
			meetAt(r.Delivery, "2026-06-15T06:00:00Z", "2026-06-15T11:00:00Z")
		}, map[string]order.Code{}},
		"TheWindowIsOfAnotherYear": {func(r *order.Request) {
			meetAt(r.Delivery, "2027-06-15T10:00:00Z", "2027-06-15T12:00:00Z")
		}, map[string]order.Code{"delivery.earliest": order.WindowFarFromDate}},
		"TheGoodsAreUnderWayForAWeek": {func(r *order.Request) {
			meetAt(r.Delivery, "2026-06-22T10:00:00Z", "2026-06-22T12:00:00Z")
		}, map[string]order.Code{}},
		"AProductIsNothing": {func(r *order.Request) {
			r.Products = append(r.Products, order.ProductRequest{}, order.ProductRequest{BarcodeID: "1"})
		}, map[string]order.Code{"products[1].name": order.ProductUnnamed}},
		"ContactsCannotBeReached": {func(r *order.Request) {
			r.Delivery.Contacts = []order.Contact{
				{EmailAddress: "x", PhoneNumber: "abc"},
				{EmailAddress: "Kari <kari@example.com>", PhoneNumber: "+"},
				{EmailAddress: "kari@example.com", PhoneNumber: "+47 (22) 12-34.56"},
				{FirstName: "Kari"},
				{EmailAddress: "kari@[127.0.0.1]"},
				{EmailAddress: `"kari.n"@example.com`},
			}
		}, map[string]order.Code{
			"delivery.contacts[0].emailAddress": order.ContactUnreachable,
			"delivery.contacts[0].phoneNumber":  order.ContactUnreachable,
			"delivery.contacts[1].emailAddress": order.ContactUnreachable,
			"delivery.contacts[1].phoneNumber":  order.ContactUnreachable,
			"delivery.contacts[4].emailAddress": order.ContactUnreachable,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			e := entry("A")
			tc.change(&e)
			for _, kind := range []order.Kind{order.OrderCreated, order.OrderUpdated} {
				r := w.one(order.Defaults{}, e)
				require.Equal(t, kind, r.Kind, fmt.Sprint(r.Reasons))
				require.Equal(t, tc.want, warnings(r))
			}
		})
	}
}

// TestWarningsAreNotMany where one mistake was made thousands of times.
func TestWarningsAreNotMany(t *testing.T) {
	t.Parallel()
	e := entry("A")
	e.Products = make([]order.ProductRequest, 1000)
	require.Len(t, warnings(setup(t).one(order.Defaults{}, e)), 20)
}

// TestTheCaseOfACountryDoesNotMatter and it is kept in capitals.
func TestTheCaseOfACountryDoesNotMatter(t *testing.T) {
	t.Parallel()
	w := setup(t)
	e := entry("A")
	e.Delivery.Address.Country = "no"
	require.Equal(t, order.OrderCreated, w.one(order.Defaults{}, e).Kind)
	require.Equal(t, "NO", w.orders[0].Delivery.Address.Country)
	for _, l := range w.locations {
		require.Equal(t, "NO", l.Address.Country)
	}
	require.Equal(t, "no", e.Delivery.Address.Country, "the entry stays as it was sent")
}
