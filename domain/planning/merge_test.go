package planning_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

// twoVans is a day with two drivers who have two orders each, one north and one south,
// and a new order in the north.
func twoVans(t *testing.T) planning.Day {
	t.Helper()
	var orders []planning.Order
	for i, at := range []float64{59.95, 59.96, 59.80, 59.81} {
		o := carried(int64(i+1), order.Registered, at, at+0.005)
		o.DriverID, o.LockedTo = 0, int64(i/2+1)
		orders = append(orders, o)
	}
	day := aDay(6, orders, unpaused(1), unpaused(2))
	_, s := solve(t, day, 100)
	commit(&day, s)
	require.Len(t, day.Routes, 2)
	fresh := carried(5, order.Registered, 59.955, 59.957)
	fresh.DriverID, fresh.LockedTo = 0, 1
	day.Orders = append(day.Orders, fresh)
	day.Now = clock(7)
	return day
}

// copied is a day that can be changed without the other.
func copied(d planning.Day) planning.Day {
	d.Orders, d.Routes, d.Drivers = slices.Clone(d.Orders), slices.Clone(d.Routes), slices.Clone(d.Drivers)
	return d
}

// arrives reports a driver's arrival at a stop of their route.
func arrives(d *planning.Day, driver int64, stop int) {
	at := d.Routes[slices.IndexFunc(d.Routes, func(r planning.Route) bool { return r.DriverID == driver })].Stops[stop]
	o := &d.Orders[at.OrderID-1]
	o.Status = order.AtPickup
	o.Pickup.Standing = driving.StopStanding{Status: driving.StopArrived, Arrived: d.Now}
}

func merge(t *testing.T, was, now planning.Day) planning.Merged {
	t.Helper()
	_, s := solve(t, was, 100)
	diff := was.Difference(s)
	require.NotNil(t, of(s, 1, 5, order.Delivery), "the new order goes north")
	return was.Merge(s, &diff, &now)
}

func TestPlanSurvivesUnrelatedChanges(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*planning.Day){
		"nothing":                      func(*planning.Day) {},
		"a tap on another route":       func(d *planning.Day) { arrives(d, 2, 0) },
		"a tap that follows the route": func(d *planning.Day) { arrives(d, 1, 0) },
		"a new order": func(d *planning.Day) {
			d.Orders = append(d.Orders, carried(6, order.Registered, 59.9, 59.91))
		},
		"an ETA": func(d *planning.Day) { d.Routes[0].Stops[0].ETA = d.Routes[0].Stops[0].ETA.Add(time.Minute) },
	} {
		was := twoVans(t)
		now := copied(was)
		now.Routes[0].Stops = slices.Clone(now.Routes[0].Stops)
		change(&now)
		m := merge(t, was, now)
		require.Empty(t, m.Dropped, name)
		require.False(t, m.Redo, name)
		require.True(t, slices.ContainsFunc(m.Difference.Orders, func(c planning.OrderChange) bool {
			return c.OrderID == 5 && c.DriverID == 1 && c.Told == planning.Assigned
		}), name)
	}
}

func TestOnlyConflictingRoutesAreDropped(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*planning.Day){
		"a tap out of sequence": func(d *planning.Day) { arrives(d, 1, 2) },
		"another weight":        func(d *planning.Day) { d.Orders[4].Load[0]++ },
		"another driver":        func(d *planning.Day) { d.Orders[4].DriverID, d.Orders[4].Status = 2, order.Planned },
		"a driver's skills":     func(d *planning.Day) { d.Drivers[0].Skills = []int64{99} },
		"another sequence": func(d *planning.Day) {
			s := slices.Clone(d.Routes[0].Stops)
			d.Routes[0].Stops = slices.Concat(s[2:], s[:2])
		},
	} {
		was := twoVans(t)
		now := copied(was)
		change(&now)
		now.Drivers[1].Hours.Break.Minutes = 0
		m := merge(t, was, now)
		require.Contains(t, m.Dropped, int64(1), name)
		require.NotContains(t, m.Dropped, int64(2), name)
		require.True(t, m.Redo, name)
		require.False(
			t,
			slices.ContainsFunc(m.Difference.Orders, func(c planning.OrderChange) bool { return c.OrderID == 5 }),
			name,
		)
		require.Equal(t, now.Routes[0], m.Solution.Routes[0], "%s: the route stays", name)
	}
}

// TestRoutesThatExchangeOrdersAreDroppedTogether: an order would be on two routes or on
// none.
func TestRoutesThatExchangeOrdersAreDroppedTogether(t *testing.T) {
	t.Parallel()
	was := twoVans(t)
	was.Orders[0].LockedTo = 2
	now := copied(was)
	now.Drivers[1].Skills = []int64{99}
	m := merge(t, was, now)
	require.Equal(t, []int64{1, 2}, m.Dropped)
	require.True(t, m.Redo)
	require.True(t, m.Difference.Empty(), "%+v", m.Difference)
}

// merges plans the day during changes, and requires that the result fits them.
func (w *roadDay) merges() {
	was := copied(w.day)
	draft := was.Draft()
	for range draft.Profiles {
		draft.Problem.Travel = append(draft.Problem.Travel, roads(draft.Points))
	}
	result, err := routing.Improve(&draft.Problem, draft.Present, routing.Options{Seed: 2, Spent: routing.Iterations(30)})
	require.NoError(w.r, err)
	s := draft.Solution(result.Plan, time.Second)
	diff := was.Difference(s)
	for range rapid.IntRange(0, 3).Draw(w.r, "meanwhile") {
		switch rapid.IntRange(0, 4).Draw(w.r, "meanwhile") {
		case 0, 1:
			w.taps()
		case 2:
			w.undoes()
		case 3:
			w.changes()
		case 4:
			w.story = append(w.story, "another plan")
			w.plan()
		}
	}
	merged := was.Merge(s, &diff, &w.day)
	w.story = append(w.story, "merge")
	w.sameInPart(&was, s, &diff, &merged)
	w.fits(&merged)
	w.keep(&merged)
	seats := map[int64]int64{}
	for _, r := range w.day.Routes {
		for _, stop := range r.Stops {
			driver, again := seats[stop.OrderID]
			require.True(w.r, !again || driver == r.DriverID, "order %d is on two routes: %v", stop.OrderID, w.story)
			seats[stop.OrderID] = r.DriverID
		}
	}
	for _, u := range merged.Solution.Unplanned {
		require.Zero(w.r, seats[u.OrderID], "order %d is on a route and left over: %v", u.OrderID, w.story)
	}
}

// sameInPart requires the same result of a merge when only the parts that the difference
// touches are read again. It may leave the rest to the next plan.
func (w *roadDay) sameInPart(
	was *planning.Day, s planning.Solution, diff *planning.Difference, whole *planning.Merged,
) {
	orders, drivers := was.Touched(s, diff)
	part := copied(w.day)
	part.Orders = slices.DeleteFunc(part.Orders, func(o planning.Order) bool { return !slices.Contains(orders, o.ID) })
	part.Drivers = slices.DeleteFunc(part.Drivers, func(d planning.Driver) bool { return !slices.Contains(drivers, d.ID) })
	part.Routes = slices.DeleteFunc(part.Routes, func(r planning.Route) bool {
		return !slices.Contains(drivers, r.DriverID) &&
			!slices.ContainsFunc(r.Stops, func(p planning.Placed) bool { return slices.Contains(orders, p.OrderID) })
	})
	part.Unplanned = slices.DeleteFunc(slices.Clone(part.Unplanned), func(u planning.Unplanned) bool {
		return !slices.Contains(orders, u.OrderID)
	})
	now := was.Renewed(&part, orders, drivers)
	merged := was.Merge(s, diff, &now)
	require.Equal(w.r, whole.Dropped, merged.Dropped, "%v", w.story)
	require.Equal(w.r, whole.Redo, merged.Redo, "%v", w.story)
	require.Subset(w.r, whole.Difference.Unplanned, merged.Difference.Unplanned, "%v", w.story)
	require.Subset(w.r, whole.Difference.Replanned, merged.Difference.Replanned, "%v", w.story)
	a, b := whole.Difference, merged.Difference
	a.Unplanned, a.Replanned, b.Unplanned, b.Replanned = nil, nil, nil, nil
	require.Equal(w.r, inOrder(a), inOrder(b), "%v", w.story)
}

// inOrder sorts a difference's lists in the order of routes.
func inOrder(d planning.Difference) planning.Difference {
	slices.SortFunc(d.Routes, func(a, b planning.Route) int { return int(a.DriverID - b.DriverID) })
	slices.SortFunc(d.Stops, func(a, b planning.Sequenced) int {
		return cmp.Or(cmp.Compare(a.DriverID, b.DriverID), cmp.Compare(a.Seq, b.Seq))
	})
	slices.Sort(d.Resequenced)
	return d
}

// TestPartContainsOnlyTheDifference: a plan that changes one route reads one route again.
func TestPartContainsOnlyTheDifference(t *testing.T) {
	t.Parallel()
	was := twoVans(t)
	_, s := solve(t, was, 100)
	diff := was.Difference(s)
	orders, drivers := was.Touched(s, &diff)
	require.Equal(t, []int64{1, 2, 5}, orders)
	require.Equal(t, []int64{1}, drivers)
}

// TestSmallTimeChangesAreNotWritten keeps a driver waiting at a stop: small changes of
// times are written only once they add up to a relevant one.
func TestSmallTimeChangesAreNotWritten(t *testing.T) {
	t.Parallel()
	day := twoVans(t)
	day.Orders = day.Orders[:4]
	arrives(&day, 1, 0)
	day.Now = day.Routes[0].Stops[0].Leaves.Add(10 * time.Minute)
	later := func(by time.Duration) planning.Difference {
		day.Now = day.Now.Add(by)
		_, s := solve(t, day, 10)
		return commit(&day, s)
	}
	diff := later(0)
	require.Equal(t, []int64{1}, diff.Rewritten())
	diff = later(20 * time.Second)
	require.Empty(t, diff.Rewritten(), "%+v", diff)
	diff = later(20 * time.Second)
	require.Equal(t, []int64{1}, diff.Rewritten())
}

// TestOrderOnAnotherRouteIsRemoved: nothing is on two routes of a day that was read
// again in part.
func TestOrderOnAnotherRouteIsRemoved(t *testing.T) {
	t.Parallel()
	was := twoVans(t)
	was.Unplanned = []planning.Unplanned{{OrderID: 5}}
	moved := was.Routes[1].Stops[0].OrderID
	now := copied(was)
	now.Routes = []planning.Route{now.Routes[0]}
	now.Routes[0].Stops = append(slices.Clone(now.Routes[0].Stops), was.Routes[1].Stops[0], planning.Placed{OrderID: 5})
	now.Orders, now.Drivers, now.Unplanned = nil, nil, nil
	day := was.Renewed(&now, nil, []int64{was.Routes[0].DriverID})
	require.Len(t, day.Routes, 2)
	require.Equal(t, now.Routes[0], day.Routes[0])
	for _, stop := range day.Routes[1].Stops {
		require.NotEqual(t, moved, stop.OrderID)
	}
	require.NotEmpty(t, day.Routes[1].Stops)
	require.Empty(t, day.Unplanned)
	require.Len(t, was.Routes[1].Stops, 4, "the day of before is not changed")
}

// fits requires that no report or decision is overwritten.
func (w *roadDay) fits(m *planning.Merged) {
	for _, c := range m.Difference.Orders {
		o := w.order(c.OrderID)
		if o.Status >= order.AtPickup {
			require.Equal(w.r, []int64{o.DriverID, int64(o.Status)}, []int64{c.DriverID, int64(c.Status)},
				"order %d: %v", o.ID, w.story)
		}
	}
	for _, r := range w.day.Routes {
		for _, stop := range r.Stops {
			o := w.order(stop.OrderID)
			begun := o.Status >= order.AtPickup && o.Status < order.Delivered && o.DriverID == r.DriverID
			named := slices.ContainsFunc(m.Solution.Unplanned, func(u planning.Unplanned) bool { return u.OrderID == o.ID })
			works := slices.ContainsFunc(w.day.Drivers, func(d planning.Driver) bool { return d.ID == r.DriverID })
			if dead := o.Delivery.Standing.Status == driving.StopDropped; begun && !dead && !o.Away && (works || !named) {
				require.NotNil(w.r, of(m.Solution, r.DriverID, o.ID, stop.Kind), "order %d: %v", o.ID, w.story)
			}
		}
	}
}

// keep applies a merge as the database does.
func (w *roadDay) keep(m *planning.Merged) {
	orders := m.Difference.Orders
	w.day.Routes, w.day.Unplanned, w.day.Version = slices.Clone(m.Solution.Routes), m.Solution.Unplanned, w.day.Version+1
	for _, c := range orders {
		o := w.order(c.OrderID)
		o.Status, o.DriverID, o.PlannedSeconds = c.Status, c.DriverID, c.Seconds
	}
}

// TestPlansOfBusyDaysFitConcurrentChanges lets anything happen while a plan is made.
func TestPlansOfBusyDaysFitConcurrentChanges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		w := newRoadDay(t, r)
		w.plan()
		for range rapid.IntRange(2, 12).Draw(r, "steps") {
			w.day.Now = w.day.Now.Add(time.Duration(rapid.IntRange(0, 45).Draw(r, "minutes")) * time.Minute)
			w.taps()
			w.looks()
			w.merges()
			w.plan()
		}
	})
}
