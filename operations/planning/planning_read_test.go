package planning_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/version"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
	"waybill/store"
)

// TestCachedReadingOfADayEqualsFullReading changes all that orders of a day ask for, one after the
// other, and reads the day by what was read of it before.
func TestCachedReadingOfADayEqualsFullReading(t *testing.T) {
	t.Parallel()
	r, _ := busyDay(t)
	r.Load("A-8", "D-3")
	r.Load("A-9", "D-4") // nobody knows where that is
	r.Plan()
	id := func(number string) int64 {
		return operationstest.One[int64](r.Office, "select id from orders where org_id = $1 and number = $2", r.Org, number)
	}
	jens := operationstest.One[int64](r.Office, "select id from drivers where org_id = $1 and name = 'Jens'", r.Org)
	var read *store.PlanningRead
	again := func(what string) planning.Day {
		whole, err := r.Store.PlanningDay(t.Context(), r.Org, operationstest.Area, r.Now)
		require.NoError(t, err)
		var day planning.Day
		day, read, err = r.Store.PlanningDaySince(t.Context(), r.Org, operationstest.Area, r.Now, read)
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
			entry := operationstest.HeavyOrder("A-8")
			entry.Pickup, entry.Delivery = &order.LocationRequest{ExternalID: "T"}, &order.LocationRequest{ExternalID: "D-3", Earliest: "2026-03-02T09:00:00Z", Latest: "2026-03-02T14:00:00Z"}
			r.Imported(r.Org, entry)
		}},
		{"other goods", func() {
			entry := operationstest.HeavyOrder("A-8")
			entry.Pickup, entry.Delivery = &order.LocationRequest{ExternalID: "T"}, &order.LocationRequest{ExternalID: "D-3"}
			weight := 77.0
			entry.Products[0].Weight = &weight
			r.Imported(r.Org, entry)
		}},
		{"one more order", func() { r.Load("A-10", "D-2") }},
		{"a plan", func() { r.Plan() }},
		{"a tap", func() { r.Says(driving.Arrive, stopAt(r, 1)) }},
		{"a pickup", func() { r.Says(driving.PickUp, stopAt(r, 1)) }},
		{"prohibited drivers", func() {
			_, _, err := r.Planning.ProhibitDrivers(t.Context(), person(r.Dispatch), id("A-8"), []store.ProhibitedDriver{{DriverID: jens}}, version.Expected{})
			require.NoError(t, err)
		}},
		{"no lock", func() {
			_, err := r.Planning.LockDriver(t.Context(), person(r.Dispatch), id("A-5"), planningops.DriverLock{}, version.Expected{})
			require.NoError(t, err)
		}},
		{"a lock", func() {
			_, err := r.Planning.LockDriver(t.Context(), person(r.Dispatch), id("A-5"), planningops.DriverLock{DriverID: jens}, version.Expected{})
			require.NoError(t, err)
		}},
		{"a cancelled order", func() {
			_, err := r.Orders.CancelOrders(t.Context(), person(r.Dispatch), []string{"A-3"})
			require.NoError(t, err)
		}},
		{"an order that comes back", func() {
			_, err := r.Orders.ReactivateOrder(t.Context(), person(r.Dispatch), "A-3")
			require.NoError(t, err)
		}},
		{"another time at a location", func() {
			r.Do("update locations set estimated_time_on_location = 12 where org_id = $1 and external_id = 'D-2'", r.Org)
			news(r.Dispatch, "location.updated", "location", "(select id from locations where org_id = $1 and external_id = 'D-2')", "")
		}},
		{"drivers whom a customer refuses", func() {
			r.Do("insert into customer_prohibited_drivers (org_id, customer_id, driver_id) select $1, id, $2 from customers where org_id = $1", r.Org, jens)
			news(r.Dispatch, "customer.updated", "customer", "(select id from customers where org_id = $1 limit 1)", "")
		}},
		{"an address that is found", func() {
			r.Do("update locations set latitude = 59.9, longitude = 10.7 where org_id = $1 and external_id = 'D-4'", r.Org)
		}},
		{"another shift", func() {
			r.Do("update driver_workday_rules set ends = ends + 60 where org_id = $1 and driver_id = $2", r.Org, jens)
		}},
		{"an order of another day", func() {
			r.Do("update orders set date = date + 1 where org_id = $1 and number = 'A-10'", r.Org)
		}},
	} {
		change.make()
		day := again(change.what)
		require.False(t, reflect.DeepEqual(before, day), "nothing changed by "+change.what)
		before = day
		r.Sequenced()
		again(change.what + ", once it has a position")
	}
}
