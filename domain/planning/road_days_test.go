package planning_test

import (
	"fmt"
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

// roadDay is a day on the road with random events, and a plan after each.
type roadDay struct {
	t     *testing.T
	r     *rapid.T
	day   planning.Day
	said  map[int64][]driving.Fact
	given map[int64]int64 // the driver when an order was begun
	facts int
	story []string
}

func newRoadDay(t *testing.T, r *rapid.T) *roadDay {
	w := &roadDay{t: t, r: r, said: map[int64][]driving.Fact{}, given: map[int64]int64{}}
	w.day = aDay(rapid.SampledFrom([]int{6, 9, 10}).Draw(r, "hour"), nil)
	for id := range int64(rapid.IntRange(1, 3).Draw(r, "drivers")) {
		d := aDriver(id + 1)
		if rapid.Bool().Draw(r, "without a break") {
			d.Hours.Break.Minutes = 0
		}
		if rapid.Bool().Draw(w.r, "has a pace") {
			factor := rapid.IntRange(10, 30)
			d.Pace.Driving, d.Pace.Visits = float64(factor.Draw(w.r, "drives"))/20, float64(factor.Draw(w.r, "serves"))/20
		}
		w.day.Drivers = append(w.day.Drivers, d)
	}
	for range rapid.IntRange(2, 7).Draw(r, "orders") {
		w.arrives()
	}
	return w
}

func (w *roadDay) place() float64 {
	return 59.8 + float64(rapid.IntRange(0, 60).Draw(w.r, "place"))/200
}

// arrives adds an order whose windows begin within some hours.
func (w *roadDay) arrives() {
	o := carried(int64(len(w.day.Orders)+1), order.Registered, w.place(), w.place())
	o.DriverID = 0
	opens := later(w.day.Now, clock(7)).Add(time.Duration(rapid.IntRange(0, 360).Draw(w.r, "opens")) * time.Minute)
	within := func(least, most int) order.Window {
		width := time.Duration(rapid.IntRange(least, most).Draw(w.r, "width")) * time.Minute
		return order.Window{Earliest: opens, Latest: opens.Add(width)}
	}
	o.Pickup.Window, o.Delivery.Window = within(20, 180), within(60, 300)
	w.day.Orders = append(w.day.Orders, o)
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

func (w *roadDay) order(id int64) *planning.Order { return &w.day.Orders[id-1] }

// says adds a fact to an order, and updates its state.
func (w *roadDay) says(id int64, f driving.Fact) {
	o := w.order(id)
	if len(w.said[id]) == 0 {
		w.given[id] = o.DriverID
	}
	w.facts++
	f.ID, f.Clock = fmt.Sprint(w.facts), f.At
	w.said[id] = append(w.said[id], f)
	s := driving.History{GivenTo: w.given[id], Facts: w.said[id]}.Standing()
	o.Status, o.DriverID = s.Status, s.DriverID
	o.Pickup.Standing, o.Delivery.Standing = s.Pickup, s.Delivery
}

// taps reports something about a stop of a driver's route, in random sequence, now
// or earlier.
func (w *roadDay) taps() {
	if len(w.day.Routes) == 0 {
		return
	}
	route := rapid.SampledFrom(w.day.Routes).Draw(w.r, "route")
	if len(route.Stops) == 0 {
		return
	}
	stop := rapid.SampledFrom(route.Stops).Draw(w.r, "stop")
	deeds := []driving.Deed{driving.Arrive, driving.PickUp, driving.PickUp, driving.Fail}
	if stop.Kind == order.Delivery {
		deeds = []driving.Deed{driving.Arrive, driving.Deliver, driving.Deliver, driving.Fail}
	}
	deed := rapid.SampledFrom(deeds).Draw(w.r, "deed")
	at := w.day.Now.Add(-time.Duration(rapid.IntRange(0, 30).Draw(w.r, "offline")) * time.Minute)
	said := fmt.Sprintf("driver %d: %s order %d at %s", route.DriverID, deed, stop.OrderID, at.Format("15:04"))
	w.story = append(w.story, said)
	w.says(stop.OrderID, driving.Fact{Deed: deed, At: at, DriverID: route.DriverID, Stop: stop.Kind})
}

// undoes undoes the last fact of an order.
func (w *roadDay) undoes() {
	id := rapid.Int64Range(1, int64(len(w.day.Orders))).Draw(w.r, "order")
	said := w.said[id]
	if len(said) == 0 || said[len(said)-1].DriverID == 0 {
		return
	}
	last := said[len(said)-1]
	w.story = append(w.story, fmt.Sprintf("undo %s of order %d", last.Deed, id))
	w.says(id, driving.Fact{
		Deed: driving.Undo, At: last.At.Add(time.Second), DriverID: last.DriverID, Stop: last.Stop, Undoes: last.ID,
	})
}

// changes has the office do something.
func (w *roadDay) changes() {
	o := w.order(rapid.Int64Range(1, int64(len(w.day.Orders))).Draw(w.r, "order"))
	switch what := rapid.IntRange(0, 4).Draw(w.r, "what"); what {
	case 0:
		w.arrives()
	case 1:
		w.story = append(w.story, fmt.Sprintf("cancel order %d", o.ID))
		w.says(o.ID, driving.Fact{Deed: driving.Cancel, At: w.day.Now})
	case 2:
		w.story = append(w.story, fmt.Sprintf("move order %d", o.ID))
		o.Away = !o.Away
	case 3:
		if o.Status <= order.Planned {
			o.Prohibited = []int64{1}
		}
	case 4:
		if at := rapid.IntRange(0, len(w.day.Drivers)-1).Draw(w.r, "driver"); len(w.day.Drivers) > 1 {
			w.story = append(w.story, fmt.Sprintf("driver %d is off", w.day.Drivers[at].ID))
			w.day.Drivers = slices.Delete(slices.Clone(w.day.Drivers), at, at+1)
		}
	}
}

// looks records where drivers are and where they are going to, as the road
// does.
func (w *roadDay) looks() {
	for i := range w.day.Routes {
		r := &w.day.Routes[i]
		if rapid.IntRange(0, 3).Draw(w.r, "seen") == 0 {
			r.Seen = driving.Where{Latitude: w.place(), Longitude: 10.75, At: w.day.Now.Add(-time.Minute)}
		}
		if rapid.IntRange(0, 60).Draw(w.r, "ended") == 0 {
			r.Ended = w.day.Now
		}
		var ahead []driving.Ahead
		for _, s := range r.Stops {
			o := w.order(s.OrderID)
			standing, window := o.Pickup.Standing, o.Pickup.Window
			if s.Kind == order.Delivery {
				standing, window = o.Delivery.Standing, o.Delivery.Window
			}
			if o.Status == order.Cancelled {
				standing.Status = driving.StopFailed // as the road takes it
			}
			ahead = append(ahead, driving.Ahead{
				Latitude: s.Point.Latitude, Longitude: s.Point.Longitude, Arrives: s.Arrives, Starts: s.Starts, Leaves: s.Leaves,
				Driving: s.Driving, Meters: s.Meters, Earliest: window.Earliest, Standing: standing,
			})
		}
		var seen *driving.Where
		if !r.Seen.At.IsZero() {
			seen = &r.Seen
		}
		r.Heading = planning.Heading{}
		for _, eta := range driving.ETAs(ahead, seen, w.day.Now) {
			status := ahead[eta.Stop].Standing.Status
			require.Contains(w.r, []driving.StopStatus{"", driving.StopPending, driving.StopArrived}, status,
				"an ETA of a stop that is over")
			if eta.Ahead == 0 {
				s := r.Stops[eta.Stop]
				r.Heading = planning.Heading{OrderID: s.OrderID, Kind: s.Kind, At: eta.At}
			}
		}
	}
}

// plan plans the day, and checks the invariants.
func (w *roadDay) plan() {
	draft := w.day.Draft()
	for range draft.Profiles {
		draft.Problem.Travel = append(draft.Problem.Travel, roads(draft.Points))
	}
	draft.Hasten()
	require.NoError(w.r, draft.Problem.Validate(), "%v", w.story)
	result, err := routing.Improve(&draft.Problem, draft.Present, routing.Options{Seed: 1, Spent: routing.Iterations(30)})
	require.NoError(w.r, err)
	require.Empty(w.r, routing.Broken(&draft.Problem, result.Plan), "%v", w.story)
	s := draft.Solution(result.Plan, time.Second)
	for _, v := range routing.Check(&draft.Problem, result.Plan) {
		id := draft.Orders[v.Request]
		late := func(p *planning.Placed) bool { return p != nil && p.Late > 0 }
		driver := draft.Drivers[v.Shift]
		pickup, delivery := of(s, driver, id, order.Pickup), of(s, driver, id, order.Delivery)
		require.True(w.r, late(pickup) || late(delivery), "lateness is named")
	}
	w.onBoard(&s)
	w.noneDead(&s)
	w.headedFor(draft, &s)
	w.reasons(draft, result.Plan, &s)
	w.breaks(draft, &s)
	commit(&w.day, s)
	again := w.day.Difference(s)
	require.True(w.r, again.Empty(), "nobody is told twice: %+v\n%v", again, w.story)
}

// onBoard requires that orders begun by a driver are on their route, or reported as
// begun elsewhere: by a driver who doesn't work, or has gone home.
func (w *roadDay) onBoard(s *planning.Solution) {
	for i := range w.day.Orders {
		o := &w.day.Orders[i]
		if o.Status < order.AtPickup || o.Status >= order.AtDelivery {
			continue
		}
		named := slices.ContainsFunc(s.Unplanned, func(u planning.Unplanned) bool { return u.OrderID == o.ID })
		works := slices.ContainsFunc(w.day.Drivers, func(d planning.Driver) bool { return d.ID == o.DriverID })
		onRoute := of(*s, o.DriverID, o.ID, order.Delivery) != nil
		require.True(w.r, onRoute || named && (!works || w.wentHome(o.DriverID)) || o.Away && named,
			"order %d of driver %d, status %d, at %s: %v", o.ID, o.DriverID, o.Status, w.day.Now.Format("15:04"), w.story)
	}
}

// wentHome reports whether a driver has ended the route, and the shift is over, too. A report that is undone later
// can leave goods on board.
func (w *roadDay) wentHome(driver int64) bool {
	d := slices.IndexFunc(w.day.Drivers, func(d planning.Driver) bool { return d.ID == driver })
	r := slices.IndexFunc(w.day.Routes, func(r planning.Route) bool { return r.DriverID == driver })
	if d < 0 || r < 0 || w.day.Routes[r].Ended.IsZero() {
		return false
	}
	_, ends := w.day.Work(w.day.Drivers[d].Hours)
	return !w.day.Now.Before(ends)
}

// headedFor requires that the driver keeps the stop that they are heading for,
// as far as it can be known: they reported something, were seen away from there
// since, and may have the order. The delivery of an order whose pickup was
// undone does not count.
func (w *roadDay) headedFor(draft *planning.Draft, s *planning.Solution) {
	for i := range w.day.Routes {
		r := &w.day.Routes[i]
		h := &r.Heading
		at := slices.IndexFunc(w.day.Drivers, func(d planning.Driver) bool { return d.ID == r.DriverID })
		if h.OrderID == 0 || h.Kind == order.Delivery || at < 0 || !r.Ended.IsZero() ||
			r.Seen.At.Before(w.day.Now.Add(-10*time.Minute)) {
			continue
		}
		_, ends := w.day.Work(w.day.Drivers[at].Hours)
		o, last := w.order(h.OrderID), w.lastStop(r)
		if !w.isNext(r) || last == nil || o.Away || o.Status > order.Planned || len(o.Prohibited) > 0 ||
			!w.day.Now.Before(ends) ||
			driving.Distance(last.Point.Latitude, last.Point.Longitude, r.Seen.Latitude, r.Seen.Longitude) < 500 {
			continue
		}
		require.NotNil(w.r, of(*s, r.DriverID, h.OrderID, h.Kind), "driver %d is on his way to order %d at %s: %v",
			r.DriverID, h.OrderID, w.day.Now.Format("15:04"), w.story)
		visit := routing.PickupOf(slices.Index(draft.Orders, h.OrderID))
		require.Contains(w.r, draft.Problem.Shifts[slices.Index(draft.Drivers, r.DriverID)].Frozen, visit, "%v", w.story)
	}
}

// isNext reports whether the stop that a driver was heading for is still the next one. An
// undone report brings an earlier stop back.
func (w *roadDay) isNext(r *planning.Route) bool {
	for i := range r.Stops {
		s := &r.Stops[i]
		o := w.order(s.OrderID)
		standing := &o.Pickup.Standing
		if s.Kind == order.Delivery {
			standing = &o.Delivery.Standing
		}
		if o.Status.Active() && (standing.Status == "" || standing.Status == driving.StopPending) {
			return s.OrderID == r.Heading.OrderID && s.Kind == r.Heading.Kind
		}
	}
	return false
}

// breaks requires that a driver who finished the work before a break, and began
// nothing else until it was over, has had it, and that no movable stop
// postpones an overdue break.
func (w *roadDay) breaks(draft *planning.Draft, s *planning.Solution) {
	for i := range w.day.Routes {
		was := &w.day.Routes[i]
		k := slices.Index(draft.Drivers, was.DriverID)
		at := slices.IndexFunc(s.Routes, func(r planning.Route) bool { return r.DriverID == was.DriverID })
		if k < 0 || at < 0 || was.BreakStarts.IsZero() {
			continue
		}
		is, says := &s.Routes[at], fmt.Sprintf("driver %d at %s: %v", was.DriverID, w.day.Now.Format("15:04"), w.story)
		if !was.BreakEnds.After(w.day.Now) && !slices.ContainsFunc(was.Stops, func(s planning.Placed) bool {
			return w.spoils(&s, was.BreakStarts, was.BreakEnds)
		}) {
			require.Equal(w.r, was.BreakStarts, is.BreakStarts, says)
		}
		_, latest := w.day.Break(w.day.Drivers[slices.IndexFunc(w.day.Drivers, func(d planning.Driver) bool {
			return d.ID == was.DriverID
		})].Hours)
		if was.BreakStarts.Before(latest) || !is.BreakStarts.After(was.BreakStarts) {
			continue
		}
		for _, stop := range is.Stops {
			visit := routing.PickupOf(slices.Index(draft.Orders, stop.OrderID))
			if stop.Kind == order.Delivery {
				visit++
			}
			if stop.Starts.Before(later(was.BreakStarts, w.day.Now)) || !stop.Starts.Before(is.BreakStarts) || visit < 0 {
				continue
			}
			require.True(w.r, fixed(&draft.Problem, k, visit), "%s: visit %d", says, visit)
		}
	}
}

// fixed reports whether a shift makes a visit before a break that is due: a frozen one, or the rest of the visit in
// which the driver is, since nobody has a break within a visit.
func fixed(p *routing.Problem, k int, visit routing.Visit) bool {
	shift, stop := &p.Shifts[k], &p.Requests[visit.Request()].Pickup
	if visit.Delivers() {
		stop = &p.Requests[visit.Request()].Delivery
	}
	return slices.Contains(shift.Frozen, visit) ||
		slices.Contains(shift.Owed, visit) && stop.Site > 0 && stop.Site == shift.Site
}

// spoils reports whether a stop was not over before a break, or began before the break was over.
func (w *roadDay) spoils(s *planning.Placed, since, until time.Time) bool {
	standing := &w.order(s.OrderID).Pickup.Standing
	if s.Kind == order.Delivery {
		standing = &w.order(s.OrderID).Delivery.Standing
	}
	over := standing.Status == driving.StopCompleted || standing.Status == driving.StopFailed
	if s.Starts.Before(since) {
		return !over || !standing.Last().Before(since)
	}
	return !standing.Last().IsZero() && (standing.Arrived.IsZero() || standing.Arrived.Before(until))
}

// lastStop returns the last stop visited on a route, or nil if the driver is at
// one, or was at none since last seen.
func (w *roadDay) lastStop(r *planning.Route) (last *planning.Placed) {
	var when time.Time
	for i := range r.Stops {
		s := &r.Stops[i]
		o := w.order(s.OrderID)
		standing := &o.Pickup.Standing
		if s.Kind == order.Delivery {
			standing = &o.Delivery.Standing
		}
		if standing.Status == driving.StopArrived || o.DriverID != r.DriverID && !standing.Last().IsZero() {
			return nil
		}
		if at := standing.Last(); !at.IsZero() && !at.Before(when) {
			last, when = s, at
		}
	}
	if !r.Seen.At.After(when) {
		return nil
	}
	return last
}

// reasons requires that unplanned orders fit into no route, and that every driver has a
// reason.
func (w *roadDay) reasons(draft *planning.Draft, plan routing.Plan, s *planning.Solution) {
	for _, u := range s.Unplanned {
		require.NotEmpty(w.r, u.Reasons, "order %d: %v", u.OrderID, w.story)
		r := slices.Index(draft.Orders, u.OrderID)
		if r < 0 {
			continue
		}
		_, fits := routing.Insert(&draft.Problem, plan, r)
		require.False(w.r, fits, "order %d has a place: %+v\n%v", u.OrderID, u.Reasons, w.story)
		count := 0
		for _, why := range u.Reasons {
			count += why.Count
		}
		require.Contains(w.r, []int{0, len(draft.Drivers)}, count, "order %d: %+v", u.OrderID, u.Reasons)
	}
	left := map[int64]bool{}
	for _, u := range s.Unplanned {
		left[u.OrderID] = true
	}
	for _, r := range plan.Unplanned(len(draft.Orders)) {
		require.True(w.r, left[draft.Orders[r]], "order %d is neither planned nor left over: %v", draft.Orders[r], w.story)
	}
}

// noneDead requires that no route has a stop that is dropped, cancelled or another
// driver's.
func (w *roadDay) noneDead(s *planning.Solution) {
	for _, r := range s.Routes {
		for _, stop := range r.Stops {
			o := w.order(stop.OrderID)
			standing := o.Pickup.Standing
			if stop.Kind == order.Delivery {
				standing = o.Delivery.Standing
			}
			require.NotEqual(w.r, driving.StopDropped, standing.Status, "%v", w.story)
			if o.Status == order.Cancelled {
				require.False(w.r, standing.Last().IsZero(), "order %d: %v", o.ID, w.story)
			}
			if o.Status >= order.AtPickup {
				require.Equal(w.r, o.DriverID, r.DriverID, "order %d: %v", o.ID, w.story)
			}
		}
	}
}

// TestDaysOnTheRoadHold simulates random days: actions in any sequence, early,
// late, offline, failed and undone, orders that are added, cancelled and moved,
// drivers who go home, and positions anywhere. The plan follows each of them.
func TestDaysOnTheRoadHold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		w := newRoadDay(t, r)
		w.plan()
		for range rapid.IntRange(4, 25).Draw(r, "steps") {
			w.day.Now = w.day.Now.Add(time.Duration(rapid.IntRange(0, 45).Draw(r, "minutes")) * time.Minute)
			switch rapid.IntRange(0, 6).Draw(r, "step") {
			case 0, 1, 2, 3:
				w.taps()
			case 4:
				w.undoes()
			case 5:
				w.changes()
			}
			w.looks()
			w.plan()
		}
	})
}
