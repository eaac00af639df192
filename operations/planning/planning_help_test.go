package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/operations/operationstest"
	"waybill/operations/planning"
)

// explains finds out what would help, and returns for how many orders.
func explains(d *operationstest.Dispatch) planning.ExplainedDay {
	d.T.Helper()
	done, err := d.Planning.ExplainDay(d.T.Context(), caller.Service(d.Org, "plan/test"), planning.PlanningSlice{Area: operationstest.Area})
	require.NoError(d.T, err)
	return done
}

// leftOver is a busy day with an order that only Nora may have, and for which she has no time.
func leftOver(t *testing.T) (*operationstest.Road, *slowRoads) {
	t.Helper()
	r, roads := busyDay(t)
	r.Load("A-7", "D-3", func(e *order.Request) { e.Pickup.Latest = "2026-03-02T08:00:00Z" })
	lock(r.Dispatch, "A-7", "Nora")
	r.Do(`update order_stops set earliest = $2::timestamptz, latest = $2::timestamptz + interval '1 minute'
		where org_id = $1 and kind = 'delivery' and order_id = (select id from orders where org_id = $1 and number = 'A-7')`,
		r.Org, r.Now.Add(10*time.Minute))
	r.Do("update order_stops set earliest = $2 where org_id = $1 and kind = 'pickup' and order_id = (select id from orders where org_id = $1 and number = 'A-7')",
		r.Org, operationstest.PlannedOn.Add(4*time.Hour))
	r.Plan()
	require.Contains(t, r.Reasons("A-7"), "CANNOT_REACH_DELIVERY_IN_TIME")
	return r, roads
}

// TestCounterfactualsSurviveOtherRoutes counts for how many orders it is found out what would help.
func TestCounterfactualsSurviveOtherRoutes(t *testing.T) {
	t.Parallel()
	r, _ := leftOver(t)
	require.Equal(t, 1, explains(r.Dispatch).Explained)
	require.Positive(t, operationstest.One[int](r.Office, "select cardinality(help_drivers) from plan_unplanned where org_id = $1", r.Org))
	require.Zero(t, explains(r.Dispatch).Explained)
	const known = "select counterfactuals is not null from plan_unplanned where org_id = $1"
	r.Load("A-8", "D-3")
	lock(r.Dispatch, "A-8", "Jens")
	commits(r.Dispatch)
	require.Equal(t, "Jens", r.DriverOf("A-8"))
	require.True(t, operationstest.One[bool](r.Office, known, r.Org))
	require.Zero(t, explains(r.Dispatch).Explained, "another route proves nothing of it")

	r.Load("A-9", "D-3", func(e *order.Request) { e.Delivery.Latest = "2026-03-02T20:00:00Z" })
	lock(r.Dispatch, "A-9", "Nora")
	commits(r.Dispatch)
	require.Equal(t, "Nora", r.DriverOf("A-9"))
	require.False(t, operationstest.One[bool](r.Office, known, r.Org), "the route that proved it is another one")
	require.Equal(t, 1, explains(r.Dispatch).Explained)

	r.Do("update plan_unplanned set help_until = $2 where org_id = $1", r.Org, r.Now.Add(-time.Second))
	require.Equal(t, 1, explains(r.Dispatch).Explained, "the driver has passed the place")
}

// TestCounterfactualsSurviveAConcurrentCommit has other plans be committed while it is found out what
// would help.
func TestCounterfactualsSurviveAConcurrentCommit(t *testing.T) {
	t.Parallel()
	r, roads := leftOver(t)
	r.Load("A-8", "D-3")
	lock(r.Dispatch, "A-8", "Jens")
	roads.during(r.Dispatch, func() { commits(r.Dispatch) })
	require.Equal(t, planning.ExplainedDay{Explained: 1}, explains(r.Dispatch))
	require.Equal(t, "Jens", r.DriverOf("A-8"))

	r.Do("update plan_unplanned set counterfactuals = null where org_id = $1", r.Org)
	r.Load("A-9", "D-3", func(e *order.Request) { e.Delivery.Latest = "2026-03-02T20:00:00Z" })
	lock(r.Dispatch, "A-9", "Nora")
	roads.during(r.Dispatch, func() { commits(r.Dispatch) })
	require.Equal(t, planning.ExplainedDay{Left: 1}, explains(r.Dispatch), "her route is another one")
	require.Equal(t, "Nora", r.DriverOf("A-9"))
}

// TestPlanFromScratchIsRequestedDuringACommit: new versions do not refuse it, another fresh start
// does.
func TestPlanFromScratchIsRequestedDuringACommit(t *testing.T) {
	t.Parallel()
	r, _ := busyDay(t)
	version := func() int64 {
		return operationstest.One[int64](r.Office, "select version from plans where org_id = $1", r.Org)
	}
	seen := version()
	r.Load("A-8", "D-3")
	r.Says(driving.Arrive, stopAt(r, 1))
	commits(r.Dispatch)
	require.Greater(t, version(), seen)
	asked, err := r.Planning.StartPlanAfresh(t.Context(), person(r.Dispatch), operationstest.Area, seen)
	require.NoError(t, err)
	require.Equal(t, version(), asked)
	for name, stale := range map[string]int64{"somebody else asked": seen, "no such version": asked + 9} {
		_, err = r.Planning.StartPlanAfresh(t.Context(), person(r.Dispatch), operationstest.Area, stale)
		var refused *fault.Error
		require.ErrorAs(t, err, &refused, name)
		require.Equal(t, fault.Conflict, refused.Kind, name)
	}
	_, err = r.Planning.StartPlanAfresh(t.Context(), person(r.Dispatch), operationstest.Area, asked)
	require.NoError(t, err)
}
