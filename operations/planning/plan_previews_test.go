package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/domain/planning"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

func TestAPreviewIsWhatIsAccepted(t *testing.T) {
	t.Parallel()
	d, driver := fiveOrders(t)
	other := otherVan(d, "A-0")
	_, err := d.Planning.MoveOrders(t.Context(), person(d), moves(d, other, "A-0", "A-2"))
	require.NoError(t, err)
	d.Do("delete from order_driver_locks where org_id = $1", d.Org)
	rows := d.EveryRow()
	p := planningops.PlanPreview{Area: operationstest.Area, Length: time.Second, FromScratch: true}
	scenario := p
	scenario.Scenario = planning.Scenario{Off: []int64{driverID(d, driver), driverID(d, other)}}
	tried, err := d.Planning.PreviewPlan(t.Context(), person(d), scenario)
	require.NoError(t, err)
	require.Zero(t, tried.ID)
	require.Equal(t, rows, d.EveryRow(), "a scenario leaves nothing behind")
	require.Equal(t, 1, tried.After.Drivers, "Amir has them all")
	require.Zero(t, tried.After.Unplanned)

	found, err := d.Planning.PreviewPlan(t.Context(), person(d), p)
	require.NoError(t, err)
	require.Equal(t, 2, found.Before.Drivers)
	require.Equal(t, 1, found.After.Drivers)
	require.Equal(t, found.Before.Orders, found.After.Orders)
	accepted, err := d.Planning.AcceptPreview(t.Context(), person(d), operationstest.Area, found.ID)
	require.NoError(t, err)
	require.True(t, accepted.Applied)
	require.Equal(t, found.After.Meters-found.Before.Meters, accepted.Meters)
	require.Equal(t, found.After.Meters, operationstest.One[int64](d.Office, "select sum(meters) from plan_routes where org_id = $1", d.Org))
	d.Holds()
	require.Contains(t, operationstest.One[[]string](d.Office, `select array_agg(concat_ws(' ', kind, actor) order by id) from events
		where org_id = $1 and kind = 'order.planned'`, d.Org), "order.planned user:12")
	_, err = d.Planning.AcceptPreview(t.Context(), person(d), operationstest.Area, found.ID)
	require.Equal(t, fault.NotFound, fault.KindOf(err), "once")

	_, err = d.Planning.MoveOrders(t.Context(), person(d), moves(d, "Amir", "A-3"))
	require.NoError(t, err)
	d.Do("delete from order_driver_locks where org_id = $1", d.Org)
	found, err = d.Planning.PreviewPlan(t.Context(), person(d), p)
	require.NoError(t, err)
	require.NotEmpty(t, found.Changed)
	_, err = d.Planning.MoveOrders(t.Context(), person(d), moves(d, driverNow(d, found.Changed[0].DriverID), "A-3", "A-1"))
	require.NoError(t, err)
	seen := operationstest.One[int64](d.Office, "select version from plans where org_id = $1", d.Org)
	_, err = d.Planning.AcceptPreview(t.Context(), person(d), operationstest.Area, found.ID)
	require.ErrorContains(t, err, "plan.stale", "the route is another one by now")
	require.Equal(t, seen, operationstest.One[int64](d.Office, "select version from plans where org_id = $1", d.Org))
}

// driverNow is the name of a driver.
func driverNow(d *operationstest.Dispatch, id int64) string {
	d.T.Helper()
	return operationstest.One[string](d.Office, "select name from drivers where org_id = $1 and id = $2", d.Org, id)
}
