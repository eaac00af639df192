package planning_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/domain/simulation"
)

// wholeDay is a simulated day with a plan after each minute with reports. Planning takes no time,
// so the result does not depend on the machine.
type wholeDay struct {
	t       *testing.T
	day     planning.Day
	run     simulation.Run
	drivers map[int64]*simulation.Driver
	said    map[int64][]driving.Fact
	came    map[int64]time.Time
	facts   int
}

// drive simulates a day of orders with drivers who work from six to eight in
// the evening. One order in ten is added during the day.
func drive(t *testing.T, trouble simulation.Trouble, orders, drivers int, paused bool) *wholeDay {
	t.Helper()
	w := &wholeDay{
		t: t, drivers: map[int64]*simulation.Driver{}, said: map[int64][]driving.Fact{}, came: map[int64]time.Time{},
		day: aDay(4, nil),
		run: simulation.Run{
			OrgID: 1, ID: 1, Day: date, Started: clock(4), Pace: 1, Trouble: trouble,
			Clock: simulation.Clock{From: clock(4), Since: clock(4), Pace: 1},
		},
	}
	for id := range int64(drivers) {
		d := unpaused(id + 1)
		d.Hours.Starts, d.Hours.Ends, d.Vehicle.Home, d.Vehicle.MaxRouteKm = 360, 1200, nil, nil
		if paused {
			d.Hours.Break = driver.Break{Minutes: 30, Earliest: 660, Latest: 780}
		}
		w.day.Drivers = append(w.day.Drivers, d)
		w.drivers[d.ID] = &simulation.Driver{ID: d.ID, Turn: int(id)}
	}
	known := orders - orders/10
	for n := range known {
		w.take(n)
	}
	w.plan(400)
	for w.day.Now.Before(clock(24)) {
		w.day.Now = w.day.Now.Add(time.Minute)
		happened := w.goOn()
		if done := w.delivered(); len(w.day.Orders) < orders && done*2 > (len(w.day.Orders)-known)*10 {
			w.take(len(w.day.Orders))
			happened = true
		}
		if happened {
			w.looks()
			w.plan(20)
		}
	}
	return w
}

// take adds an order: to be picked up before eleven and delivered within three hours, or within the
// next hours when the day is driven already.
func (w *wholeDay) take(n int) {
	at := func(lat, lon float64) *planning.Point { return &planning.Point{Latitude: lat, Longitude: lon} }
	begins := clock(8 + n%4*2)
	o := planning.Order{
		ID: int64(n + 1), Number: fmt.Sprintf("DAY-%03d", n), Status: order.Registered, VehicleTypeID: 2,
		Load: routing.Load{int32(20_000 * (1 + n%4)), int32(500 * (1 + n%4)), 1},
		Pickup: planning.Stop{
			Point: at(59.9+float64(n%4)/100, 10.8+float64(n%4)/100), Service: 15 * time.Minute,
			Window: order.Window{Earliest: clock(7), Latest: clock(11)},
		},
		Delivery: planning.Stop{
			Point: at(59.88+float64(n*37%100)/1000, 10.68+float64(n*61%100)/500), Service: 10 * time.Minute,
			Window: order.Window{Earliest: begins, Latest: begins.Add(3 * time.Hour)},
		},
	}
	w.came[o.ID] = w.day.Now
	if w.day.Now.After(clock(4)) {
		ready := w.day.Now.Add(30 * time.Minute)
		o.Pickup.Window = order.Window{Earliest: ready, Latest: ready.Add(2 * time.Hour)}
		o.Delivery.Window = order.Window{Earliest: ready, Latest: ready.Add(3 * time.Hour)}
	}
	w.day.Orders = append(w.day.Orders, o)
}

func (w *wholeDay) order(id int64) *planning.Order { return &w.day.Orders[id-1] }

func (w *wholeDay) standing(s *planning.Placed) *driving.StopStanding {
	if s.Kind == order.Delivery {
		return &w.order(s.OrderID).Delivery.Standing
	}
	return &w.order(s.OrderID).Pickup.Standing
}

func (w *wholeDay) delivered() (n int) {
	for i := range w.day.Orders {
		if s := w.day.Orders[i].Status; s == order.Delivered || s == order.Failed {
			n++
		}
	}
	return n
}

// ahead are the stops of a route that are not over, as a simulated driver sees them.
func (w *wholeDay) ahead(r *planning.Route) (stops []simulation.Stop) {
	for i := range r.Stops {
		s := &r.Stops[i]
		o, standing := w.order(s.OrderID), w.standing(s)
		pending := standing.Status == "" || standing.Status == driving.StopPending
		if !o.Status.Active() || !pending && standing.Status != driving.StopArrived {
			continue
		}
		way := s.Driving
		if i > 0 {
			before := w.standing(&r.Stops[i-1])
			switch {
			case before.Status == "" || before.Status == driving.StopPending:
				way = s.Arrives.Sub(r.Stops[i-1].Leaves)
			case !r.BreakStarts.Before(r.Stops[i-1].Leaves) && r.BreakStarts.Before(s.Arrives):
				way += r.BreakEnds.Sub(r.BreakStarts)
			}
		}
		window := o.Pickup.Window
		if s.Kind == order.Delivery {
			window = o.Delivery.Window
		}
		id := 2 * s.OrderID
		if s.Kind == order.Delivery {
			id++
		}
		stops = append(stops, simulation.Stop{
			ID: id, Kind: s.Kind, Number: o.Number, Arrived: standing.Status == driving.StopArrived,
			Latitude: s.Point.Latitude, Longitude: s.Point.Longitude, Known: w.came[o.ID],
			Way: way, Driving: s.Driving, Earliest: window.Earliest, Service: s.Service(),
		})
	}
	return stops
}

// goOn makes all drivers report their progress, and reports whether anything happened.
func (w *wholeDay) goOn() (happened bool) {
	for id, d := range w.drivers {
		at := slices.IndexFunc(w.day.Routes, func(r planning.Route) bool { return r.DriverID == id })
		if at < 0 {
			continue
		}
		r := &w.day.Routes[at]
		d.SetsOut, d.Stops = r.Starts, w.ahead(r)
		if len(d.Stops) == 0 && !d.OnTheRoad() {
			continue
		}
		due, _ := w.run.Steps(d, w.day.Now)
		for _, step := range due {
			happened = true
			w.does(d, r, &step)
		}
		if len(due) == 0 {
			if p := w.run.Position(d, w.day.Now); p != nil {
				d.Was = p
				r.Seen = driving.Where{Latitude: p.Latitude, Longitude: p.Longitude, At: p.At}
			}
		}
	}
	return happened
}

func (w *wholeDay) does(d *simulation.Driver, r *planning.Route, step *simulation.Step) {
	d.Last = step.At
	switch step.Deed {
	case driving.StartRoute:
		d.Starts++
		return
	case driving.EndRoute:
		d.Ends, r.Ended = d.Ends+1, step.At
		return
	}
	d.Was = step.Position
	d.Was.At = step.At
	id, kind := step.StopID/2, order.Pickup
	if step.StopID%2 == 1 {
		kind = order.Delivery
	}
	w.facts++
	o := w.order(id)
	w.said[id] = append(w.said[id], driving.Fact{
		ID: fmt.Sprint(w.facts), Deed: step.Deed, At: step.At, Clock: step.At, DriverID: d.ID, Stop: kind,
	})
	s := driving.History{GivenTo: d.ID, Facts: w.said[id]}.Standing()
	o.Status, o.DriverID, o.Pickup.Standing, o.Delivery.Standing = s.Status, s.DriverID, s.Pickup, s.Delivery
}

// looks works out where drivers are going to, as the road does.
func (w *wholeDay) looks() {
	for i := range w.day.Routes {
		r := &w.day.Routes[i]
		var ahead []driving.Ahead
		left := time.Time{}
		for j := range r.Stops {
			s := &r.Stops[j]
			o, window := w.order(s.OrderID), w.order(s.OrderID).Pickup.Window
			if s.Kind == order.Delivery {
				window = o.Delivery.Window
			}
			a := driving.Ahead{
				Latitude: s.Point.Latitude, Longitude: s.Point.Longitude, Arrives: s.Arrives, Starts: s.Starts, Leaves: s.Leaves,
				Driving: s.Driving, Meters: s.Meters, Earliest: window.Earliest, Standing: *w.standing(s),
			}
			if !r.BreakStarts.IsZero() && !r.BreakStarts.Before(left) && r.BreakStarts.Before(s.Arrives) {
				a.BreakStarts, a.Break = r.BreakStarts, r.BreakEnds.Sub(r.BreakStarts)
			}
			ahead, left = append(ahead, a), s.Leaves
		}
		var seen *driving.Where
		if r.Seen.At.After(w.day.Now.Add(-15 * time.Minute)) {
			seen = &r.Seen
		}
		r.Heading = planning.Heading{}
		for _, eta := range driving.ETAs(ahead, seen, w.day.Now) {
			if eta.Ahead == 0 {
				s := r.Stops[eta.Stop]
				r.Heading = planning.Heading{OrderID: s.OrderID, Kind: s.Kind, At: eta.At}
			}
		}
	}
}

func (w *wholeDay) plan(steps int) {
	draft := w.day.Draft()
	if len(draft.Drivers) == 0 {
		return
	}
	for range draft.Profiles {
		draft.Problem.Travel = append(draft.Problem.Travel, roads(draft.Points))
	}
	options := routing.Options{Seed: 1, Spent: routing.Iterations(steps)}
	result, err := routing.Improve(&draft.Problem, draft.Present, options)
	require.NoError(w.t, err)
	s := draft.Solution(result.Plan, time.Second)
	commit(&w.day, s)
}

// result is the result of the day.
func (w *wholeDay) result() (late, left int, words []string) {
	for i := range w.day.Orders {
		o := &w.day.Orders[i]
		if o.Status < order.AtDelivery {
			left++
			words = append(words, fmt.Sprintf("%s %d came %s", o.Number, o.Status, w.came[o.ID].Format("15:04")))
			continue
		}
		at := o.Delivery.Standing.Arrived
		if by := at.Sub(o.Delivery.Window.Latest); by > 15*time.Minute {
			late++
			words = append(words, fmt.Sprintf("%s of driver %d came %s, until %s, arrived %s", o.Number, o.DriverID,
				w.came[o.ID].Format("15:04"), o.Delivery.Window.Latest.Format("15:04"), at.Format("15:04")))
		}
	}
	return late, left, words
}

// TestSimulatedDayWithoutIncidentsIsOnTime checks that only incidents cause
// delays and unplanned orders.
func TestSimulatedDayWithoutIncidentsIsOnTime(t *testing.T) {
	t.Parallel()
	for _, paused := range []bool{false, true} {
		w := drive(t, simulation.NoTrouble, 60, 6, paused)
		late, left, words := w.result()
		require.Zero(t, late, words)
		require.Zero(t, left, words)
	}
	for _, trouble := range []simulation.Trouble{simulation.UsualTrouble, simulation.MuchTrouble} {
		late, left, words := drive(t, trouble, 60, 6, false).result()
		require.Less(t, late, 60/3, words)
		require.Less(t, left, 60/10, words)
		t.Logf("%s: %d of 60 are late, %d have no driver: %v", trouble, late, left, words)
	}
}
