package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/planning"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

// TestLargeDayIsPlannedInDistricts plans more orders than one search takes in. Each order has one driver, one more order
// changes one district, people move orders across the borders, and a search for something better keeps all.
func TestLargeDayIsPlannedInDistricts(t *testing.T) {
	t.Parallel()
	const orders, drivers = planning.LargeDay + 40, 80
	d := operationstest.NewDispatch(t)
	hire(d, "M", drivers)
	entry := ordersAround()
	importMany(d, entry, orders)
	done := commits(d)
	require.Equal(t, orders, done.Planned, done.Why)
	require.Equal(t, orders, done.Fresh)
	served := func() int {
		return operationstest.One[int](d.Office, `select count(distinct p.order_id) from plan_stops p join orders o on o.org_id = p.org_id
			and o.id = p.order_id and o.driver_id = p.driver_id where p.org_id = $1`, d.Org)
	}
	require.Equal(t, orders, served())
	require.Equal(t, 2*orders, operationstest.One[int](d.Office, "select count(*) from plan_stops where org_id = $1", d.Org))
	d.Holds()

	for commits(d).Iterations > 0 { // a district is searched until nothing changes in it
		continue
	}
	version := operationstest.One[int64](d.Office, "select version from plans where org_id = $1", d.Org)
	d.Imported(d.Org, entry("ONE-MORE"))
	done = commits(d)
	require.Equal(t, 1, done.Fresh)
	require.Equal(t, orders+1, done.Planned)
	resequenced := operationstest.One[int](d.Office, "select count(distinct driver_id) from plan_stops where org_id = $1 and version > $2", d.Org, version)
	require.Less(t, resequenced, drivers/2, "the other districts stay as they are")

	from := d.DriverOf("A-0")
	const to = "S-1"
	hire(d, "S", 1) // every other driver may have a route by now
	moved, err := d.Planning.MoveOrders(t.Context(), person(d), moves(d, to, "A-0"))
	require.NoError(t, err)
	require.True(t, moved.Applied)
	require.Equal(t, to, d.DriverOf("A-0"))
	require.Equal(t, orders+1, served())
	d.Holds()
	undone, err := d.Planning.UndoMoves(t.Context(), person(d), planningops.PlanUndo{Area: operationstest.Area, Moves: 1})
	require.NoError(t, err)
	require.True(t, undone.Applied)
	require.Equal(t, from, d.DriverOf("A-0"))

	id := operationstest.One[int64](d.Office, "select id from orders where org_id = $1 and number = 'A-0'", d.Org)
	ranked, err := d.Planning.RankDrivers(t.Context(), person(d), operationstest.Area, id)
	require.NoError(t, err)
	require.Greater(t, len(ranked.Drivers), drivers/4)

	_, err = d.Planning.PreviewPlan(t.Context(), person(d), planningops.PlanPreview{Area: operationstest.Area})
	require.ErrorContains(t, err, "plan.too_large")

	better, err := d.Planning.PlanDay(t.Context(), caller.Service(d.Org, "plan/test"),
		planningops.PlanningSlice{Area: operationstest.Area, Length: time.Second})
	require.NoError(t, err)
	require.Equal(t, orders+1, better.Planned)
	require.Equal(t, orders+1, served())
	d.Holds()
}
