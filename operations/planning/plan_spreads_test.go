package planning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

// spread is that of one driver's route, in the plan as it is.
func spread(d *operationstest.Dispatch, from string) planningops.PlanSpread {
	d.T.Helper()
	return planningops.PlanSpread{
		Area: operationstest.Area, From: driverID(d, from),
		Seen: operationstest.One[int64](d.Office, "select version from plans where org_id = $1", d.Org),
	}
}

// TestARouteIsSpreadInOneMove gives six locked orders, too heavy for one of the other drivers, to both of them; names the
// one that nobody else may have; and takes all of it back with one undo.
func TestARouteIsSpreadInOneMove(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	for n := range 6 {
		d.Load(operationstest.Numbered(n), []string{"D-1", "D-2", "D-3"}[n%3])
		lock(d, operationstest.Numbered(n), "Nora")
	}
	d.Load("A-6", "D-2", func(e *order.Request) {
		e.Products[0].Skills = []order.SkillRequest{{Name: "ADR", Type: order.SkillRequired}}
	})
	d.Load("B-0", "D-1")
	lock(d, "B-0", "Jens")
	d.Rest()
	require.Equal(t, "Nora", d.DriverOf("A-6"))
	was := sequence(d, "Nora")

	s := spread(d, "Nora")
	s.DryRun = true
	rows := d.EveryRow()
	looked, err := d.Planning.SpreadRoute(t.Context(), person(d), s)
	require.NoError(t, err)
	require.False(t, looked.Applied)
	require.Equal(t, rows, d.EveryRow(), "a dry run writes nothing")
	require.Len(t, looked.Moves, 6)
	require.Len(t, looked.Stay, 1)
	require.Equal(t, idOf(d, "A-6"), looked.Stay[0].OrderID)
	require.Equal(t, planning.SkillMissing, looked.Stay[0].Why.Code)
	require.Equal(t, 2, looked.Stay[0].Why.Count, "of both others")

	s.DryRun, s.Reason = false, "Nora is ill."
	done, err := d.Planning.SpreadRoute(t.Context(), person(d), s)
	require.NoError(t, err)
	require.True(t, done.Applied)
	require.Equal(t, looked.Moves, done.Moves, "as the preview said")
	require.Equal(t, looked.Driving, done.Driving)
	for n := range 6 {
		number := operationstest.Numbered(n)
		require.Contains(t, []string{"Jens user:12", "Amir user:12"}, lockOf(d, number), number)
	}
	require.Equal(t, "Jens", d.DriverOf("B-0"), "the others keep what they have")
	require.Equal(t, []string{"A-6 pickup", "A-6 delivery"}, sequence(d, "Nora"))
	d.Holds()
	d.Rest()
	require.Equal(t, []string{"A-6 pickup", "A-6 delivery"}, sequence(d, "Nora"), "planning leaves it there")

	_, err = d.Planning.UndoMoves(t.Context(), person(d), lastMove)
	require.NoError(t, err)
	require.ElementsMatch(t, was, sequence(d, "Nora"))
	require.Equal(t, 6, operationstest.One[int](d.Office, "select count(*) from order_driver_locks where org_id = $1 and driver_id = $2",
		d.Org, driverID(d, "Nora")), "locked as they were")
	d.Holds()
	_, err = d.Planning.UndoMoves(t.Context(), person(d), lastMove)
	require.ErrorContains(t, err, "plan.nothing_to_undo", "it was one step")
}

// TestASpreadIsRefused spreads the route of somebody who has none, and one of which somebody else has moved an order.
func TestASpreadIsRefused(t *testing.T) {
	t.Parallel()
	d, driver := fiveOrders(t)
	s := spread(d, driver)
	other := otherVan(d, "A-0")
	_, err := d.Planning.SpreadRoute(t.Context(), person(d), spread(d, other))
	require.ErrorContains(t, err, "plan.no_route")
	_, err = d.Planning.MoveOrders(t.Context(), colleague(d), moves(d, other, "A-0"))
	require.NoError(t, err)
	s.Orders = []int64{idOf(d, "A-0"), idOf(d, "A-1")}
	_, err = d.Planning.SpreadRoute(t.Context(), person(d), s)
	require.Equal(t, fault.Conflict, fault.KindOf(err))
	require.Equal(t, driver, d.DriverOf("A-1"), "all or nothing")

	s.Overrule = true
	done, err := d.Planning.SpreadRoute(t.Context(), person(d), s)
	require.NoError(t, err)
	require.Len(t, done.Moves, 1)
	require.Equal(t, planning.NotOnRoute, done.Stay[0].Why.Code)
	require.NotEqual(t, driver, d.DriverOf("A-1"))
	require.Equal(t, driver, d.DriverOf("A-2"), "what was not asked for stays")
}
