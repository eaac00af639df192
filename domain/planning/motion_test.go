package planning_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

// world is a simulated day: it is planned, stored, and planned again as the
// clock runs and events occur.
type world struct {
	t   *testing.T
	rng *rand.Rand
	day planning.Day
	// kept is how many stops stayed because they were over or about to begin.
	kept int
}

func newWorld(t *testing.T, seed int) *world {
	w := &world{t: t, rng: rand.New(rand.NewPCG(uint64(seed), 7))}
	w.day = planning.Day{Clock: planning.Clock{Date: date, Zone: time.UTC}, Now: clock(5)}
	for id := range int64(2 + w.rng.IntN(3)) {
		home := w.somewhere()
		w.day.Drivers = append(w.day.Drivers, planning.Driver{
			ID: id + 1, Skills: []int64{id % 2},
			Hours: driver.Hours{
				Starts: order.Clock(420 + 60*w.rng.IntN(2)), Ends: order.Clock(900 + 60*w.rng.IntN(4)),
				Break: driver.Break{Minutes: 30, Earliest: 660, Latest: 780},
			},
			Vehicle: planning.Vehicle{ID: id + 1, TypeID: 1, Home: &home},
		})
		if seed%2 == 1 {
			w.day.Drivers[id].Pace = randomPace(w.rng)
		}
	}
	for range 6 + w.rng.IntN(10) {
		w.arrives()
	}
	return w
}

func (w *world) somewhere() planning.Point {
	return planning.Point{Latitude: 59.8 + w.rng.Float64()*0.2, Longitude: 10.6 + w.rng.Float64()*0.4}
}

// arrives adds an order with windows in the future.
func (w *world) arrives() {
	from, to := w.somewhere(), w.somewhere()
	opens := max(w.day.Now.Sub(date), 7*time.Hour) + time.Duration(w.rng.IntN(4))*time.Hour
	o := planning.Order{
		ID: int64(len(w.day.Orders) + 1), Status: order.Registered, VehicleTypeID: 1, Load: routing.Load{10, 10, 1},
		Pickup: planning.Stop{
			Point: &from, Service: 4 * time.Minute,
			Window: order.Window{Earliest: date.Add(opens), Latest: date.Add(opens + 3*time.Hour)},
		},
		Delivery: planning.Stop{
			Point: &to, Service: 3 * time.Minute,
			Window: order.Window{Earliest: date.Add(opens), Latest: date.Add(opens + 5*time.Hour)},
		},
	}
	if w.rng.IntN(5) == 0 {
		o.Needs = []int64{1}
	}
	w.day.Orders = append(w.day.Orders, o)
}

// roads are as long as the crow flies, at ten metres a second.
func roads(points []planning.Point) routing.Travel {
	legs := make([]routing.Leg, 0, len(points)*len(points))
	for _, a := range points {
		for _, b := range points {
			meters := math.Hypot((a.Latitude-b.Latitude)*111_000, (a.Longitude-b.Longitude)*55_000)
			legs = append(legs, routing.Leg{Seconds: int32(meters / 10), Meters: int32(meters)})
		}
	}
	return routing.Travel{Places: len(points), Legs: legs}
}

// plan plans again, stores the plan, and returns the changes.
func (w *world) plan() planning.Difference {
	w.t.Helper()
	draft := w.day.Draft()
	for range draft.Profiles {
		draft.Problem.Travel = append(draft.Problem.Travel, roads(draft.Points))
	}
	draft.Hasten()
	require.NoError(w.t, draft.Problem.Validate())
	for _, shift := range draft.Problem.Shifts {
		w.kept += len(shift.Frozen) + len(shift.OnBoard)
	}
	result, err := routing.Improve(&draft.Problem, draft.Present, routing.Options{Seed: 1, Spent: routing.Iterations(60)})
	require.NoError(w.t, err)
	require.Empty(w.t, routing.Broken(&draft.Problem, result.Plan))
	solution := draft.Solution(result.Plan, time.Second)
	diff := w.day.Difference(solution)
	w.began(&diff)
	w.keep(solution, &diff)
	again := w.day.Difference(solution)
	require.True(w.t, again.Empty(), "what is kept is not to be written again: %+v", again)
	return diff
}

// began requires that no stop which has begun is moved to another time.
func (w *world) began(diff *planning.Difference) {
	w.t.Helper()
	for _, r := range w.day.Routes {
		if slices.ContainsFunc(r.Stops, func(s planning.Placed) bool { return w.order(s.OrderID).Status > order.Planned }) {
			continue // this driver reports what has begun
		}
		for _, s := range r.Stops {
			at := slices.IndexFunc(diff.Stops, func(is planning.Sequenced) bool {
				return is.OrderID == s.OrderID && is.Kind == s.Kind
			})
			o := w.order(s.OrderID)
			if at >= 0 && !s.Starts.After(w.day.Now) && o.Status == order.Planned && o.DriverID == r.DriverID {
				require.Equal(w.t, s.Starts, diff.Stops[at].Starts, "a stop that has begun is over")
				require.Equal(w.t, r.DriverID, diff.Stops[at].DriverID)
			}
		}
	}
}

func (w *world) order(id int64) *planning.Order { return &w.day.Orders[id-1] }

// keep saves the changes, like the database.
func (w *world) keep(s planning.Solution, diff *planning.Difference) {
	w.day.Routes, w.day.Unplanned = s.Routes, s.Unplanned
	w.day.Version++
	for _, c := range diff.Orders {
		o := w.order(c.OrderID)
		o.DriverID, o.Status, o.PlannedSeconds = c.DriverID, c.Status, c.Seconds
	}
}

// happens makes a random change that plans must cope with.
func (w *world) happens() {
	o := w.order(int64(1 + w.rng.IntN(len(w.day.Orders))))
	switch w.rng.IntN(6) {
	case 0, 1:
		w.arrives()
	case 2:
		if o.Status <= order.Planned {
			o.Status = order.Cancelled
		}
	case 3:
		if o.Status == order.Planned {
			o.LockedTo = w.day.Drivers[w.rng.IntN(len(w.day.Drivers))].ID
		}
	case 4:
		o.Prohibited = []int64{w.day.Drivers[0].ID}
	case 5:
		o.Exported = o.Status <= order.Planned
	}
}

// TestPlansOfDaysInMotionHold runs random days with orders that are added,
// removed, locked, prohibited and exported.
func TestPlansOfDaysInMotionHold(t *testing.T) {
	t.Parallel()
	kept := 0
	for seed := range 120 {
		w := newWorld(t, seed)
		w.plan()
		for w.day.Now.Before(clock(17)) {
			w.day.Now = w.day.Now.Add(time.Duration(20+w.rng.IntN(100)) * time.Minute)
			if w.rng.IntN(2) == 0 {
				w.happens()
			}
			w.plan()
			require.False(t, t.Failed(), "seed %d", seed)
		}
		kept += w.kept
	}
	require.Greater(t, kept, 300)
}

// TestDayAsPlannedRaisesNoExceptions runs the clock without events.
func TestDayAsPlannedRaisesNoExceptions(t *testing.T) {
	t.Parallel()
	for seed := range 15 {
		w := newWorld(t, seed)
		w.plan()
		for w.day.Now.Before(clock(17)) {
			w.day.Now = w.day.Now.Add(7 * time.Minute)
			for _, c := range w.plan().Orders {
				if c.Told == planning.TakenOff || c.Told == planning.Assigned && w.order(c.OrderID).Status != order.Planned {
					t.Fatalf("seed %d, %s: order %d: %+v", seed, w.day.Now, c.OrderID, c)
				}
			}
		}
	}
}

// TestDriverReportsOverrideTheClock checks that a driver's reports count, not
// the clock.
func TestDriverReportsOverrideTheClock(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 3)
	w.plan()
	route := w.day.Routes[slices.IndexFunc(w.day.Routes, func(r planning.Route) bool { return len(r.Stops) >= 4 })]
	first := route.Stops[0]
	w.order(first.OrderID).Status = order.PickedUp
	w.day.Now = first.Leaves.Add(50 * time.Minute)
	w.plan()
	same := func(r planning.Route) bool { return r.DriverID == route.DriverID }
	now := w.day.Routes[slices.IndexFunc(w.day.Routes, same)]
	require.Equal(t, first, now.Stops[0], "what is done stays")
	for _, s := range now.Stops[1:] {
		require.False(t, s.Starts.Before(w.day.Now), "he is late with all that he has not reported")
	}
}

// TestLateDriverIsPlannedFromExpectedArrival checks that later stops are planned from
// the expected arrival, not the planned one.
func TestLateDriverIsPlannedFromExpectedArrival(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 3)
	w.plan()
	at := slices.IndexFunc(w.day.Routes, func(r planning.Route) bool { return len(r.Stops) >= 4 })
	route := &w.day.Routes[at]
	first, next := route.Stops[0], route.Stops[1]
	w.order(first.OrderID).Status = order.PickedUp
	w.day.Now = first.Leaves
	late := next.Starts.Add(90 * time.Minute).Truncate(time.Second)
	route.Heading = planning.Heading{OrderID: next.OrderID, Kind: next.Kind, At: late}
	driver := route.DriverID
	w.plan()
	now := w.day.Routes[slices.IndexFunc(w.day.Routes, func(r planning.Route) bool { return r.DriverID == driver })]
	require.Equal(t, []any{next.OrderID, next.Kind}, []any{now.Stops[1].OrderID, now.Stops[1].Kind}, "he is going there")
	require.False(t, now.Stops[1].Starts.Before(late))
	for _, s := range now.Stops[2:] {
		require.False(t, s.Starts.Before(now.Stops[1].Leaves))
	}
}
