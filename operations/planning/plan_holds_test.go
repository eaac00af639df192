package planning_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

// hold is that of stops such as "A-1 pickup" on a driver's route, in the plan as it is.
func hold(d *operationstest.Dispatch, driver string, stops ...string) planningops.PlanHold {
	d.T.Helper()
	h := planningops.PlanHold{
		Area: operationstest.Area, DriverID: driverID(d, driver), Closed: stops == nil,
		Seen: operationstest.One[int64](d.Office, "select version from plans where org_id = $1", d.Org),
	}
	for _, stop := range stops {
		number, kind, _ := strings.Cut(stop, " ")
		h.Stops = append(h.Stops, planning.StopRef{OrderID: idOf(d, number), Kind: order.StopKind(kind)})
	}
	return h
}

// fiveOrders are those of one driver, planned.
func fiveOrders(t *testing.T) (d *operationstest.Dispatch, driver string) {
	t.Helper()
	d = operationstest.NewDispatch(t)
	for n := range 5 {
		d.Load(operationstest.Numbered(n), []string{"D-1", "D-2", "D-3"}[n%3])
	}
	d.Plan()
	d.Rest()
	driver = d.DriverOf("A-0")
	require.Len(t, sequence(d, driver), 10, "one driver has them all")
	return d, driver
}

func TestAHeldSequenceStaysUntilItIsReleased(t *testing.T) {
	t.Parallel()
	d, driver := fiveOrders(t)
	best := sequence(d, driver)
	// The last order first, and straight there.
	last := strings.Fields(best[len(best)-1])[0]
	wanted := []string{last + " pickup", last + " delivery"}
	require.NotEqual(t, wanted, best[:2])
	h := hold(d, driver, wanted...)
	h.DryRun = true
	rows := d.EveryRow()
	looked, err := d.Planning.HoldRoute(t.Context(), person(d), h)
	require.NoError(t, err)
	require.False(t, looked.Applied)
	require.Positive(t, looked.Meters, "a better sequence was there")
	require.Equal(t, rows, d.EveryRow(), "a dry run writes nothing")

	h.DryRun = false
	held, err := d.Planning.HoldRoute(t.Context(), person(d), h)
	require.NoError(t, err)
	require.True(t, held.Applied)
	require.Empty(t, held.Breaks)
	require.Empty(t, held.Left)
	require.Equal(t, looked.Meters, held.Meters)
	require.Len(t, held.Changed, 1)
	require.Equal(t, wanted, sequence(d, driver)[:2])
	d.Holds()
	require.Equal(t, "plan.route_held user:12", operationstest.One[string](d.Office,
		"select kind || ' ' || actor from events where org_id = $1 and subject_type = 'plan' order by id desc limit 1", d.Org))
	leaves := operationstest.One[time.Time](d.Office, "select max(starts_at) from plan_routes where org_id = $1", d.Org)
	require.True(t, leaves.After(operationstest.PlannedOn.Add(6*time.Hour)), "the driver leaves no sooner than necessary")

	d.Load("A-8", "D-2")
	d.Plan()
	d.Rest()
	require.Equal(t, wanted, sequence(d, driver)[:2], "planning leaves it there")

	version, err := d.Planning.ReleaseRoute(t.Context(), person(d), operationstest.Area, h.DriverID)
	require.NoError(t, err)
	require.Greater(t, version, held.Version)
	again, err := d.Planning.ReleaseRoute(t.Context(), person(d), operationstest.Area, h.DriverID)
	require.NoError(t, err)
	require.Equal(t, version, again, "once is enough")
	_, err = d.Planning.PlanDay(t.Context(), person(d), planningops.PlanningSlice{Area: operationstest.Area, Length: 2 * time.Second})
	require.NoError(t, err)
	require.NotEqual(t, wanted, sequence(d, driver)[:2], "planning finds the better sequence again")
}

func TestAHeldSequenceMayBeLate(t *testing.T) {
	t.Parallel()
	d, driver := fiveOrders(t)
	d.Do(`update order_stops set latest = earliest + interval '40 minutes' where org_id = $1 and kind = 'pickup'
		and order_id = (select id from orders where org_id = $1 and number = 'A-0')`, d.Org)
	var stops []string
	for _, n := range []int{1, 2, 3, 4, 0} {
		stops = append(stops, operationstest.Numbered(n)+" pickup", operationstest.Numbered(n)+" delivery")
	}
	h := hold(d, driver, stops...)
	_, err := d.Planning.HoldRoute(t.Context(), person(d), h)
	require.ErrorContains(t, err, "plan.breaks")
	h.Reason = "The terminal asked for it."
	held, err := d.Planning.HoldRoute(t.Context(), person(d), h)
	require.NoError(t, err)
	require.Len(t, held.Breaks, 1)
	require.Equal(t, planning.Late, held.Breaks[0].Code)
	require.Equal(t, idOf(d, "A-0"), held.Breaks[0].OrderID)
	for range 3 {
		d.Plan()
		require.Equal(t, stops, sequence(d, driver), "late, and yet on the route")
	}
	require.Equal(t, h.Reason, operationstest.One[string](d.Office, `select comment from order_documentations c
		join orders o on o.org_id = c.org_id and o.id = c.order_id where c.org_id = $1 and o.number = 'A-0' and c.type = 'move'`, d.Org))

	// The hold lasts while the day goes on: what begins soon is fixed, and the rest follows in sequence.
	d.Now = operationstest.One[time.Time](d.Office, "select min(starts_at) from plan_stops where org_id = $1", d.Org).Add(-10 * time.Minute)
	d.Plan()
	require.Equal(t, stops, sequence(d, driver))
	h = hold(d, driver, "A-1 delivery", "A-2 pickup")
	_, err = d.Planning.HoldRoute(t.Context(), person(d), h)
	require.Equal(t, fault.IllegalState, fault.KindOf(err), "it begins soon")
}

func TestAClosedRouteGetsNoOtherOrders(t *testing.T) {
	t.Parallel()
	d, driver := fiveOrders(t)
	was := sequence(d, driver)
	held, err := d.Planning.HoldRoute(t.Context(), person(d), hold(d, driver))
	require.NoError(t, err)
	require.True(t, held.Applied)
	require.Empty(t, held.Changed)
	require.Equal(t, was, sequence(d, driver), "as it is")
	d.Load("A-8", "D-1")
	d.Plan()
	d.Rest()
	require.NotEqual(t, driver, d.DriverOf("A-8"))
	require.Equal(t, was, sequence(d, driver))
	_, err = d.Planning.MoveOrders(t.Context(), person(d), moves(d, driver, "A-8"))
	require.ErrorContains(t, err, "plan.route_held")
	found, err := d.Planning.RankDrivers(t.Context(), person(d), operationstest.Area, idOf(d, "A-8"))
	require.NoError(t, err)
	at := slices.IndexFunc(found.Drivers, func(c planning.Candidate) bool { return c.DriverID == driverID(d, driver) })
	require.Equal(t, planning.RouteHeld, found.Drivers[at].Refused.Code)

	// A person takes an order out of it, and the others stay as they are.
	other := d.DriverOf("A-8")
	_, err = d.Planning.MoveOrders(t.Context(), person(d), moves(d, other, "A-3"))
	require.NoError(t, err)
	require.Equal(t, other, d.DriverOf("A-3"))
	d.Plan()
	require.Equal(t, slices.DeleteFunc(was, func(s string) bool { return strings.HasPrefix(s, "A-3 ") }), sequence(d, driver))

	// One who is ill hands the route over, and does not keep it.
	d.Do("update drivers set is_active = false where org_id = $1 and name = $2", d.Org, driver)
	d.Plan()
	require.NotEqual(t, driver, d.DriverOf("A-0"))
	require.NotEmpty(t, d.DriverOf("A-0"))
}

func TestBadSequencesAreRefused(t *testing.T) {
	t.Parallel()
	d, driver := fiveOrders(t)
	refused := func(text string, h planningops.PlanHold) {
		t.Helper()
		_, err := d.Planning.HoldRoute(t.Context(), person(d), h)
		require.ErrorContains(t, err, text)
	}
	refused("plan.pickup_missing", hold(d, driver, "A-0 delivery", "A-0 pickup"))
	refused("plan.stop_twice", hold(d, driver, "A-0 pickup", "A-0 pickup"))
	refused("plan.not_on_route", hold(d, otherVan(d, "A-0"), "A-0 pickup"))
	refused("plan.nothing_to_hold", hold(d, otherVan(d, "A-0")))
	var all []string
	heavy := 300.0
	for n := range 5 {
		d.Do("update order_products set weight = $2 where org_id = $1", d.Org, heavy)
		all = append(all, operationstest.Numbered(n)+" pickup")
	}
	refused("plan.too_much", hold(d, driver, all...))
	stale := hold(d, driver, "A-0 pickup")
	_, err := d.Planning.MoveOrders(t.Context(), person(d), moves(d, otherVan(d, "A-0"), "A-0"))
	require.NoError(t, err)
	refused("plan.not_on_route", stale)
}

// TestPlanningAndPeopleHoldAtOnce has planners, and people who hold, release, move and
// undo, change one plan at once.
func TestPlanningAndPeopleHoldAtOnce(t *testing.T) {
	t.Parallel()
	d, driver := fiveOrders(t)
	first := hold(d, driver, "A-1 pickup", "A-1 delivery")
	away := moves(d, otherVan(d, "A-0"), "A-2")
	first.Overrule, away.Overrule = true, true
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for range 4 {
				switch n {
				case 0:
					_, err := d.Planning.HoldRoute(t.Context(), person(d), first)
					acceptable(t, err)
				case 1:
					_, err := d.Planning.ReleaseRoute(t.Context(), person(d), operationstest.Area, first.DriverID)
					acceptable(t, err)
				case 2:
					_, err := d.Planning.PlanDay(t.Context(), person(d), planningops.PlanningSlice{Area: operationstest.Area})
					acceptable(t, err)
				case 3:
					_, err := d.Planning.MoveOrders(t.Context(), person(d), away)
					acceptable(t, err)
					_, err = d.Planning.UndoMoves(t.Context(), person(d), planningops.PlanUndo{Area: operationstest.Area, Moves: 1})
					acceptable(t, err)
				}
			}
		})
	}
	all.Wait()
	d.Plan()
	// A move whose undo met another change lasts, and the planner may follow it with more.
	for _, number := range []string{"A-1", "A-2"} {
		if d.DriverOf(number) == driver {
			continue
		}
		_, err := d.Planning.MoveOrders(t.Context(), person(d), moves(d, driver, number))
		require.NoError(t, err)
	}
	_, err := d.Planning.HoldRoute(t.Context(), person(d), hold(d, driver, "A-1 pickup", "A-1 delivery"))
	require.NoError(t, err)
	d.Plan()
	require.Equal(t, []string{"A-1 pickup", "A-1 delivery"}, sequence(d, driver)[:2])
	require.Equal(t, driver, d.DriverOf("A-2"))
}

// acceptable is what changes of one plan at once may end with.
func acceptable(t *testing.T, err error) {
	t.Helper()
	if err != nil && fault.KindOf(err) != fault.Conflict && fault.KindOf(err) != fault.IllegalState {
		t.Errorf("a change ends with %v", err)
	}
}
