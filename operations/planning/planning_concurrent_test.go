package planning_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/operations"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
	"waybill/providers/travel"
)

// slowRoads know the ways as the crow does, and have something happen while they are
// asked for them: after the day was read, and before the plan is committed.
type slowRoads struct {
	travel.Crow

	mu        sync.Mutex
	meanwhile func()
	asked     int
	name      int // another one is asked for everything again
}

func (s *slowRoads) Name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("slow %d", s.name)
}

func (*slowRoads) Side() int { return 1000 }

func (s *slowRoads) Legs(
	ctx context.Context, profile travel.Profile, from, to []travel.Point,
) (travel.Answer, error) {
	s.mu.Lock()
	s.asked++
	happens := s.meanwhile
	s.meanwhile = nil
	s.mu.Unlock()
	if happens != nil {
		happens()
	}
	return s.Crow.Legs(ctx, profile, from, to)
}

// on has the dispatch plan with these roads.
func (s *slowRoads) on(d *operationstest.Dispatch, planners int) {
	d.Operations = operations.New(d.Store, func() time.Time { return d.Now }, operations.Settings{
		Planning: planningops.Planning{Days: 14, Planners: planners, Tables: travel.NewTables(s, time.Now)},
	})
}

// during has something happen during the next piece of planning.
func (s *slowRoads) during(d *operationstest.Dispatch, happens func()) {
	d.Do("delete from travel_blocks where org_id = $1", d.Org)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.meanwhile, s.asked = happens, 0
	s.name++
}

// busyDay is a day with two orders each for Nora, Jens and Amir, who keep them.
func busyDay(t *testing.T) (*operationstest.Road, *slowRoads) {
	t.Helper()
	roads := &slowRoads{}
	r := &operationstest.Road{Dispatch: operationstest.NewDispatch(t)}
	roads.on(r.Dispatch, 2)
	for n, name := range []string{"Nora", "Nora", "Jens", "Jens", "Amir", "Amir"} {
		r.Load(operationstest.Numbered(n), []string{"D-1", "D-2"}[n%2], func(e *order.Request) {
			if name != "Nora" { // who begins early
				e.Pickup.Earliest, e.Pickup.Latest = "2026-03-02T09:00:00Z", "2026-03-02T11:00:00Z"
			}
		})
		lock(r.Dispatch, operationstest.Numbered(n), name)
	}
	r.Do("update orders set created_at = $2 where org_id = $1", r.Org, operationstest.PlannedOn)
	r.Plan()
	r.Nora = operationstest.One[int64](r.Office, "select id from drivers where org_id = $1 and external_id = 'nora'", r.Org)
	r.Now = operationstest.One[time.Time](r.Office, "select min(starts_at) from plan_routes where org_id = $1", r.Org)
	r.Says(driving.StartRoute, 0)
	return r, roads
}

// lock has only one driver have an order.
func lock(d *operationstest.Dispatch, number, name string) {
	d.T.Helper()
	d.Do(`insert into order_driver_locks (org_id, order_id, driver_id) select o.org_id, o.id, r.id from orders o, drivers r
		where o.org_id = $1 and o.number = $2 and r.org_id = $1 and r.name = $3`, d.Org, number, name)
}

// stopAt is the stop of Nora's route at a place, from 1 on.
func stopAt(r *operationstest.Road, seq int) int64 {
	r.T.Helper()
	return operationstest.One[int64](r.Office, `select s.id from plan_stops p
		join order_stops s on s.org_id = p.org_id and s.order_id = p.order_id and s.kind = p.kind
		where p.org_id = $1 and p.driver_id = $2 and p.seq = $3`, r.Org, r.Nora, seq)
}

// commits plans once, and does not look at whether the plan is as good as it gets.
func commits(d *operationstest.Dispatch) planningops.PlannedDay {
	d.T.Helper()
	done, err := d.Planning.PlanDay(d.T.Context(), caller.Service(d.Org, "plan/test"), planningops.PlanningSlice{Area: operationstest.Area})
	require.NoError(d.T, err)
	require.Equal(d.T, operationstest.One[int](d.Office, "select count(*) from plan_stops where org_id = $1 and kind = 'delivery'", d.Org),
		done.Planned, "what is counted is what is written")
	return done
}

func TestCommitSucceedsDuringDriverActions(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	r.Load("A-8", "D-3")
	lock(r.Dispatch, "A-8", "Jens")
	roads.during(r.Dispatch, func() { r.Says(driving.Arrive, stopAt(r, 1)) })
	done := commits(r.Dispatch)
	require.Zero(t, done.Refused, "a tap on another route")
	require.Equal(t, "Jens", r.DriverOf("A-8"))

	r.Load("A-9", "D-3")
	lock(r.Dispatch, "A-9", "Nora")
	roads.during(r.Dispatch, func() { r.Says(driving.PickUp, stopAt(r, 1)) })
	done = commits(r.Dispatch)
	require.Zero(t, done.Refused, "a tap that follows the route that gets the order")
	require.Equal(t, "Nora", r.DriverOf("A-9"))
	r.Plan()
	require.Equal(t, 1, operationstest.One[int](r.Office, "select count(*) from orders where org_id = $1 and status_id = 4", r.Org))
}

func TestPlanCatchesUpWithAChangedRoute(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	r.Load("A-8", "D-3")
	lock(r.Dispatch, "A-8", "Jens")
	r.Load("A-9", "D-3")
	lock(r.Dispatch, "A-9", "Nora")
	roads.during(r.Dispatch, func() {
		r.Do("update order_products set weight = 7 where org_id = $1 and order_id = (select id from orders where org_id = $1 and number = 'A-9')", r.Org)
	})
	done := commits(r.Dispatch)
	require.Equal(t, 1, done.CaughtUp)
	require.Zero(t, done.Refused, "the commit knew of it")
	require.LessOrEqual(t, roads.asked, 5, "a plan with new places takes five requests; the ways are known when it catches up")
	require.Equal(t, "Jens", r.DriverOf("A-8"))
	require.Equal(t, "Nora", r.DriverOf("A-9"))
	r.Plan()
}

// TestCommitIsRetriedForAChangedRoute has an order change while a commit waits for
// the plan, which somebody else holds.
func TestCommitIsRetriedForAChangedRoute(t *testing.T) {
	t.Parallel()
	r, _ := busyDay(t)
	r.Load("A-8", "D-3")
	lock(r.Dispatch, "A-8", "Jens")
	r.Load("A-9", "D-3")
	lock(r.Dispatch, "A-9", "Nora")
	held, err := r.Owner.Begin(t.Context())
	require.NoError(t, err)
	_, err = held.Exec(t.Context(), "select from plans where org_id = $1 for update", r.Org)
	require.NoError(t, err)
	committed := make(chan planningops.PlannedDay)
	go func() {
		done, err := r.Planning.PlanDay(t.Context(), caller.Service(r.Org, "plan/test"), planningops.PlanningSlice{Area: operationstest.Area})
		if err != nil {
			t.Errorf("plan: %v", err)
		}
		committed <- done
	}()
	require.Eventually(t, func() bool {
		return operationstest.One[bool](r.Office, "select exists (select from pg_locks where transactionid = pg_current_xact_id()::xid and not granted)")
	}, time.Minute, 10*time.Millisecond, "the commit waits for the plan")
	r.Do("update order_products set weight = 7 where org_id = $1 and order_id = (select id from orders where org_id = $1 and number = 'A-9')", r.Org)
	require.NoError(t, held.Commit(t.Context()))
	done := <-committed
	require.Equal(t, 1, done.Refused)
	require.Zero(t, done.CaughtUp, "nothing had changed before")
	require.Equal(t, "Jens", r.DriverOf("A-8"))
	require.Equal(t, "Nora", r.DriverOf("A-9"))
	r.Plan()
}

func TestTwoPlannersAtOnce(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	r.Load("A-8", "D-3")
	lock(r.Dispatch, "A-8", "Amir")
	to := moves(r.Dispatch, "Jens", "A-1")
	roads.during(r.Dispatch, func() {
		_, err := r.Planning.MoveOrders(t.Context(), person(r.Dispatch), to)
		require.NoError(t, err)
	})
	done := commits(r.Dispatch)
	require.Zero(t, done.Refused, "the other one changed other routes")
	require.Equal(t, []string{"Jens", "Amir"}, []string{r.DriverOf("A-1"), r.DriverOf("A-8")})
	r.Plan()

	r.Load("A-9", "D-3")
	lock(r.Dispatch, "A-9", "Jens")
	back := moves(r.Dispatch, "Nora", "A-1")
	roads.during(r.Dispatch, func() {
		_, err := r.Planning.MoveOrders(t.Context(), person(r.Dispatch), back)
		require.NoError(t, err)
	})
	done = commits(r.Dispatch)
	require.Equal(t, 1, done.CaughtUp, "the other one changed the same route")
	require.Zero(t, done.Refused, "which was known before the commit")
	require.Equal(t, []string{"Nora", "Jens"}, []string{r.DriverOf("A-1"), r.DriverOf("A-9")})
	r.Plan()

	r.Load("A-10", "D-3")
	roads.during(r.Dispatch, func() { commits(r.Dispatch) })
	done = commits(r.Dispatch)
	require.Zero(t, done.Refused, "the other one did the same")
	require.Equal(t, 1, operationstest.One[int](r.Office,
		"select count(*) from events where org_id = $1 and external_id = 'A-10' and kind = 'order.planned'", r.Org), "and it is told once")
	r.Plan()
}

func TestMoveSucceedsDuringDriverActions(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	m := moves(r.Dispatch, "Amir", "A-3")
	r.Says(driving.Arrive, stopAt(r, 1))
	r.Now = r.Now.Add(25 * time.Minute)
	commits(r.Dispatch) // has all times of Nora's route change
	require.Greater(t, operationstest.One[int64](r.Office, "select version from plans where org_id = $1", r.Org), m.Seen)
	roads.during(r.Dispatch, func() { r.Says(driving.PickUp, stopAt(r, 1)) })
	moved, err := r.Planning.MoveOrders(t.Context(), person(r.Dispatch), m)
	require.NoError(t, err)
	require.Zero(t, moved.Retries)
	require.Equal(t, "Amir", r.DriverOf("A-3"))
	require.Equal(t, operationstest.One[int64](r.Office, "select version from plans where org_id = $1", r.Org), moved.Version)

	m = moves(r.Dispatch, "Nora", "A-5")
	r.Now = r.Now.Add(time.Minute)
	roads.during(r.Dispatch, func() { r.Says(driving.PickUp, stopAt(r, 2)) })
	moved, err = r.Planning.MoveOrders(t.Context(), person(r.Dispatch), m)
	require.NoError(t, err, "the driver who gets it goes on with her route")
	require.Zero(t, moved.Retries)

	m = moves(r.Dispatch, "Nora", "A-3")
	roads.during(r.Dispatch, func() {
		r.Do("update order_products set weight = 7 where org_id = $1 and order_id = $2", r.Org, m.Moves[0].OrderID)
	})
	moved, err = r.Planning.MoveOrders(t.Context(), person(r.Dispatch), m)
	require.NoError(t, err)
	require.Equal(t, 1, moved.Retries)
	require.Equal(t, 1, roads.asked, "the ways are known already")
	r.Plan()

	old := moves(r.Dispatch, "Jens", "A-3")
	old.Seen = m.Seen
	_, err = r.Planning.MoveOrders(t.Context(), person(r.Dispatch), old)
	require.Equal(t, fault.Conflict, fault.KindOf(err), "the route that has it is another one")
	require.ErrorContains(t, err, `plan.order_moved (order "A-3")`)
}

// TestMoveLeavesNoPlaceableOrderUnplanned has an order wait for its first plan while somebody moves
// another one.
func TestMoveLeavesNoPlaceableOrderUnplanned(t *testing.T) {
	t.Parallel()
	r, _ := busyDay(t)
	r.Load("A-8", "D-3")
	_, err := r.Planning.MoveOrders(t.Context(), person(r.Dispatch), moves(r.Dispatch, "Amir", "A-3"))
	require.NoError(t, err)
	require.Zero(t, operationstest.One[int](r.Office, "select count(*) from plan_unplanned where org_id = $1", r.Org))
	require.NotEmpty(t, r.DriverOf("A-8"))
	require.Equal(t, "Amir", r.DriverOf("A-3"))
	r.Plan()
}

// TestRequestForPlanFromScratchSurvivesACommit has somebody ask for a fresh start while a plan is
// made from the one before.
func TestRequestForPlanFromScratchSurvivesACommit(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	r.Load("A-8", "D-3")
	roads.during(r.Dispatch, func() {
		_, err := r.Planning.StartPlanAfresh(t.Context(), person(r.Dispatch), operationstest.Area,
			operationstest.One[int64](r.Office, "select version from plans where org_id = $1", r.Org))
		require.NoError(t, err)
	})
	require.Equal(t, 1, commits(r.Dispatch).Refused)
	require.False(t, operationstest.One[bool](r.Office, "select fresh from plans where org_id = $1", r.Org), "it was served")
	require.NotEmpty(t, r.DriverOf("A-8"))
}

// TestCommitAndRenewalAnnounceOneETA has ETAs renewed while a plan is made: the commit
// waits for the renewal, and does not tell again what it told.
func TestCommitAndRenewalAnnounceOneETA(t *testing.T) {
	t.Parallel()
	r, _ := busyDay(t)
	r.Says(driving.Arrive, stopAt(r, 1))
	r.Now = r.Now.Add(25 * time.Minute) // she stands in a queue
	r.Load("A-8", "D-3")
	lock(r.Dispatch, "A-8", "Nora")
	tx, err := r.Owner.Begin(t.Context())
	require.NoError(t, err)
	const key = "hashtextextended(concat_ws('/', 'waybill.etas', $1::bigint, $2::bigint), 0)"
	_, err = tx.Exec(t.Context(), "select pg_advisory_xact_lock("+key+")", r.Org, r.Nora)
	require.NoError(t, err)
	done := make(chan planningops.PlannedDay)
	go func() {
		planned, err := r.Planning.PlanDay(t.Context(), caller.Service(r.Org, "plan/test"), planningops.PlanningSlice{Area: operationstest.Area})
		if err != nil {
			t.Errorf("plan: %v", err)
		}
		done <- planned
	}()
	require.Eventually(t, func() bool {
		return operationstest.One[bool](r.Office, `select exists (select from pg_locks where locktype = 'advisory' and not granted
			and classid::bigint << 32 | objid::bigint = `+key+`)`, r.Org, r.Nora)
	}, time.Minute, 10*time.Millisecond, "the commit waits")
	_, err = tx.Exec(t.Context(), `insert into live_etas as e (org_id, order_id, kind, driver_id, eta, told, ahead)
		select org_id, order_id, kind, driver_id, starts_at + interval '25 minutes', starts_at + interval '25 minutes', seq - 1
		from plan_stops where org_id = $1 and driver_id = $2 and seq > 1
		on conflict (org_id, order_id, kind) do update set eta = excluded.eta, told = excluded.told`, r.Org, r.Nora)
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
	<-done
	require.Equal(t, "Nora", r.DriverOf("A-8"))
	require.Empty(t, operationstest.One[[]string](r.Office, `select coalesce(array_agg(external_id), '{}') from events e
		where org_id = $1 and kind = 'order.planned' and external_id in ('A-0', 'A-1')
			and id > (select max(id) from events where org_id = $1 and external_id = 'A-8' and kind = 'order.created')`, r.Org),
		"what the renewal told is not told again")
}

// TestQueuedPlanSeesLaterChanges: the day is loaded after that.
func TestQueuedPlanSeesLaterChanges(t *testing.T) {
	t.Parallel()
	d, roads := operationstest.NewDispatch(t), &slowRoads{}
	roads.on(d, 1)
	d.Load("A-0", "D-1")
	holds, goOn := make(chan struct{}), make(chan struct{})
	roads.during(d, func() { close(holds); <-goOn })
	var working sync.WaitGroup
	plan := func() {
		if _, err := d.Planning.PlanDay(t.Context(), caller.Service(d.Org, "plan/test"), planningops.PlanningSlice{Area: operationstest.Area}); err != nil {
			t.Errorf("plan: %v", err)
		}
	}
	working.Go(plan)
	<-holds
	working.Go(plan)
	require.Eventually(t, func() bool { return d.Planning.PlannersWaiting() == 1 }, time.Minute, time.Millisecond)
	d.Load("A-1", "D-2")
	close(goOn)
	working.Wait()
	require.NotEmpty(t, d.DriverOf("A-1"))
}

// otherArea is that of another department, with an order for Nora.
func otherArea(r *operationstest.Road, number string) planning.Area {
	r.T.Helper()
	r.Do("insert into departments (org_id, name) values ($1, 'North') on conflict do nothing", r.Org)
	r.Load(number, "D-2")
	const north = "(select id from departments where org_id = $1 and name = 'North')"
	r.Do("update orders set department_id = "+north+" where org_id = $1 and number = $2", r.Org, number)
	r.Do("update drivers set department_id = "+north+" where org_id = $1 and external_id = 'nora'", r.Org)
	return planning.Area{Date: operationstest.PlannedOn, DepartmentID: operationstest.One[int64](r.Office, "select "+north, r.Org)}
}

func planArea(r *operationstest.Road, of planning.Area) planningops.PlannedDay {
	r.T.Helper()
	done, err := r.Planning.PlanDay(r.T.Context(), caller.Service(r.Org, "plan/test"), planningops.PlanningSlice{Area: of})
	require.NoError(r.T, err)
	return done
}

// routes are the departments whose plans have a route for Nora.
func routes(r *operationstest.Road) []string {
	r.T.Helper()
	return operationstest.One[[]string](r.Office, `select coalesce(array_agg(coalesce(d.name, '-') order by l.id), '{}') from plan_routes p
		join plans l on l.org_id = p.org_id and l.id = p.plan_id
		left join departments d on d.org_id = l.org_id and d.id = l.department_id
		where p.org_id = $1 and p.driver_id = $2`, r.Org, r.Nora)
}

// seen are the stops that the driver's app shows.
func seen(r *operationstest.Road) int {
	r.T.Helper()
	document, err := r.Store.DriverRoute(r.T.Context(), r.Org, r.Nora, operationstest.PlannedOn, false)
	require.NoError(r.T, err)
	return operationstest.One[int](r.Office, "select jsonb_array_length($1::jsonb -> 'stops')", string(document))
}

func TestDriverKeepsBegunRouteAfterChangeOfDepartment(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	r.Now = r.Stops[0].Eta
	r.Says(driving.StartRoute, 0)
	r.Says(driving.Arrive, r.Stops[0].ID)
	north := otherArea(r, "N-0")
	planArea(r, north)
	require.Equal(t, []string{"-"}, routes(r), "she is not planned from home")
	r.Plan()
	require.Len(t, ahead(r), 3)
	require.Equal(t, 6, seen(r))
	require.Equal(t, 6, r.Look().Stops)
	r.Load("A-9", "D-1", func(e *order.Request) { e.Delivery.Latest = "2026-03-02T22:00:00Z" })
	r.Plan()
	require.Equal(t, "Nora", r.DriverOf("A-9"), "all day long she belongs to the area of her route")
}

func TestNewDepartmentOfDriverPlansFutureDays(t *testing.T) {
	t.Parallel()
	r := operationstest.NewRoad(t)
	r.Now = operationstest.PlannedOn.Add(4 * time.Hour)
	north := otherArea(r, "N-0")
	planArea(r, north)
	require.Equal(t, []string{"-", "North"}, routes(r), "the plan of the old area is not made again yet")
	require.Equal(t, 2, seen(r), "and the driver sees the new one already")
	require.Equal(t, 2, r.Look().Stops)
	r.Plan()
	require.Equal(t, []string{"North"}, routes(r), "the old route is given up")
	require.Empty(t, r.DriverOf("A-0"))
	require.Equal(t, "Nora", r.DriverOf("N-0"))
	ahead, err := r.Store.RouteAhead(t.Context(), r.Org, r.Nora, r.Now, r.Now)
	require.NoError(t, err)
	require.Len(t, ahead.Stops, 2, "ETAs are those of the new route")
}
