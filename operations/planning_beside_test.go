package operations_test

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
	"waybill/domain/routing"
	"waybill/operations"
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
) ([]routing.Leg, error) {
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
func (s *slowRoads) on(d *dispatch, planners int) {
	d.Operations = operations.New(d.store, func() time.Time { return d.now }, operations.Settings{
		Planning: planningops.Planning{Days: 14, Planners: planners, Tables: travel.NewTables(s, time.Now)},
	})
}

// beside has something happen during the next piece of planning.
func (s *slowRoads) beside(d *dispatch, happens func()) {
	d.do("delete from travel_legs where org_id = $1", d.org)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.meanwhile, s.asked = happens, 0
	s.name++
}

// busyDay is a day with two orders each for Nora, Jens and Amir, who keep them.
func busyDay(t *testing.T) (*road, *slowRoads) {
	t.Helper()
	roads := &slowRoads{}
	r := &road{dispatch: newDispatch(t)}
	roads.on(r.dispatch, 2)
	for n, name := range []string{"Nora", "Nora", "Jens", "Jens", "Amir", "Amir"} {
		r.load(numbered(n), []string{"D-1", "D-2"}[n%2], func(e *order.Request) {
			if name != "Nora" { // who begins early
				e.Pickup.Earliest, e.Pickup.Latest = "2026-03-02T09:00:00Z", "2026-03-02T11:00:00Z"
			}
		})
		r.lock(numbered(n), name)
	}
	r.do("update orders set created_at = $2 where org_id = $1", r.org, plannedOn)
	r.plan()
	r.nora = one[int64](r.office, "select id from drivers where org_id = $1 and external_id = 'nora'", r.org)
	r.now = one[time.Time](r.office, "select min(starts_at) from plan_routes where org_id = $1", r.org)
	r.says(driving.StartRoute, 0)
	return r, roads
}

// lock has only one driver have an order.
func (d *dispatch) lock(number, name string) {
	d.t.Helper()
	d.do(`insert into order_driver_locks (org_id, order_id, driver_id) select o.org_id, o.id, r.id from orders o, drivers r
		where o.org_id = $1 and o.number = $2 and r.org_id = $1 and r.name = $3`, d.org, number, name)
}

// stopOf is the stop of Nora's route at a place, from 1 on.
func (r *road) stopOf(seq int) int64 {
	r.t.Helper()
	return one[int64](r.office, `select s.id from plan_stops p
		join order_stops s on s.org_id = p.org_id and s.order_id = p.order_id and s.kind = p.kind
		where p.org_id = $1 and p.driver_id = $2 and p.seq = $3`, r.org, r.nora, seq)
}

// commits plans once, and does not look at whether the plan is as good as it gets.
func (d *dispatch) commits() planningops.PlannedDay {
	d.t.Helper()
	done, err := d.Planning.PlanDay(d.t.Context(), caller.Service(d.org, "plan/test"), planningops.PlanningSlice{Area: area})
	require.NoError(d.t, err)
	require.Equal(d.t, one[int](d.office, "select count(*) from plan_stops where org_id = $1 and kind = 'delivery'", d.org),
		done.Planned, "what is counted is what is written")
	return done
}

func TestACommitHoldsBesideTaps(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	r.load("A-8", "D-3")
	r.lock("A-8", "Jens")
	roads.beside(r.dispatch, func() { r.says(driving.Arrive, r.stopOf(1)) })
	done := r.commits()
	require.Zero(t, done.Refused, "a tap on another route")
	require.Equal(t, "Jens", r.driverOf("A-8"))

	r.load("A-9", "D-3")
	r.lock("A-9", "Nora")
	roads.beside(r.dispatch, func() { r.says(driving.PickUp, r.stopOf(1)) })
	done = r.commits()
	require.Zero(t, done.Refused, "a tap that follows the route that gets the order")
	require.Equal(t, "Nora", r.driverOf("A-9"))
	r.plan()
	require.Equal(t, 1, one[int](r.office, "select count(*) from orders where org_id = $1 and status_id = 4", r.org))
}

func TestAPlanCatchesUpWithARouteThatIsAnotherOne(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	r.load("A-8", "D-3")
	r.lock("A-8", "Jens")
	r.load("A-9", "D-3")
	r.lock("A-9", "Nora")
	roads.beside(r.dispatch, func() {
		r.do("update order_products set weight = 7 where org_id = $1 and order_id = (select id from orders where org_id = $1 and number = 'A-9')", r.org)
	})
	done := r.commits()
	require.Equal(t, 1, done.CaughtUp)
	require.Zero(t, done.Refused, "the commit knew of it")
	require.Equal(t, 1, roads.asked, "the ways are known already")
	require.Equal(t, "Jens", r.driverOf("A-8"))
	require.Equal(t, "Nora", r.driverOf("A-9"))
	r.plan()
}

// TestACommitIsMadeAgainForARouteThatIsAnotherOne has an order change while a commit waits for
// the plan, which somebody else holds.
func TestACommitIsMadeAgainForARouteThatIsAnotherOne(t *testing.T) {
	t.Parallel()
	r, _ := busyDay(t)
	r.load("A-8", "D-3")
	r.lock("A-8", "Jens")
	r.load("A-9", "D-3")
	r.lock("A-9", "Nora")
	held, err := r.owner.Begin(t.Context())
	require.NoError(t, err)
	_, err = held.Exec(t.Context(), "select from plans where org_id = $1 for update", r.org)
	require.NoError(t, err)
	committed := make(chan planningops.PlannedDay)
	go func() {
		done, err := r.Planning.PlanDay(t.Context(), caller.Service(r.org, "plan/test"), planningops.PlanningSlice{Area: area})
		if err != nil {
			t.Errorf("plan: %v", err)
		}
		committed <- done
	}()
	require.Eventually(t, func() bool {
		return one[bool](r.office, "select exists (select from pg_locks where transactionid = pg_current_xact_id()::xid and not granted)")
	}, time.Minute, 10*time.Millisecond, "the commit waits for the plan")
	r.do("update order_products set weight = 7 where org_id = $1 and order_id = (select id from orders where org_id = $1 and number = 'A-9')", r.org)
	require.NoError(t, held.Commit(t.Context()))
	done := <-committed
	require.Equal(t, 1, done.Refused)
	require.Zero(t, done.CaughtUp, "nothing had changed before")
	require.Equal(t, "Jens", r.driverOf("A-8"))
	require.Equal(t, "Nora", r.driverOf("A-9"))
	r.plan()
}

func TestTwoPlannersAtOnce(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	r.load("A-8", "D-3")
	r.lock("A-8", "Amir")
	to := r.moves("Jens", "A-1")
	roads.beside(r.dispatch, func() {
		_, err := r.Planning.MoveOrders(t.Context(), r.person(), to)
		require.NoError(t, err)
	})
	done := r.commits()
	require.Zero(t, done.Refused, "the other one changed other routes")
	require.Equal(t, []string{"Jens", "Amir"}, []string{r.driverOf("A-1"), r.driverOf("A-8")})
	r.plan()

	r.load("A-9", "D-3")
	r.lock("A-9", "Jens")
	back := r.moves("Nora", "A-1")
	roads.beside(r.dispatch, func() {
		_, err := r.Planning.MoveOrders(t.Context(), r.person(), back)
		require.NoError(t, err)
	})
	done = r.commits()
	require.Equal(t, 1, done.CaughtUp, "the other one changed the same route")
	require.Zero(t, done.Refused, "which was known before the commit")
	require.Equal(t, []string{"Nora", "Jens"}, []string{r.driverOf("A-1"), r.driverOf("A-9")})
	r.plan()

	r.load("A-10", "D-3")
	roads.beside(r.dispatch, func() { r.commits() })
	done = r.commits()
	require.Zero(t, done.Refused, "the other one did the same")
	require.Equal(t, 1, one[int](r.office,
		"select count(*) from events where org_id = $1 and external_id = 'A-10' and kind = 'order.planned'", r.org), "and it is told once")
	r.plan()
}

func TestAMoveHoldsBesideTaps(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	m := r.moves("Amir", "A-3")
	r.says(driving.Arrive, r.stopOf(1))
	r.now = r.now.Add(25 * time.Minute)
	r.commits() // has all times of Nora's route change
	require.Greater(t, one[int64](r.office, "select version from plans where org_id = $1", r.org), m.Seen)
	roads.beside(r.dispatch, func() { r.says(driving.PickUp, r.stopOf(1)) })
	moved, err := r.Planning.MoveOrders(t.Context(), r.person(), m)
	require.NoError(t, err)
	require.Zero(t, moved.Retries)
	require.Equal(t, "Amir", r.driverOf("A-3"))
	require.Equal(t, one[int64](r.office, "select version from plans where org_id = $1", r.org), moved.Version)

	m = r.moves("Nora", "A-5")
	r.now = r.now.Add(time.Minute)
	roads.beside(r.dispatch, func() { r.says(driving.PickUp, r.stopOf(2)) })
	moved, err = r.Planning.MoveOrders(t.Context(), r.person(), m)
	require.NoError(t, err, "the driver who gets it goes on with her route")
	require.Zero(t, moved.Retries)

	m = r.moves("Nora", "A-3")
	roads.beside(r.dispatch, func() {
		r.do("update order_products set weight = 7 where org_id = $1 and order_id = $2", r.org, m.Moves[0].OrderID)
	})
	moved, err = r.Planning.MoveOrders(t.Context(), r.person(), m)
	require.NoError(t, err)
	require.Equal(t, 1, moved.Retries)
	require.Equal(t, 1, roads.asked, "the ways are known already")
	r.plan()

	old := r.moves("Jens", "A-3")
	old.Seen = m.Seen
	_, err = r.Planning.MoveOrders(t.Context(), r.person(), old)
	require.Equal(t, fault.Conflict, fault.KindOf(err), "the route that has it is another one")
	require.ErrorContains(t, err, `plan.order_moved (order "A-3")`)
}

// TestAMoveLeavesNothingOverThatHasAPlace has an order wait for its first plan while somebody moves
// another one.
func TestAMoveLeavesNothingOverThatHasAPlace(t *testing.T) {
	t.Parallel()
	r, _ := busyDay(t)
	r.load("A-8", "D-3")
	_, err := r.Planning.MoveOrders(t.Context(), r.person(), r.moves("Amir", "A-3"))
	require.NoError(t, err)
	require.Zero(t, one[int](r.office, "select count(*) from plan_unplanned where org_id = $1", r.org))
	require.NotEmpty(t, r.driverOf("A-8"))
	require.Equal(t, "Amir", r.driverOf("A-3"))
	r.plan()
}

// TestAFreshStartIsNotLostBesideACommit has somebody ask for a fresh start while a plan is
// made from the one before.
func TestAFreshStartIsNotLostBesideACommit(t *testing.T) {
	t.Parallel()
	r, roads := busyDay(t)
	r.load("A-8", "D-3")
	roads.beside(r.dispatch, func() {
		_, err := r.Planning.StartPlanAfresh(t.Context(), r.person(), area,
			one[int64](r.office, "select version from plans where org_id = $1", r.org))
		require.NoError(t, err)
	})
	require.Equal(t, 1, r.commits().Refused)
	require.False(t, one[bool](r.office, "select fresh from plans where org_id = $1", r.org), "it was served")
	require.NotEmpty(t, r.driverOf("A-8"))
}

// TestACommitAndARenewalTellOneTime has ETAs renewed while a plan is made: the commit
// waits for the renewal, and does not tell again what it told.
func TestACommitAndARenewalTellOneTime(t *testing.T) {
	t.Parallel()
	r, _ := busyDay(t)
	r.says(driving.Arrive, r.stopOf(1))
	r.now = r.now.Add(25 * time.Minute) // she stands in a queue
	r.load("A-8", "D-3")
	r.lock("A-8", "Nora")
	tx, err := r.owner.Begin(t.Context())
	require.NoError(t, err)
	const key = "hashtextextended(concat_ws('/', 'waybill.etas', $1::bigint, $2::bigint), 0)"
	_, err = tx.Exec(t.Context(), "select pg_advisory_xact_lock("+key+")", r.org, r.nora)
	require.NoError(t, err)
	done := make(chan planningops.PlannedDay)
	go func() {
		planned, err := r.Planning.PlanDay(t.Context(), caller.Service(r.org, "plan/test"), planningops.PlanningSlice{Area: area})
		if err != nil {
			t.Errorf("plan: %v", err)
		}
		done <- planned
	}()
	require.Eventually(t, func() bool {
		return one[bool](r.office, `select exists (select from pg_locks where locktype = 'advisory' and not granted
			and classid::bigint << 32 | objid::bigint = `+key+`)`, r.org, r.nora)
	}, time.Minute, 10*time.Millisecond, "the commit waits")
	_, err = tx.Exec(t.Context(), `insert into live_etas as e (org_id, order_id, kind, driver_id, eta, told, ahead)
		select org_id, order_id, kind, driver_id, starts_at + interval '25 minutes', starts_at + interval '25 minutes', seq - 1
		from plan_stops where org_id = $1 and driver_id = $2 and seq > 1
		on conflict (org_id, order_id, kind) do update set eta = excluded.eta, told = excluded.told`, r.org, r.nora)
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
	<-done
	require.Equal(t, "Nora", r.driverOf("A-8"))
	require.Empty(t, one[[]string](r.office, `select coalesce(array_agg(external_id), '{}') from events e
		where org_id = $1 and kind = 'order.planned' and external_id in ('A-0', 'A-1')
			and id > (select max(id) from events where org_id = $1 and external_id = 'A-8' and kind = 'order.created')`, r.org),
		"what the renewal told is not told again")
}

// TestAPlanThatWaitsForItsTurnSeesWhatHappenedMeanwhile: the day is loaded after that.
func TestAPlanThatWaitsForItsTurnSeesWhatHappenedMeanwhile(t *testing.T) {
	t.Parallel()
	d, roads := newDispatch(t), &slowRoads{}
	roads.on(d, 1)
	d.load("A-0", "D-1")
	holds, goOn := make(chan struct{}), make(chan struct{})
	roads.beside(d, func() { close(holds); <-goOn })
	var working sync.WaitGroup
	plan := func() {
		if _, err := d.Planning.PlanDay(t.Context(), caller.Service(d.org, "plan/test"), planningops.PlanningSlice{Area: area}); err != nil {
			t.Errorf("plan: %v", err)
		}
	}
	working.Go(plan)
	<-holds
	working.Go(plan)
	require.Eventually(t, func() bool { return d.Planning.PlannersWaiting() == 1 }, time.Minute, time.Millisecond)
	d.load("A-1", "D-2")
	close(goOn)
	working.Wait()
	require.NotEmpty(t, d.driverOf("A-1"))
}

// otherArea is that of another department, with an order for Nora.
func (r *road) otherArea(number string) planning.Area {
	r.t.Helper()
	r.do("insert into departments (org_id, name) values ($1, 'North') on conflict do nothing", r.org)
	r.load(number, "D-2")
	const north = "(select id from departments where org_id = $1 and name = 'North')"
	r.do("update orders set department_id = "+north+" where org_id = $1 and number = $2", r.org, number)
	r.do("update drivers set department_id = "+north+" where org_id = $1 and external_id = 'nora'", r.org)
	return planning.Area{Date: plannedOn, DepartmentID: one[int64](r.office, "select "+north, r.org)}
}

func (r *road) planArea(of planning.Area) planningops.PlannedDay {
	r.t.Helper()
	done, err := r.Planning.PlanDay(r.t.Context(), caller.Service(r.org, "plan/test"), planningops.PlanningSlice{Area: of})
	require.NoError(r.t, err)
	return done
}

// routes are the departments whose plans have a route for Nora.
func (r *road) routes() []string {
	r.t.Helper()
	return one[[]string](r.office, `select coalesce(array_agg(coalesce(d.name, '-') order by l.id), '{}') from plan_routes p
		join plans l on l.org_id = p.org_id and l.id = p.plan_id
		left join departments d on d.org_id = l.org_id and d.id = l.department_id
		where p.org_id = $1 and p.driver_id = $2`, r.org, r.nora)
}

// seen are the stops that the driver's app shows.
func (r *road) seen() int {
	r.t.Helper()
	document, err := r.store.DriverRoute(r.t.Context(), r.org, r.nora, plannedOn, false)
	require.NoError(r.t, err)
	return one[int](r.office, "select jsonb_array_length($1::jsonb -> 'stops')", string(document))
}

func TestADriverWhoChangesDepartmentGoesOnWithTheRouteThatHasBegun(t *testing.T) {
	t.Parallel()
	r := newRoad(t)
	r.now = r.stops[0].Eta
	r.says(driving.StartRoute, 0)
	r.says(driving.Arrive, r.stops[0].ID)
	north := r.otherArea("N-0")
	r.planArea(north)
	require.Equal(t, []string{"-"}, r.routes(), "she is not planned from home")
	r.plan()
	require.Len(t, r.ahead(), 3)
	require.Equal(t, 6, r.seen())
	require.Equal(t, 6, r.look().Stops)
	r.load("A-9", "D-1", func(e *order.Request) { e.Delivery.Latest = "2026-03-02T22:00:00Z" })
	r.plan()
	require.Equal(t, "Nora", r.driverOf("A-9"), "all day long she belongs to the area of her route")
}

func TestADriverWhoChangesDepartmentBeforeTheDayHasTheRouteOfTheNewOne(t *testing.T) {
	t.Parallel()
	r := newRoad(t)
	r.now = plannedOn.Add(4 * time.Hour)
	north := r.otherArea("N-0")
	r.planArea(north)
	require.Equal(t, []string{"-", "North"}, r.routes(), "the plan of the old area is not made again yet")
	require.Equal(t, 2, r.seen(), "and the driver sees the new one already")
	require.Equal(t, 2, r.look().Stops)
	r.plan()
	require.Equal(t, []string{"North"}, r.routes(), "the old route is given up")
	require.Empty(t, r.driverOf("A-0"))
	require.Equal(t, "Nora", r.driverOf("N-0"))
	ahead, err := r.store.RouteAhead(t.Context(), r.org, r.nora, r.now, r.now)
	require.NoError(t, err)
	require.Len(t, ahead.Stops, 2, "ETAs are those of the new route")
}
