package planning

import (
	"slices"
	"time"

	"waybill/domain/routing"
)

// Day is what there is to plan: the orders of a department and a day, and who
// works then.
type Day struct {
	Clock
	// Now is the moment from which on something can happen.
	Now     time.Time
	Orders  []Order
	Drivers []Driver
}

// Draft is a day as a problem that has no travel times yet. Seconds count from
// the beginning of the day, in the organization's zone.
type Draft struct {
	// Points are the places of the problem, and Profiles those of its matrices,
	// both in their order.
	Points   []Point
	Profiles []Profile
	Problem  routing.Problem
	// Orders are those of the requests, and Drivers those of the shifts.
	Orders, Drivers []int64
	// Unplannable are orders that nobody can carry out.
	Unplannable map[int64]Reason

	day    Day
	places map[Point]int
}

// Draft turns the open orders of the day, and those who can still work, into a
// problem. What is under way already is no part of it.
func (d Day) Draft() *Draft {
	draft := &Draft{day: d, places: map[Point]int{}, Unplannable: map[int64]Reason{}}
	for i := range d.Drivers {
		draft.shift(&d.Drivers[i])
	}
	for i := range d.Orders {
		if o := &d.Orders[i]; o.Standing() == Open {
			draft.request(o)
		}
	}
	return draft
}

// second counts from the beginning of the day.
func (d *Draft) second(t time.Time) int64 { return int64(t.Sub(d.day.At(0, 0)) / time.Second) }

// place returns the number of a point; without one it is anywhere.
func (d *Draft) place(p *Point) int {
	if p == nil {
		return routing.Anywhere
	}
	n, known := d.places[*p]
	if !known {
		n = len(d.Points)
		d.places[*p] = n
		d.Points = append(d.Points, *p)
	}
	return n
}

func (d *Draft) profile(p Profile) int {
	if n := slices.Index(d.Profiles, p); n >= 0 {
		return n
	}
	d.Profiles = append(d.Profiles, p)
	return len(d.Profiles) - 1
}

// shift adds a driver whose work is not over.
func (d *Draft) shift(of *Driver) {
	starts, ends := d.day.Work(of.Hours)
	if !ends.After(d.day.Now) {
		return
	}
	if d.day.Now.After(starts) {
		starts = d.day.Now
	}
	v := &of.Vehicle
	shift := routing.Shift{
		Profile: d.profile(v.Profile), From: d.place(or(of.Start, v.Home)), To: d.place(or(of.End, v.Home)),
		Start: d.second(starts), End: d.second(ends), Capacity: v.capacity(), Serves: v.serves(), Skills: of.skills(),
	}
	if v.MaxRouteKm != nil {
		shift.MaxMeters = int64(*v.MaxRouteKm * 1000)
	}
	if earliest, latest := d.day.Break(of.Hours); !latest.Before(starts) && of.Hours.Break.Minutes > 0 {
		shift.Break = routing.Break{
			Earliest: d.second(later(earliest, starts)), Latest: d.second(latest), Seconds: int64(of.Hours.Break.Minutes) * 60,
		}
	}
	d.Problem.Shifts = append(d.Problem.Shifts, shift)
	d.Drivers = append(d.Drivers, of.ID)
}

func or(p, otherwise *Point) *Point {
	if p == nil {
		return otherwise
	}
	return p
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// request adds an order, or says why nobody can carry it out.
func (d *Draft) request(o *Order) {
	var only, never []int
	for k, id := range d.Drivers {
		if id == o.LockedTo {
			only = append(only, k)
		}
		if slices.Contains(o.Prohibited, id) {
			never = append(never, k)
		}
	}
	reason := o.Impossible(later(d.day.Now, d.day.At(0, 0)), 0)
	switch {
	case reason != "":
	case len(d.Drivers) == 0:
		reason = NoWorkday
	case o.LockedTo != 0 && len(only) == 0:
		reason = LockedDriverOff
	}
	if reason != "" {
		d.Unplannable[o.ID] = reason
		return
	}
	d.Problem.Requests = append(d.Problem.Requests, routing.Request{
		Pickup: d.stop(&o.Pickup), Delivery: d.stop(&o.Delivery), Load: o.Load, VehicleType: int(o.VehicleTypeID),
		Needs: numbers(o.Needs), Refuses: numbers(o.Refuses), Only: only, Never: never, Penalty: o.penalty(),
	})
	d.Orders = append(d.Orders, o.ID)
}

func (d *Draft) stop(s *Stop) routing.Stop {
	return routing.Stop{
		Place: d.place(s.Point), Opens: max(d.second(s.Window.Earliest), 0), Closes: d.second(s.Window.Latest),
		ServiceSeconds: int64(s.Service / time.Second),
	}
}

func numbers(ids []int64) []int {
	all := make([]int, len(ids))
	for i, id := range ids {
		all[i] = int(id)
	}
	return all
}
