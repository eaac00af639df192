package operations_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/operations/planning"
)

// explains finds out what would help, and returns for how many orders.
func (d *dispatch) explains() planning.ExplainedDay {
	d.t.Helper()
	done, err := d.Planning.ExplainDay(d.t.Context(), caller.Service(d.org, "plan/test"), planning.PlanningSlice{Area: area})
	require.NoError(d.t, err)
	return done
}

// leftOver is a busy day with an order that only Nora may have, and for which she has no time.
func leftOver(t *testing.T) (*road, *slowRoads) {
	t.Helper()
	r, roads := busyDay(t)
	r.load("A-7", "D-3", func(e *order.Request) { e.Pickup.Latest = "2026-03-02T08:00:00Z" })
	r.lock("A-7", "Nora")
	r.do(`update order_stops set earliest = $2::timestamptz, latest = $2::timestamptz + interval '1 minute'
		where org_id = $1 and kind = 'delivery' and order_id = (select id from orders where org_id = $1 and number = 'A-7')`,
		r.org, r.now.Add(10*time.Minute))
	r.do("update order_stops set earliest = $2 where org_id = $1 and kind = 'pickup' and order_id = (select id from orders where org_id = $1 and number = 'A-7')",
		r.org, plannedOn.Add(4*time.Hour))
	r.plan()
	require.Contains(t, r.reasons("A-7"), "CANNOT_REACH_DELIVERY_IN_TIME")
	return r, roads
}

// TestWhatHelpsOutlivesOtherRoutes counts for how many orders it is found out what would help.
func TestWhatHelpsOutlivesOtherRoutes(t *testing.T) {
	t.Parallel()
	r, _ := leftOver(t)
	require.Equal(t, 1, r.explains().Explained)
	require.Positive(t, one[int](r.office, "select cardinality(help_drivers) from plan_unplanned where org_id = $1", r.org))
	require.Zero(t, r.explains().Explained)
	const known = "select counterfactuals is not null from plan_unplanned where org_id = $1"
	r.load("A-8", "D-3")
	r.lock("A-8", "Jens")
	r.commits()
	require.Equal(t, "Jens", r.driverOf("A-8"))
	require.True(t, one[bool](r.office, known, r.org))
	require.Zero(t, r.explains().Explained, "another route proves nothing of it")

	r.load("A-9", "D-3", func(e *order.Request) { e.Delivery.Latest = "2026-03-02T20:00:00Z" })
	r.lock("A-9", "Nora")
	r.commits()
	require.Equal(t, "Nora", r.driverOf("A-9"))
	require.False(t, one[bool](r.office, known, r.org), "the route that proved it is another one")
	require.Equal(t, 1, r.explains().Explained)

	r.do("update plan_unplanned set help_until = $2 where org_id = $1", r.org, r.now.Add(-time.Second))
	require.Equal(t, 1, r.explains().Explained, "the driver has passed the place")
}

// TestWhatHelpsIsKeptBesideACommit has other plans be committed while it is found out what
// would help.
func TestWhatHelpsIsKeptBesideACommit(t *testing.T) {
	t.Parallel()
	r, roads := leftOver(t)
	r.load("A-8", "D-3")
	r.lock("A-8", "Jens")
	roads.beside(r.dispatch, func() { r.commits() })
	require.Equal(t, planning.ExplainedDay{Explained: 1}, r.explains())
	require.Equal(t, "Jens", r.driverOf("A-8"))

	r.do("update plan_unplanned set counterfactuals = null where org_id = $1", r.org)
	r.load("A-9", "D-3", func(e *order.Request) { e.Delivery.Latest = "2026-03-02T20:00:00Z" })
	r.lock("A-9", "Nora")
	roads.beside(r.dispatch, func() { r.commits() })
	require.Equal(t, planning.ExplainedDay{Left: 1}, r.explains(), "her route is another one")
	require.Equal(t, "Nora", r.driverOf("A-9"))
}

// TestAFreshStartIsAskedForBesideACommit: new versions do not refuse it, another fresh start
// does.
func TestAFreshStartIsAskedForBesideACommit(t *testing.T) {
	t.Parallel()
	r, _ := busyDay(t)
	version := func() int64 { return one[int64](r.office, "select version from plans where org_id = $1", r.org) }
	seen := version()
	r.load("A-8", "D-3")
	r.says(driving.Arrive, r.stopOf(1))
	r.commits()
	require.Greater(t, version(), seen)
	asked, err := r.Planning.StartPlanAfresh(t.Context(), r.person(), area, seen)
	require.NoError(t, err)
	require.Equal(t, version(), asked)
	for name, stale := range map[string]int64{"somebody else asked": seen, "no such version": asked + 9} {
		_, err = r.Planning.StartPlanAfresh(t.Context(), r.person(), area, stale)
		var refused *fault.Error
		require.ErrorAs(t, err, &refused, name)
		require.Equal(t, fault.Conflict, refused.Kind, name)
	}
	_, err = r.Planning.StartPlanAfresh(t.Context(), r.person(), area, asked)
	require.NoError(t, err)
}
