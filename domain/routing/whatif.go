package routing

import (
	"cmp"
	"slices"
)

// Change is a kind of counterfactual.
type Change string

// The changes of counterfactuals.
const (
	// DeliveryCloses, PickupCloses and ShiftEnds move the end of a window or of
	// a shift.
	DeliveryCloses Change = "DELIVERY_LATEST"
	PickupCloses   Change = "PICKUP_LATEST"
	ShiftEnds      Change = "SHIFT_END"
	// ExtraShift adds a copy of an existing shift, with the skills and the vehicle type
	// that the request asks for.
	ExtraShift Change = "EXTRA_SHIFT"
	// OtherVehicle gives a shift a vehicle of the type that the request asks for.
	OtherVehicle Change = "OTHER_VEHICLE"
	// SplitRequest divides the load of the request among several requests.
	SplitRequest Change = "SPLIT_REQUEST"
	// WithoutRequest takes another request, of no greater penalty, off the plan.
	WithoutRequest Change = "WITHOUT_REQUEST"
)

// WhatIf is a change with which a request would be planned. Its plan proves it:
// Check accepts it for its problem.
type WhatIf struct {
	Change Change
	// Seconds is by how much the end moves.
	Seconds int64
	// Shift is the one that ends later or has another vehicle, or that the extra one is
	// like.
	Shift int
	// From and Until are the hours that an extra shift needs for the request.
	From, Until int64
	// Serves counts the requests, of those left over, that an extra shift with
	// the hours of its model would serve, this one included.
	Serves int
	// Without is the request that gives way.
	Without int
	// Parts is in how many requests the load is divided.
	Parts int
	// Late counts the requests that begin late.
	Late int
	// Searched holds when the rest of the plan moved, too.
	Searched bool

	Problem *Problem
	Plan    Plan
}

// WhatIf returns changes with which a request would be planned: the least move
// of each end with which it has a place in the plan as it is, another vehicle, a
// divided load, an extra shift, and the request that matters least of those that could
// give way. No change goes beyond the bounds; nil is none. For an end that helps at no
// hour, search, if any, returns the budget of a short search in which the rest of the
// plan may move.
func (e *Explainer) WhatIf(request int, search func() Options, within *Bounds) []WhatIf {
	if e.m.nowhere(request) {
		return nil
	}
	var found []WhatIf
	for _, end := range []Change{DeliveryCloses, PickupCloses, ShiftEnds} {
		if what, ok := e.leastMove(request, end, within); ok {
			found = append(found, what)
		} else if search != nil {
			if what, ok := e.searchedMove(request, end, search, within); ok {
				found = append(found, what)
			}
		}
	}
	for _, change := range []func(int, *Bounds) (WhatIf, bool){
		e.otherVehicle, e.split, e.longerAboard, e.lateVisits, e.extraShift,
	} {
		if what, ok := change(request, within); ok {
			found = append(found, what)
		}
	}
	if what, ok := e.givesWay(request); ok {
		found = append(found, what)
	}
	return slices.DeleteFunc(found, func(w WhatIf) bool {
		return len(Broken(w.Problem, w.Plan)) > 0 || w.Plan.ShiftOf(request + 1)[request] < 0 || within.exceeded(e.plan, &w)
	})
}

// farthest is how far an end may move: more is another day.
const farthest = 1 << 17

// leastMove finds the smallest helpful move by bisection: a later end
// allows everything that an earlier one does.
func (e *Explainer) leastMove(request int, end Change, within *Bounds) (WhatIf, bool) {
	if end == PickupCloses && e.m.halved(int32(request)) {
		return WhatIf{}, false
	}
	if end == ShiftEnds {
		return e.leastShiftEnd(request, within)
	}
	low, high := int64(0), within.closes(end)
	if !e.windowHelps(request, end, high) {
		return WhatIf{}, false
	}
	for high-low > 1 {
		if middle := (low + high) / 2; e.windowHelps(request, end, middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return e.moved(request, end, -1, high)
}

// windowHelps reports whether a request has a place when its window closes later.
// Nothing but the two visits of the request differs from the model.
func (e *Explainer) windowHelps(request int, end Change, seconds int64) bool {
	stop := &e.p.Requests[request].Delivery
	if end == PickupCloses {
		stop = &e.p.Requests[request].Pickup
	}
	if stop.Closes+seconds > MaxTime {
		return false
	}
	f := finder{m: e.m, exact: true}
	for k := range e.p.Shifts {
		if !e.m.allowed.has(request, k) {
			continue
		}
		a := *e.m.ask(int32(request), k)
		pickup, drop := *a.pickup, *a.drop
		if a.pickup, a.drop = &pickup, &drop; end == PickupCloses {
			pickup.closes = int32(stop.Closes + seconds)
		} else {
			drop.closes = int32(stop.Closes + seconds)
		}
		if f.find(k, e.routes[k], &a).cost < nowhere {
			return true
		}
	}
	return false
}

// leastShiftEnd looks for the shift that must work least longer.
func (e *Explainer) leastShiftEnd(request int, within *Bounds) (WhatIf, bool) {
	o := e.overlay()
	least, at := int64(farthest)+1, -1
	for k := range e.p.Shifts {
		if !e.m.allowed.has(request, k) {
			continue
		}
		low, high := int64(0), min(least-1, within.ends(k))
		if high <= 0 || !o.helps(request, k, high) {
			continue
		}
		for high-low > 1 {
			if middle := (low + high) / 2; o.helps(request, k, middle) {
				high = middle
			} else {
				low = middle
			}
		}
		if within == nil || o.driving(request, k, high) <= within.Driving[k] {
			least, at = high, k
		}
	}
	if at < 0 {
		return WhatIf{}, false
	}
	return e.moved(request, ShiftEnds, at, least)
}

// overlay is a model in which one shift at a time ends later. It shares all else
// with the explainer's.
type overlay struct {
	e *Explainer
	p Problem
	m model
}

func (e *Explainer) overlay() *overlay {
	o := &overlay{e: e, p: *e.p, m: *e.m}
	o.p.Shifts, o.m.shifts = slices.Clone(e.p.Shifts), slices.Clone(e.m.shifts)
	o.m.p = &o.p
	return o
}

// helps reports whether a request has a place in the route of a shift that ends later.
func (o *overlay) helps(request, k int, seconds int64) bool {
	visits := o.with(request, k, seconds)
	o.p.Shifts[k].End, o.m.shifts[k] = o.e.p.Shifts[k].End, o.e.m.shifts[k]
	return visits != nil
}

// driving returns the seconds of driving of a shift that ends later and has the request.
func (o *overlay) driving(request, k int, seconds int64) int64 {
	visits := o.with(request, k, seconds)
	driving := o.p.Timetable(k, visits).Driving
	o.p.Shifts[k].End, o.m.shifts[k] = o.e.p.Shifts[k].End, o.e.m.shifts[k]
	return driving
}

// with lets a shift end later and returns its route with the request, or nil when it has no
// place there.
func (o *overlay) with(request, k int, seconds int64) []Visit {
	ends := o.e.p.Shifts[k].End
	if ends+seconds > MaxTime {
		return nil
	}
	o.p.Shifts[k].End = ends + seconds
	o.m.shifts[k] = o.m.boundsOf(k)
	f := finder{m: &o.m, exact: true}
	route, a := o.m.routeOf(k, o.e.plan.Routes[k]), o.m.ask(int32(request), k)
	found := f.find(k, route, a)
	if found.cost >= nowhere {
		return nil
	}
	return visitsOf(o.m.spliced(nil, route.spots, a, int(found.i), int(found.j)))
}

// moved inserts the request after an end has moved.
func (e *Explainer) moved(request int, end Change, shift int, seconds int64) (WhatIf, bool) {
	p := e.with(request, end, shift, seconds)
	if p == nil {
		return WhatIf{}, false
	}
	plan, ok := e.insertInto(p, request, end, shift)
	return WhatIf{Change: end, Seconds: seconds, Shift: max(0, shift), Problem: p, Plan: plan}, ok
}

func (e *Explainer) insertInto(p *Problem, request int, end Change, shift int) (Plan, bool) {
	if end != ShiftEnds {
		return Insert(p, e.plan, request)
	}
	only := *p
	only.Requests = slices.Clone(p.Requests)
	only.Requests[request].Only = []int{shift}
	return Insert(&only, e.plan, request)
}

// with returns the problem with an end moved, or nil when that is out of range.
func (e *Explainer) with(request int, end Change, shift int, seconds int64) *Problem {
	p := *e.p
	var at *int64
	if end == ShiftEnds {
		p.Shifts = slices.Clone(p.Shifts)
		at = &p.Shifts[shift].End
	} else {
		p.Requests = slices.Clone(p.Requests)
		at = &p.Requests[request].Delivery.Closes
		if end == PickupCloses {
			at = &p.Requests[request].Pickup.Closes
		}
	}
	if *at+seconds > MaxTime {
		return nil
	}
	*at += seconds
	return &p
}

// moves are the candidates, in seconds.
var moves = []int64{600, 1200, 1800, 2700, 3600, 5400, 7200}

// searchedMove moves an end and lets the rest of the plan move. It counts when
// less is left over in all, this request not.
func (e *Explainer) searchedMove(
	request int, end Change, search func() Options, within *Bounds,
) (WhatIf, bool) {
	left := Price(e.p, e.plan).Unplanned
	if end == ShiftEnds || end == PickupCloses && e.m.halved(int32(request)) {
		return WhatIf{}, false
	}
	for _, seconds := range moves {
		if seconds > within.closes(end) {
			break
		}
		p := e.with(request, end, -1, seconds)
		if p == nil {
			break
		}
		result, err := Improve(p, e.plan, search())
		if err != nil {
			break
		}
		if result.Cost.Unplanned < left && result.Plan.ShiftOf(len(p.Requests))[request] >= 0 {
			return WhatIf{Change: end, Seconds: seconds, Searched: true, Problem: p, Plan: result.Plan}, true
		}
	}
	return WhatIf{}, false
}

// givesWay looks for the request with the smallest penalty, no greater than
// this one's, whose removal makes a place for this one.
func (e *Explainer) givesWay(request int) (WhatIf, bool) {
	shifts := e.plan.ShiftOf(len(e.p.Requests))
	var others []int
	for r := range e.p.Requests {
		k := shifts[r]
		if k >= 0 && e.m.begun.shift[r] < 0 && e.m.allowed.has(request, k) &&
			e.p.Requests[r].Penalty <= e.p.Requests[request].Penalty {
			others = append(others, r)
		}
	}
	slices.SortStableFunc(others, func(a, b int) int {
		return cmp.Compare(e.p.Requests[a].Penalty, e.p.Requests[b].Penalty)
	})
	for _, r := range others {
		k := shifts[r]
		visits := slices.DeleteFunc(slices.Clone(e.plan.Routes[k]), func(v Visit) bool { return v.Request() == r })
		f, a := finder{m: e.m, exact: true}, e.m.ask(int32(request), k)
		without := e.m.routeOf(k, visits)
		place := f.find(k, without, a)
		if place.cost >= nowhere {
			continue
		}
		plan := e.plan.Clone()
		plan.Routes[k] = visitsOf(e.m.spliced(nil, without.spots, a, int(place.i), int(place.j)))
		return WhatIf{Change: WithoutRequest, Without: r, Shift: k, Problem: e.p, Plan: plan}, true
	}
	return WhatIf{}, false
}
