package planning_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/domain/caller"
	"waybill/domain/planning"
	"waybill/operations"
)

// planned makes a day on which Nora and Ola, with a van each, serve two orders in
// the afternoon, and returns the orders.
func (o *office) planned() (first, second int64) {
	o.t.Helper()
	first, second = o.order("A-1"), o.order("A-2")
	o.exec("update locations set latitude = 59.92, longitude = 10.84 where org_id = $1 and external_id = 'L-1'")
	o.exec("update order_stops set earliest = '2026-03-02 11:00Z' where org_id = $1")
	o.exec("update orders set vehicle_type_id = (select vehicle_type_id from vehicles where org_id = $1 and id = "+
		"$2) where org_id = $1", o.van)
	other := o.id(`insert into vehicles (org_id, registration, vehicle_type_id)
		select org_id, 'EB10002', vehicle_type_id from vehicles where org_id = $1 and id = $2 returning id`, o.van)
	o.exec(
		"update drivers set vehicle_id = case id when $2 then $3 else $4::bigint end where org_id = $1", o.nora, o.van,
		other,
	)
	o.exec(`insert into driver_workday_rules (org_id, driver_id, seq, rrule, starts, ends)
		select org_id, id, 1, 'FREQ=DAILY', 420, 1080 from drivers where org_id = $1`)
	planners := operations.New(o.store, o.Clock.Now, operations.Settings{})
	done, err := planners.PlanDay(o.t.Context(), caller.Service(o.org, "plan/test"), operations.PlanningSlice{
		Area: planning.Area{
			DepartmentID: o.oslo, Date: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC),
		}, Length: 50 * time.Millisecond,
	})
	require.NoError(o.t, err)
	require.Equal(o.t, 2, done.Planned)
	return first, second
}

// version is that of the only plan.
func (o *office) version() int64 { return o.id("select version from plans where org_id = $1") }

// driverOf is who has an order.
func (o *office) driverOf(order int64) int64 {
	return o.id("select driver_id from orders where org_id = $1 and id = $2", order)
}

// moves asks for an order to be moved to a driver, by the version that was seen.
func (o *office) moves(version, order, driver int64, more string) string {
	return fmt.Sprintf(`{"version":%d,"departmentId":%d,"moves":[{"orderId":%d,"driverId":%d}]%s}`,
		version, o.oslo, order, driver, more)
}

// TestDispatchersMoveOrders has each kind of caller ask for a move, a dispatcher
// look at what one costs and carry it out, and tell why when it breaks a rule.
func TestDispatchersMoveOrders(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, second := o.planned()
	was, seen := o.driverOf(first), o.version()
	to := o.nora + o.ola - was
	ask := func(who, body string, status int) contract.MovedOrders {
		t.Helper()
		w := o.as(who, http.MethodPost, monday+"/moves", body)
		require.Equal(t, status, w.Code, w.Body.String())
		return decoded[contract.MovedOrders](t, w)
	}
	for _, who := range []string{o.key, o.person(caller.Driver), o.support} {
		ask(who, o.moves(seen, first, to, ""), http.StatusForbidden)
		ask(who, o.moves(seen, first, to, `,"dryRun":true`), http.StatusForbidden)
	}
	require.Equal(t, was, o.driverOf(first))

	looked := ask(o.dispatcher, o.moves(seen, first, to, `,"dryRun":true`), http.StatusOK)
	require.False(t, looked.Applied)
	require.Equal(t, seen, looked.Version)
	require.Equal(t, int32(1), looked.Cost.Drivers, "one had been enough")
	require.Equal(t, seen, o.version(), "nothing was done")

	moved := ask(o.dispatcher, o.moves(seen, first, to, ""), http.StatusOK)
	require.True(t, moved.Applied)
	require.Empty(t, moved.Breaks)
	require.Equal(t, looked.Cost, moved.Cost)
	require.Equal(t, o.version(), moved.Version)
	require.Equal(t, to, o.driverOf(first))
	require.Equal(t, fmt.Sprint(
		to,
	), o.text("select driver_id::text from order_driver_locks where org_id = $1 and order_id = $2", first))

	stale := o.as(o.dispatcher, http.MethodPost, monday+"/moves", o.moves(seen, first, was, ""))
	require.Equal(t, http.StatusConflict, stale.Code, "the plan is another one by now")
	require.Equal(t, "PLAN_STALE", apitest.Refusal(t, stale))

	o.exec("insert into order_prohibited_drivers (org_id, order_id, driver_id) values ($1, $2, $3)", second, to)
	broken := o.as(o.dispatcher, http.MethodPost, monday+"/moves", o.moves(moved.Version, second, to, ""))
	require.Equal(t, http.StatusConflict, broken.Code)
	require.Equal(t, "PLAN_BREAKS", apitest.Refusal(t, broken))
	require.Equal(t, was, o.driverOf(second))
	accepted := ask(o.dispatcher, o.moves(moved.Version, second, to, `,"reason":"They have made up."`), http.StatusOK)
	require.True(t, accepted.Applied)
	require.Equal(t, "PROHIBITED_DRIVER", accepted.Breaks[0].Code)
	require.NotEmpty(t, accepted.Breaks[0].Text)
	require.Equal(t, to, o.driverOf(second))
	require.Equal(
		t, "They have made up.", o.text("select reason from order_driver_locks where org_id = $1 and order_id = $2", second),
	)
}
