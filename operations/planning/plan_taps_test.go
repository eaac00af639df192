package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

// driversOf are the drivers of the six orders of a busy day.
func driversOf(r *operationstest.Road) (names []string) {
	r.T.Helper()
	for n := range 6 {
		names = append(names, r.DriverOf(operationstest.Numbered(n)))
	}
	return names
}

// versionOf is the version of the plan.
func versionOf(r *operationstest.Road) int64 {
	r.T.Helper()
	return operationstest.One[int64](r.Office, "select version from plans where org_id = $1", r.Org)
}

// swapOf swaps the routes of two drivers in the plan as it is.
func swapOf(r *operationstest.Road, a, b string) planningops.PlanSwap {
	r.T.Helper()
	return planningops.PlanSwap{
		Area: operationstest.Area, Seen: versionOf(r), Drivers: [2]int64{driverID(r.Dispatch, a), driverID(r.Dispatch, b)},
	}
}

// begins has Nora pick up at her first stop, and returns the number of the order.
func begins(r *operationstest.Road) (number string) {
	r.T.Helper()
	r.Says(driving.PickUp, stopAt(r, 1))
	return operationstest.One[string](r.Office, "select number from orders where org_id = $1 and status_id = 4", r.Org)
}

func TestASwapSucceedsDuringDriverActions(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	s := swapOf(r, "Jens", "Amir")
	roads.during(r.Dispatch, func() { r.Says(driving.Arrive, stopAt(r, 1)) })
	swapped, err := r.Planning.SwapRoutes(t.Context(), person(r.Dispatch), s)
	require.NoError(t, err)
	require.True(t, swapped.Applied)
	require.Zero(t, swapped.Retries, "a tap on another route")
	require.Equal(t, []string{"Nora", "Nora", "Amir", "Amir", "Jens", "Jens"}, driversOf(r))
	r.Plan()
}

func TestASwapLeavesWhatADriverBeginsMeanwhile(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	s := swapOf(r, "Nora", "Jens")
	var begun string
	roads.during(r.Dispatch, func() { begun = begins(r) })
	swapped, err := r.Planning.SwapRoutes(t.Context(), person(r.Dispatch), s)
	require.NoError(t, err)
	require.Equal(t, "Nora", r.DriverOf(begun), "it is on board")
	require.True(t, swapped.Applied)
	require.Equal(t, []string{"Nora", "Nora"}, []string{r.DriverOf("A-2"), r.DriverOf("A-3")})
	r.Plan()
}

func TestAHandoverSucceedsDuringDriverActions(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	h := planningops.PlanHandover{
		Area: operationstest.Area, Seen: versionOf(r),
		Handover: planning.Handover{From: driverID(r.Dispatch, "Jens"), To: driverID(r.Dispatch, "Amir")},
	}
	roads.during(r.Dispatch, func() { begins(r) })
	handed, err := r.Planning.HandOverRoute(t.Context(), person(r.Dispatch), h)
	require.NoError(t, err)
	require.Zero(t, handed.Retries, "a tap on another route")
	require.Equal(t, []string{"Nora", "Nora", "Amir", "Amir", "Amir", "Amir"}, driversOf(r))
	r.Plan()
}

func TestAHoldSucceedsWhileItsDriverGoesOn(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	h := planningops.PlanHold{Area: operationstest.Area, Seen: versionOf(r), DriverID: r.Nora, Closed: true}
	var begun string
	roads.during(r.Dispatch, func() { begun = begins(r) })
	held, err := r.Planning.HoldRoute(t.Context(), person(r.Dispatch), h)
	require.NoError(t, err)
	require.True(t, held.Applied)
	before := sequence(r.Dispatch, "Nora")
	require.Equal(t, begun+" pickup", before[0])
	r.Load("A-8", "D-1")
	r.Plan()
	require.Equal(t, before, sequence(r.Dispatch, "Nora"), "the rest is held as it was")
	require.Contains(t, []string{"Jens", "Amir"}, r.DriverOf("A-8"))
}

func TestAnUndoRespectsWhatADriverBeginsMeanwhile(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	moved, err := r.Planning.MoveOrders(t.Context(), person(r.Dispatch), moves(r.Dispatch, "Nora", "A-3"))
	require.NoError(t, err)
	require.True(t, moved.Applied)
	undo := planningops.PlanUndo{Area: operationstest.Area, Moves: 1}
	pickUp := operationstest.One[int64](r.Office, `select s.id from order_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id
		where s.org_id = $1 and o.number = 'A-3' and s.kind = $2`, r.Org, string(order.Pickup))
	r.Now = r.Now.Add(time.Minute)
	roads.during(r.Dispatch, func() { r.Says(driving.PickUp, pickUp) })
	_, err = r.Planning.UndoMoves(t.Context(), person(r.Dispatch), undo)
	require.ErrorContains(t, err, "plan.begun")
	require.Equal(t, "Nora", r.DriverOf("A-3"))
	r.Plan()
}

func TestAReleaseKeepsWhatADriverHasBegun(t *testing.T) {
	t.Parallel()
	r, _ := busyDay(t)
	begun := begins(r)
	_, err := r.Planning.ReleasePlan(t.Context(), person(r.Dispatch), operationstest.Area)
	require.NoError(t, err)
	r.Load("A-8", "D-3")
	r.Plan()
	require.NotEmpty(t, r.DriverOf("A-8"))
	require.Equal(t, "Nora", r.DriverOf(begun))
	require.Equal(t, 12, operationstest.One[int](r.Office, "select count(*) from plan_released_stops where org_id = $1", r.Org))
}
