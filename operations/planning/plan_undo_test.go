package planning_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/planning"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

// colleague is another person.
func colleague(d *operationstest.Dispatch) caller.Caller {
	c := person(d)
	c.ID, c.Cause = 13, "request-2"
	return c
}

// lockOf is how an order is locked, such as "Nora user:12", "" for not at all.
func lockOf(d *operationstest.Dispatch, number string) string {
	d.T.Helper()
	return operationstest.One[string](d.Office, `select coalesce((select r.name || ' ' || l.locked_by from order_driver_locks l
		join drivers r on r.org_id = l.org_id and r.id = l.driver_id where l.org_id = o.org_id and l.order_id = o.id), '')
		from orders o where o.org_id = $1 and o.number = $2`, d.Org, number)
}

var lastMove = planningops.PlanUndo{Area: operationstest.Area, Moves: 1}

func TestAnUndoRestoresWhatWas(t *testing.T) {
	t.Parallel()
	d, driver := fiveOrders(t)
	was := sequence(d, driver)
	other := otherVan(d, "A-0")
	_, err := d.Planning.UndoMoves(t.Context(), person(d), lastMove)
	require.ErrorContains(t, err, "plan.nothing_to_undo")
	_, err = d.Planning.MoveOrders(t.Context(), person(d), moves(d, other, "A-1", "A-3"))
	require.NoError(t, err)
	_, err = d.Planning.MoveOrders(t.Context(), person(d), moves(d, "Amir", "A-3"))
	require.NoError(t, err)

	look := planningops.PlanUndo{Area: operationstest.Area, Moves: 2, DryRun: true}
	rows := d.EveryRow()
	looked, err := d.Planning.UndoMoves(t.Context(), person(d), look)
	require.NoError(t, err)
	require.False(t, looked.Applied)
	require.Equal(t, rows, d.EveryRow(), "a dry run writes nothing")
	_, err = d.Planning.UndoMoves(t.Context(), colleague(d), lastMove)
	require.ErrorContains(t, err, "plan.nothing_to_undo", "nobody undoes what somebody else did")

	undone, err := d.Planning.UndoMoves(t.Context(), person(d), lastMove)
	require.NoError(t, err)
	require.True(t, undone.Applied)
	require.Equal(t, 1, undone.Moves)
	require.Equal(t, other, d.DriverOf("A-3"))
	require.Equal(t, other+" user:12", lockOf(d, "A-3"), "as before the second move")
	undone, err = d.Planning.UndoMoves(t.Context(), person(d), lastMove)
	require.NoError(t, err)
	require.Equal(t, []planning.Move{
		{OrderID: idOf(d, "A-1"), DriverID: driverID(d, driver)}, {OrderID: idOf(d, "A-3"), DriverID: driverID(d, driver)},
	}, undone.Orders)
	require.Equal(t, was, sequence(d, driver), "at the former places")
	require.Empty(t, lockOf(d, "A-1")+lockOf(d, "A-3"))
	d.Holds()
	require.Contains(t, operationstest.One[[]string](d.Office, `select array_agg(concat_ws(' ', kind, actor) order by id) from events
		where org_id = $1 and external_id = 'A-1'`, d.Org), "order.unlocked user:12")
	_, err = d.Planning.UndoMoves(t.Context(), person(d), lastMove)
	require.ErrorContains(t, err, "plan.nothing_to_undo")
}

func TestAnUndoRespectsColleagues(t *testing.T) {
	t.Parallel()
	d, driver := fiveOrders(t)
	other := otherVan(d, "A-0")
	_, err := d.Planning.MoveOrders(t.Context(), person(d), moves(d, other, "A-0", "A-1"))
	require.NoError(t, err)
	d.Do(`insert into users (org_id, id, email, name, source) values ($1, 13, 'kari@example.no', 'Kari Berg', 'api')`, d.Org)
	_, err = d.Planning.MoveOrders(t.Context(), colleague(d), moves(d, "Amir", "A-0"))
	require.NoError(t, err)
	_, err = d.Planning.UndoMoves(t.Context(), person(d), lastMove)
	require.Equal(t, fault.Conflict, fault.KindOf(err))
	var refused *fault.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "plan.order_moved", refused.Text.ID)
	require.Equal(t, "Kari Berg", refused.Text.Args["who"])
	require.Equal(t, "Amir", refused.Text.Args["driver"])
	require.Equal(t, other, d.DriverOf("A-1"), "all or nothing")

	_, err = d.Planning.UndoMoves(t.Context(), colleague(d), lastMove)
	require.NoError(t, err)
	require.Equal(t, other+" user:12", lockOf(d, "A-0"))

	// Of several at once, one undoes the move.
	var all sync.WaitGroup
	var applied atomic.Int32
	for range 4 {
		all.Go(func() {
			undone, err := d.Planning.UndoMoves(t.Context(), person(d), lastMove)
			acceptable(t, err)
			if err == nil && undone.Applied {
				applied.Add(1)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 1, applied.Load())
	require.Equal(t, driver, d.DriverOf("A-0"))
	require.Equal(t, driver, d.DriverOf("A-1"))
}

func TestHandoversAndSwapsCanBeUndone(t *testing.T) {
	t.Parallel()
	d, driver := fiveOrders(t)
	was, other := sequence(d, driver), otherVan(d, "A-0")
	handed, err := d.Planning.HandOverRoute(t.Context(), person(d), handover(d, driver, other))
	require.NoError(t, err)
	require.True(t, handed.Applied)
	require.Len(t, handed.Changed, 2)
	_, err = d.Planning.UndoMoves(t.Context(), person(d), lastMove)
	require.NoError(t, err)
	require.Equal(t, was, sequence(d, driver))
	require.Empty(t, sequence(d, other))

	swap := planningops.PlanSwap{Area: operationstest.Area, Seen: handed.Version, Drivers: [2]int64{driverID(d, driver), driverID(d, other)}}
	swap.Seen = operationstest.One[int64](d.Office, "select version from plans where org_id = $1", d.Org)
	swapped, err := d.Planning.SwapRoutes(t.Context(), person(d), swap)
	require.NoError(t, err)
	require.True(t, swapped.Applied)
	require.Equal(t, was, sequence(d, other), "in the same sequence")
	require.Empty(t, sequence(d, driver))
	_, err = d.Planning.UndoMoves(t.Context(), person(d), lastMove)
	require.NoError(t, err)
	require.Equal(t, was, sequence(d, driver))
}

func TestRoutesAreSwappedAndSplit(t *testing.T) {
	t.Parallel()
	d, driver := fiveOrders(t)
	other := otherVan(d, "A-0")
	_, err := d.Planning.MoveOrders(t.Context(), person(d), moves(d, other, "A-1", "A-4"))
	require.NoError(t, err)
	one, two := sequence(d, driver), sequence(d, other)
	swap := planningops.PlanSwap{Area: operationstest.Area, Drivers: [2]int64{driverID(d, driver), driverID(d, other)}, DryRun: true}
	swap.Seen = operationstest.One[int64](d.Office, "select version from plans where org_id = $1", d.Org)
	rows := d.EveryRow()
	looked, err := d.Planning.SwapRoutes(t.Context(), person(d), swap)
	require.NoError(t, err)
	require.Equal(t, rows, d.EveryRow(), "a dry run writes nothing")
	swap.DryRun = false
	swapped, err := d.Planning.SwapRoutes(t.Context(), person(d), swap)
	require.NoError(t, err)
	require.True(t, swapped.Applied)
	require.Equal(t, looked.Meters, swapped.Meters)
	require.Equal(t, one, sequence(d, other))
	require.Equal(t, two, sequence(d, driver))
	d.Plan()
	require.Equal(t, one, sequence(d, other), "planning leaves it there")

	// A truck's load does not fit into a van: it is named, and nothing is swapped.
	d.Do("update order_products set weight = 1500 where org_id = $1 and order_id = (select id from orders where org_id = $1 and number = 'A-1')", d.Org)
	d.Plan()
	_, err = d.Planning.MoveOrders(t.Context(), person(d), func() planningops.PlanMoves {
		m := moves(d, "Amir", "A-1")
		m.Reason = "It is heavy."
		return m
	}())
	require.NoError(t, err)
	swap = planningops.PlanSwap{Area: operationstest.Area, Drivers: [2]int64{driverID(d, "Amir"), driverID(d, other)}}
	swap.Seen = operationstest.One[int64](d.Office, "select version from plans where org_id = $1", d.Org)
	swapped, err = d.Planning.SwapRoutes(t.Context(), person(d), swap)
	require.NoError(t, err)
	require.False(t, swapped.Applied)
	require.Len(t, swapped.Stay, 1)
	require.Equal(t, planning.TooHeavy, swapped.Stay[0].Why.Code)
	require.Equal(t, one, sequence(d, other))
}

func TestMovesAreMadeAsFarAsPossible(t *testing.T) {
	t.Parallel()
	d, _ := fiveOrders(t)
	d.Do("update order_products set weight = 1500 where org_id = $1 and order_id = (select id from orders where org_id = $1 and number = 'A-3')", d.Org)
	d.Plan()
	driver, other := d.DriverOf("A-0"), otherVan(d, "A-0")
	m := moves(d, other, "A-0", "A-3", "A-4")
	m.Reason = "All the same."
	_, err := d.Planning.MoveOrders(t.Context(), person(d), m)
	var refused *fault.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "moves[1].orderId", refused.Violations[0].Field)
	require.Len(t, refused.Violations, 1)
	require.Equal(t, driver, d.DriverOf("A-0"), "all or nothing")
	m.Partly = true
	moved, err := d.Planning.MoveOrders(t.Context(), person(d), m)
	require.NoError(t, err)
	require.True(t, moved.Applied)
	require.Len(t, moved.Refused, 1)
	require.Equal(t, "A-3", moved.Refused[0].Number)
	require.Equal(t, other, d.DriverOf("A-0"))
	require.Equal(t, other, d.DriverOf("A-4"))
	require.NotEmpty(t, moved.Changed)

	// A move by an older version is refused, unless it overrules the other one.
	m.Moves = []planning.Move{{OrderID: idOf(d, "A-0"), DriverID: driverID(d, "Amir")}}
	_, err = d.Planning.MoveOrders(t.Context(), colleague(d), m)
	require.Equal(t, fault.Conflict, fault.KindOf(err))
	m.Overrule = true
	_, err = d.Planning.MoveOrders(t.Context(), colleague(d), m)
	require.NoError(t, err)
	require.Equal(t, "Amir", d.DriverOf("A-0"))
}
