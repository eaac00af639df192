package operations_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/version"
	planningops "waybill/operations/planning"
	"waybill/store"
)

// TestADayIsReadAgainAsTheWholeIs changes all that orders of a day ask for, one after the
// other, and reads the day by what was read of it before.
func TestADayIsReadAgainAsTheWholeIs(t *testing.T) {
	t.Parallel()
	r, _ := busyDay(t)
	r.load("A-8", "D-3")
	r.load("A-9", "D-4") // nobody knows where that is
	r.plan()
	id := func(number string) int64 {
		return one[int64](r.office, "select id from orders where org_id = $1 and number = $2", r.org, number)
	}
	jens := one[int64](r.office, "select id from drivers where org_id = $1 and name = 'Jens'", r.org)
	var read *store.PlanningRead
	again := func(what string) planning.Day {
		whole, err := r.store.PlanningDay(t.Context(), r.org, area, r.now)
		require.NoError(t, err)
		var day planning.Day
		day, read, err = r.store.PlanningDaySince(t.Context(), r.org, area, r.now, read)
		require.NoError(t, err)
		require.True(t, reflect.DeepEqual(whole, day), "read as it was before "+what)
		return day
	}
	before := again("at first")
	for _, change := range []struct {
		what string
		make func()
	}{
		{"another window", func() {
			entry := heavyOrder("A-8")
			entry.Pickup, entry.Delivery = &order.LocationRequest{ExternalID: "T"}, &order.LocationRequest{ExternalID: "D-3", Earliest: "2026-03-02T09:00:00Z", Latest: "2026-03-02T14:00:00Z"}
			r.imported(r.org, entry)
		}},
		{"other goods", func() {
			entry := heavyOrder("A-8")
			entry.Pickup, entry.Delivery = &order.LocationRequest{ExternalID: "T"}, &order.LocationRequest{ExternalID: "D-3"}
			weight := 77.0
			entry.Products[0].Weight = &weight
			r.imported(r.org, entry)
		}},
		{"one more order", func() { r.load("A-10", "D-2") }},
		{"a plan", func() { r.plan() }},
		{"a tap", func() { r.says(driving.Arrive, r.stopOf(1)) }},
		{"a pickup", func() { r.says(driving.PickUp, r.stopOf(1)) }},
		{"prohibited drivers", func() {
			_, _, err := r.Planning.ProhibitDrivers(t.Context(), r.person(), id("A-8"), []store.ProhibitedDriver{{DriverID: jens}}, version.Expected{})
			require.NoError(t, err)
		}},
		{"no lock", func() {
			_, err := r.Planning.LockDriver(t.Context(), r.person(), id("A-5"), planningops.DriverLock{}, version.Expected{})
			require.NoError(t, err)
		}},
		{"a lock", func() {
			_, err := r.Planning.LockDriver(t.Context(), r.person(), id("A-5"), planningops.DriverLock{DriverID: jens}, version.Expected{})
			require.NoError(t, err)
		}},
		{"a cancelled order", func() {
			_, err := r.Orders.CancelOrders(t.Context(), r.person(), []string{"A-3"})
			require.NoError(t, err)
		}},
		{"an order that comes back", func() {
			_, err := r.Orders.ReactivateOrder(t.Context(), r.person(), "A-3")
			require.NoError(t, err)
		}},
		{"another time at a location", func() {
			r.do("update locations set estimated_time_on_location = 12 where org_id = $1 and external_id = 'D-2'", r.org)
			r.news("location.updated", "location", "(select id from locations where org_id = $1 and external_id = 'D-2')", "")
		}},
		{"drivers whom a customer refuses", func() {
			r.do("insert into customer_prohibited_drivers (org_id, customer_id, driver_id) select $1, id, $2 from customers where org_id = $1", r.org, jens)
			r.news("customer.updated", "customer", "(select id from customers where org_id = $1 limit 1)", "")
		}},
		{"an address that is found", func() {
			r.do("update locations set latitude = 59.9, longitude = 10.7 where org_id = $1 and external_id = 'D-4'", r.org)
		}},
		{"another shift", func() {
			r.do("update driver_workday_rules set ends = ends + 60 where org_id = $1 and driver_id = $2", r.org, jens)
		}},
		{"an order of another day", func() {
			r.do("update orders set date = date + 1 where org_id = $1 and number = 'A-10'", r.org)
		}},
	} {
		change.make()
		day := again(change.what)
		require.False(t, reflect.DeepEqual(before, day), "nothing changed by "+change.what)
		before = day
		r.sequenced()
		again(change.what + ", once it has a position")
	}
}
