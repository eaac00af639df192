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
	// ExtraShift adds a copy of an existing shift.
	ExtraShift Change = "EXTRA_SHIFT"
	// WithoutRequest takes another request, of no greater penalty, off the plan.
	WithoutRequest Change = "WITHOUT_REQUEST"
)

// WhatIf is a change with which a request would be planned. Its plan proves it:
// Check accepts it for its problem.
type WhatIf struct {
	Change Change
	// Seconds is by how much the end moves.
	Seconds int64
	// Shift is the one that ends later, or that the extra one is like.
	Shift int
	// From and Until are the hours that an extra shift needs for the request.
	From, Until int64
	// Serves counts the requests, of those left over, that an extra shift with
	// the hours of its model would serve, this one included.
	Serves int
	// Without is the request that gives way.
	Without int
	// Searched holds when the rest of the plan moved, too.
	Searched bool

	Problem *Problem
	Plan    Plan
}

// WhatIf returns changes with which a request would be planned: the smallest
// move of each end with which it fits the present plan, an extra shift, and the
// least important request that could give way. For an end without such a move,
// search, if not nil, returns the budget of a short search in which the rest of
// the plan may move.
func (e *Explainer) WhatIf(request int, search func() Options) []WhatIf {
	if e.m.nowhere(request) {
		return nil
	}
	var found []WhatIf
	for _, end := range []Change{DeliveryCloses, PickupCloses, ShiftEnds} {
		if what, ok := e.leastMove(request, end); ok {
			found = append(found, what)
		} else if search != nil {
			if what, ok := e.searchedMove(request, end, search); ok {
				found = append(found, what)
			}
		}
	}
	if what, ok := e.extraShift(request); ok {
		found = append(found, what)
	}
	if what, ok := e.givesWay(request); ok {
		found = append(found, what)
	}
	return slices.DeleteFunc(found, func(w WhatIf) bool {
		return len(Broken(w.Problem, w.Plan)) > 0 || w.Plan.ShiftOf(request + 1)[request] < 0
	})
}

// farthest is how far an end may move: more is another day.
const farthest = 1 << 17

// leastMove finds the smallest helpful move by bisection: a later end
// allows everything that an earlier one does.
func (e *Explainer) leastMove(request int, end Change) (WhatIf, bool) {
	if end == PickupCloses && e.m.halved(int32(request)) {
		return WhatIf{}, false
	}
	if end == ShiftEnds {
		return e.leastShiftEnd(request)
	}
	low, high := int64(0), int64(farthest)
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
		a := *e.m.ask(int32(request), e.m.shifts[k].profile)
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
func (e *Explainer) leastShiftEnd(request int) (WhatIf, bool) {
	o := e.overlay()
	least, at := int64(farthest), -1
	for k := range e.p.Shifts {
		if !e.m.allowed.has(request, k) || !o.helps(request, k, least) {
			continue
		}
		low := int64(0)
		for least-low > 1 {
			if middle := (low + least) / 2; o.helps(request, k, middle) {
				least = middle
			} else {
				low = middle
			}
		}
		at = k
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
	ends := o.e.p.Shifts[k].End
	if ends+seconds > MaxTime {
		return false
	}
	o.p.Shifts[k].End = ends + seconds
	o.m.shifts[k] = o.m.boundsOf(k)
	f := finder{m: &o.m, exact: true}
	found := f.find(k, o.m.routeOf(k, o.e.plan.Routes[k]), o.m.ask(int32(request), o.m.shifts[k].profile))
	o.p.Shifts[k].End, o.m.shifts[k] = ends, o.e.m.shifts[k]
	return found.cost < nowhere
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
func (e *Explainer) searchedMove(request int, end Change, search func() Options) (WhatIf, bool) {
	left := Price(e.p, e.plan).Unplanned
	if end == ShiftEnds || end == PickupCloses && e.m.halved(int32(request)) {
		return WhatIf{}, false
	}
	for _, seconds := range moves {
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

// extraShift adds a shift like the first that may serve the request, with the
// hours that the request needs.
func (e *Explainer) extraShift(request int) (WhatIf, bool) {
	if e.m.halved(int32(request)) || len(e.p.Requests[request].Only) > 0 {
		return WhatIf{}, false
	}
	for k := range e.p.Shifts {
		if !e.m.allowed.has(request, k) {
			continue
		}
		p, plan := e.extended(k)
		extra := len(p.Shifts) - 1
		visits := []Visit{PickupOf(request), DeliveryOf(request)}
		t := p.Timetable(extra, visits)
		if !t.Holds {
			continue
		}
		plan.Routes[extra] = visits
		what := WhatIf{Change: ExtraShift, Shift: k, From: t.Leaves, Until: t.Ends, Serves: e.serves(p, plan)}
		p.Shifts[extra].Start, p.Shifts[extra].End = t.Leaves, t.Ends
		what.Problem, what.Plan = p, plan
		return what, true
	}
	return WhatIf{}, false
}

// extended returns the problem and the plan with an additional shift, like a
// given one with nothing on board and nothing frozen.
func (e *Explainer) extended(like int) (*Problem, Plan) {
	p := *e.p
	shift := p.Shifts[like]
	shift.OnBoard, shift.Frozen, shift.Owed = nil, nil, nil
	p.Shifts = append(slices.Clone(p.Shifts), shift)
	p.Requests = slices.Clone(p.Requests)
	for r := range p.Requests {
		// Whom one shift is forbidden, another like it may have.
		if slices.Contains(p.Requests[r].Never, like) {
			p.Requests[r].Never = append(slices.Clone(p.Requests[r].Never), len(p.Shifts)-1)
		}
	}
	plan := e.plan.Clone()
	plan.Routes = append(plan.Routes, nil)
	return &p, plan
}

// serves counts the unplanned requests that an extra shift serves.
func (e *Explainer) serves(p *Problem, plan Plan) int {
	only, extra := *p, len(p.Shifts)-1
	only.Requests = slices.Clone(p.Requests)
	served := 1
	for _, r := range plan.Unplanned(len(p.Requests)) {
		if len(only.Requests[r].Only) > 0 {
			continue
		}
		only.Requests[r].Only = []int{extra}
		if next, ok := Insert(&only, plan, r); ok {
			plan = next
			served++
		}
	}
	return served
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
		f, a := finder{m: e.m, exact: true}, e.m.ask(int32(request), e.m.shifts[k].profile)
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
