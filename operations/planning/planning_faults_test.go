package planning_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/version"
	"waybill/operations/operationstest"
	"waybill/operations/planning"
)

// underWay is a day of twelve orders on which drivers are under way, and more
// comes in.
func underWay(t *testing.T) *operationstest.Dispatch {
	t.Helper()
	d := operationstest.NewDispatch(t)
	for n := range 12 {
		d.Load(operationstest.Numbered(n), []string{"D-1", "D-2", "D-3"}[n%3], func(e *order.Request) {
			e.Pickup.Earliest, e.Pickup.Latest = "2026-03-02T07:00:00Z", "2026-03-02T08:00:00Z"
			if n >= 6 {
				e.Pickup.Earliest, e.Pickup.Latest = "2026-03-02T10:30:00Z", "2026-03-02T12:00:00Z"
			}
		})
	}
	d.Plan()
	d.Now = operationstest.PlannedOn.Add(8*time.Hour + 30*time.Minute)
	d.Plan()
	require.NotEmpty(t, started(d))
	require.Positive(t, operationstest.One[int](d.Office, "select count(*) from plan_stops where org_id = $1 and starts_at > $2",
		d.Org, d.Now.Add(time.Hour)), "not everything has begun")
	return d
}

// started are the stops that have begun or begin within half an hour: where they
// are and when.
func started(d *operationstest.Dispatch) []string {
	d.T.Helper()
	return operationstest.One[[]string](d.Office, `select coalesce(array_agg(concat_ws(' ', order_id, kind, driver_id, seq, starts_at)
		order by order_id, kind), '{}') from plan_stops where org_id = $1 and starts_at <= $2`, d.Org, d.Now.Add(30*time.Minute))
}

// open are the numbers of the orders with which nobody has begun.
func open(d *operationstest.Dispatch) []string {
	d.T.Helper()
	return operationstest.One[[]string](d.Office, `select array_agg(o.number order by o.id) from orders o where o.org_id = $1 and o.status_id <= 2
		and not exists (select from plan_stops s where s.org_id = o.org_id and s.order_id = o.id and s.starts_at <= $2)`,
		d.Org, d.Now.Add(time.Hour))
}

// slice works on the plan for a moment; its context may end meanwhile.
func slice(ctx context.Context, d *operationstest.Dispatch, length time.Duration) error {
	_, err := d.Planning.PlanDay(ctx, caller.Service(d.Org, "plan/test"), planning.PlanningSlice{Area: operationstest.Area, Length: length})
	return err
}

// TestFaultsLeaveThePlanWhole has one fault after the other happen in the middle
// of slices, on a day that is under way. After each the plan holds, what has begun
// is where it was, and nothing was told twice.
func TestFaultsLeaveThePlanWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		fault func(*operationstest.Dispatch)
	}{
		{"AWorkerDies", dieInSlices},
		{"TwoPlannersAtOnce", planTwice},
		{"ADispatcherChangesIt", changeMeanwhile},
		{"TheTravelServerIsAway", loseTravelServer},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := underWay(t)
			begun := started(d)
			c.fault(d)
			d.Plan()
			require.Subset(t, started(d), begun, "what has begun stays")
			toldOnce(d)
			d.Rest()
		})
	}
}

// toldOnce requires that nobody heard the same of an order twice in a row.
func toldOnce(d *operationstest.Dispatch) {
	d.T.Helper()
	require.Zero(d.T, operationstest.One[int](d.Office, `
		select count(*) from (
			select e.kind, e.driver_id, e.data, lag(e.kind) over w as kind_before, lag(e.driver_id) over w as driver_before,
				lag(e.data) over w as data_before
			from events e where e.org_id = $1 and e.kind in ('order.planned', 'order.unplanned')
			window w as (partition by e.order_id order by e.id)
		) x where kind = kind_before and driver_id is not distinct from driver_before and data = data_before`, d.Org))
}

// dieInSlices ends planners at any moment, while orders come in.
func dieInSlices(d *operationstest.Dispatch) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := range 12 {
		if n%3 == 0 {
			d.Load(operationstest.Numbered(20+n), "D-2")
		}
		ctx, cancel := context.WithTimeout(d.T.Context(), time.Duration(1+rng.IntN(120))*time.Millisecond)
		_ = slice(ctx, d, 50*time.Millisecond) // however far it came
		cancel()
	}
}

// planTwice has two planners work at the same time.
func planTwice(d *operationstest.Dispatch) {
	var working sync.WaitGroup
	for range 2 {
		working.Go(func() {
			for range 6 {
				if err := slice(d.T.Context(), d, 40*time.Millisecond); err != nil {
					d.T.Errorf("plan: %v", err)
				}
			}
		})
	}
	for n := range 4 {
		d.Load(operationstest.Numbered(20+n), "D-3")
	}
	working.Wait()
}

// changeMeanwhile has a dispatcher lock, prohibit and move orders with which
// nobody has begun, and others come and go, while a planner is at work.
func changeMeanwhile(d *operationstest.Dispatch) {
	ended := make(chan struct{})
	var working sync.WaitGroup
	working.Go(func() {
		for {
			select {
			case <-ended:
				return
			default:
			}
			if err := slice(d.T.Context(), d, 60*time.Millisecond); err != nil {
				d.T.Errorf("plan: %v", err)
				return
			}
		}
	})
	open := open(d)
	require.Greater(d.T, len(open), 3)
	lock := moves(d, "Jens", open[0]).Moves[0]
	_, err := d.Planning.LockDriver(d.T.Context(), person(d), lock.OrderID, planning.DriverLock{DriverID: lock.DriverID}, version.Expected{})
	require.NoError(d.T, err)
	d.Load("A-20", "D-1")
	d.Do("update orders set status_id = 8, cancelled_at = now() where org_id = $1 and number = $2", d.Org, open[1])
	require.Eventually(d.T, func() bool { // the plan that was looked at is often another one by then
		m := moves(d, "Amir", open[2])
		m.Reason = "Amir knows the way."
		moved, err := d.Planning.MoveOrders(d.T.Context(), person(d), m)
		if kind := fault.KindOf(err); err != nil && kind != fault.Conflict {
			d.T.Errorf("move: %v", err)
			return true
		}
		return moved.Applied
	}, time.Minute, time.Millisecond)
	close(ended)
	working.Wait()
	d.Plan()
	require.Equal(d.T, "Jens", d.DriverOf(open[0]))
	require.Empty(d.T, operationstest.One[[]string](d.Office, `select coalesce(array_agg(s.kind), '{}') from plan_stops s
		join orders o on o.org_id = s.org_id and o.id = s.order_id where o.org_id = $1 and o.number = $2`, d.Org, open[1]))
	require.Equal(d.T, "Amir", d.DriverOf(open[2]))
}

// loseTravelServer plans with a server of travel times that does not answer.
func loseTravelServer(d *operationstest.Dispatch) {
	d.TravelBy(d.T, "osrm+http://127.0.0.1:1")
	for n := range 4 {
		d.Load(operationstest.Numbered(20+n), "D-2")
		require.NoError(d.T, slice(d.T.Context(), d, 20*time.Millisecond))
	}
	require.NotEmpty(d.T, operationstest.One[string](d.Office, "select travel_failure from plans where org_id = $1", d.Org))
}
