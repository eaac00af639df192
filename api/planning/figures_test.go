package planning_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

// TestADayIsMeasuredAgainstItsPlan has a day of three orders, of which one is done, one is late and one has no driver.
func TestADayIsMeasuredAgainstItsPlan(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	plan, done, late, left := o.plan(), o.order("F-1"), o.order("F-2"), o.order("F-3")
	o.route(plan, o.nora, done, late)
	o.leftOver(plan, left, "UNPLANNED", "[]", "")
	o.exec("update orders set status_id = 6 where org_id = $1 and id = $2", done)
	o.exec(`insert into order_progress (org_id, order_id, pickup_status, pickup_arrived_at, delivery_status,
			delivery_arrived_at)
		values ($1, $2, 'completed', '2026-03-02 07:20Z', 'completed', '2026-03-02 15:01Z')`, done)
	o.exec(`update order_stops set latest = '2026-03-02 08:00Z'
		where org_id = $1 and order_id = $2 and kind = 'delivery'`, late)
	o.exec(`insert into driven_legs (org_id, driver_id, day, from_at, until_at, positions, ways, meters, matched)
		values ($1, $2, '2026-03-02', '2026-03-02 06:40Z', '2026-03-02 07:20Z', 9, '[]', 7123, true)`, o.nora)
	o.exec(`insert into driver_days (org_id, driver_id, day, started_at, ended_at)
		values ($1, $2, '2026-03-02', '2026-03-02 06:30Z', '2026-03-02 15:30Z')`, o.nora)
	o.Clock.Forward(40 * time.Minute)

	figures := func(path string) (out contract.FiguresOfDay) {
		w := o.Send(http.MethodGet, monday+path, "", "Authorization", o.dispatcher)
		require.Equal(t, http.StatusOK, w.Code, w.Body.String())
		return decoded[contract.FiguresOfDay](t, w)
	}
	f := figures("/figures")
	orders := f.Orders
	require.EqualValues(t, []int64{3, 1, 0, 1, 1},
		[]int64{orders.Total, orders.Done, orders.Failed, orders.DueByPlan, orders.Unplanned})
	require.EqualValues(t, []int64{2, 1, 2, 1}, []int64{f.Stops.Served, f.Stops.OnTime, f.Stops.Late, f.Stops.LateByPlan})
	require.EqualValues(t, []int64{7123, 21000, 42000}, []int64{f.Meters.Driven, f.Meters.DueByPlan, f.Meters.Planned})
	require.EqualValues(t, []int64{9 * 3600, 6000, 27000},
		[]int64{f.Seconds.Worked, f.Seconds.DueByPlan, f.Seconds.Planned})

	// A released plan stays the measure when the plan changes.
	o.exec(`insert into plan_released_stops
		select org_id, plan_id, order_id, kind, driver_id, seq, arrives_at, starts_at, leaves_at
		from plan_stops where org_id = $1`)
	o.exec(`update plan_stops
		set starts_at = starts_at + interval '9 hours', leaves_at = leaves_at + interval '9 hours' where org_id = $1`)
	require.Equal(t, orders, figures("/figures").Orders)
	require.Equal(t, f.Stops.LateByPlan, figures("/figures").Stops.LateByPlan)

	require.Zero(t, figures("/figures?departmentId=0").Orders.Total, "no plan is without a department")
	require.Equal(t, http.StatusForbidden, o.get(monday+"/figures").Code, "a key")
	elsewhere := o.Send(http.MethodGet, "/v2/plans/2026-03-03/figures", "", "Authorization", o.dispatcher)
	require.Zero(t, decoded[contract.FiguresOfDay](t, elsewhere).Orders.Total)
}
