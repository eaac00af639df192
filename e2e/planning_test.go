package e2e_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"waybill/api/contract"

	"github.com/stretchr/testify/require"
)

// tomorrow is a day that is planned, whenever the test runs.
func tomorrow() string { return daysAhead(1) }

// begun is the day on which the tests began, by the calendar of their
// organizations. It doesn't change at midnight.
var begun = sync.OnceValues(func() (time.Time, error) {
	oslo, err := time.LoadLocation("Europe/Oslo")
	return time.Now().In(oslo), err
})

// daysAhead is the date so many days after the tests began.
func daysAhead(days int) string {
	now, err := begun()
	if err != nil {
		panic(err)
	}
	return now.AddDate(0, 0, days).Format(time.DateOnly)
}

// weekdayAhead is the first date from so many days after the tests began that is no weekend.
func weekdayAhead(days int) string {
	for ; ; days++ {
		day, err := time.Parse(time.DateOnly, daysAhead(days))
		if err != nil {
			panic(err)
		}
		if day.Weekday() != time.Saturday && day.Weekday() != time.Sunday {
			return daysAhead(days)
		}
	}
}

// toPlan is an order of tomorrow from the terminal in Oslo to a place nearby.
func toPlan(n int, edits ...object) object {
	day := tomorrow()
	place := object{
		"name": fmt.Sprintf("Door %d", n), "earliest": day + "T08:00:00Z", "latest": day + "T14:00:00Z",
		"address": object{"latitude": 59.90 + float64(n%17)*0.004, "longitude": 10.70 + float64(n%13)*0.01},
	}
	return newOrder(fmt.Sprintf("PLAN-%d", n), append([]object{{
		"date": day, "delivery": place,
		"pickup": object{"externalId": "T-OSL", "earliest": day + "T06:00:00Z", "latest": day + "T11:00:00Z"},
	}}, edits...)...)
}

// planned waits until a query about the organization answers true.
func (o *organization) planned(t *testing.T, what, query string, args ...any) {
	t.Helper()
	eventually(t, what, func() bool { return one[bool](t, o.installation, query, append([]any{o.id}, args...)...) })
}

// requirePlan checks the invariants of all plans.
func (o *organization) requirePlan(t *testing.T) {
	t.Helper()
	require.Zero(t, one[int](t, o.installation, `
		select count(*) from orders o left join lateral (
			select count(*) as stops, count(distinct s.driver_id) as drivers, max(s.driver_id) as driver
			from plan_stops s where s.org_id = o.org_id and s.order_id = o.id) p on true
		where o.org_id = $1 and o.status_id = 2 and (p.stops <> 2 or p.drivers <> 1 or p.driver <> o.driver_id)`, o.id),
		"a planned order is in one route, that of its driver")
	// A change of the order in between, of its vehicle type for example, makes the same place news.
	require.Empty(t, list(t, o.installation, `
		select concat_ws(' ', order_id, kind, driver_id, data) from (
			select order_id, driver_id, data, lag(driver_id) over w as driver_before, lag(data) over w as data_before,
				kind, lag(kind) over w as kind_before
			from events where org_id = $1 and order_id is not null and order_status_id is not null and kind <> 'order.eta_changed'
			window w as (partition by order_id order by id)
		) x where kind in ('order.planned', 'order.unplanned')
			and kind = kind_before and driver_id is not distinct from driver_before and data = data_before`, o.id),
		"nothing is told twice")
	require.Zero(t, one[int](t, o.installation, `
		select count(*) from plan_stops s join order_stops w on w.org_id = s.org_id and w.order_id = s.order_id and w.kind = s.kind
		where s.org_id = $1 and not s.starts_at between w.earliest and w.latest`, o.id), "windows are kept")
	require.Zero(t, one[int](t, o.installation, `
		select count(*) from plan_unplanned where org_id = $1 and jsonb_array_length(reasons) = 0`, o.id),
		"what is left over has a reason")
}

// TestAnImportedOrderGetsADriverAndAnETA is what planning is for.
func TestAnImportedOrderGetsADriverAndAnETA(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	var entries []object
	for n := range 30 {
		entries = append(entries, toPlan(n))
	}
	require.Equal(t, map[string]int{"orderCreated": 30}, kinds(o.importOrders(t, orders(entries...))))
	const all = "select count(*) = $2 from orders where org_id = $1 and status_id = 2 and driver_id is not null"
	o.planned(t, "all orders have drivers", all, 30)
	o.requirePlan(t)
	require.Equal(t, 60, one[int](t, o.installation, "select count(*) from plan_stops where org_id = $1 and eta = starts_at", o.id))

	id := one[int64](t, o.installation, "select id from orders where org_id = $1 and number = 'PLAN-3'", o.id)
	got := read[contract.Order](t, o.get(t, fmt.Sprintf("/v1/orders/%d", id)))
	require.NotNil(t, got.DriverID)
	require.EqualValues(t, 2, got.OrderStatusID)

	o.importOrders(t, orders(toPlan(3, object{"vehicleType": object{"name": "Semi-trailer"}})))
	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{"PLAN-4"}})
	o.planned(t, "the cancelled order is off its route", "select count(*) = 0 from plan_stops s join orders o using (org_id) "+
		"where o.org_id = $1 and o.id = s.order_id and o.number = 'PLAN-4'")
	o.planned(t, "the others are planned", all, 29)
	o.requirePlan(t)
}
