package routing

import "slices"

// The changes of what orders ask for.
const (
	// LateVisits lets all visits that no shift has begun be late.
	LateVisits Change = "LATE_VISITS"
	// LongerAboard lets the goods be on board for longer.
	LongerAboard Change = "LONGER_ABOARD"
)

// mostLate is how late visits may be at most, in seconds.
const mostLate = 1800

// least returns the smallest number up to high with which something helps, by bisection; ok is
// false when even high does not.
func least(high int64, helps func(seconds int64) bool) (seconds int64, ok bool) {
	if high <= 0 || !helps(high) {
		return 0, false
	}
	low := int64(0)
	for high-low > 1 {
		if middle := (low + high) / 2; helps(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high, true
}

// lateVisits looks for the least lateness of all visits with which a request has a place in
// the plan, and for the other requests that have one then. It is nothing new when only the
// request itself would be late.
func (e *Explainer) lateVisits(request int, within *Bounds) (WhatIf, bool) {
	if e.m.halved(int32(request)) {
		return WhatIf{}, false
	}
	var plan Plan
	var p *Problem
	helps := func(seconds int64) (ok bool) {
		p = e.later(seconds, within)
		plan, ok = Insert(p, e.plan, request)
		return ok
	}
	seconds, ok := least(mostLate, helps)
	if !ok || !helps(seconds) {
		return WhatIf{}, false
	}
	what := WhatIf{Change: LateVisits, Serves: 1, Problem: p, Plan: plan}
	for _, r := range plan.Unplanned(len(p.Requests)) {
		if next, ok := Insert(p, what.Plan, r); ok {
			what.Plan = next
			what.Serves++
		}
	}
	others := false
	for k, visits := range what.Plan.Routes {
		late := map[int]bool{}
		for _, at := range p.Timetable(k, visits).Stops {
			if by := at.Starts - e.p.stop(at.Visit).Closes; by > 0 && p.stop(at.Visit).Closes > e.p.stop(at.Visit).Closes {
				late[at.Visit.Request()] = true
				what.Seconds = max(what.Seconds, by)
				others = others || at.Visit.Request() != request
			}
		}
		what.Late += len(late)
	}
	return what, others
}

// later returns the problem with all windows closing later that nobody has begun, as far as
// they may.
func (e *Explainer) later(seconds int64, within *Bounds) *Problem {
	p := *e.p
	p.Requests = slices.Clone(p.Requests)
	for r := range p.Requests {
		if e.m.fact(r) {
			continue
		}
		pickup, delivery := &p.Requests[r].Pickup.Closes, &p.Requests[r].Delivery.Closes
		*pickup = min(*pickup+min(seconds, within.closes(PickupCloses)), MaxTime)
		*delivery = min(*delivery+min(seconds, within.closes(DeliveryCloses)), MaxTime)
	}
	return &p
}

// longerAboard looks for the shortest longer time on board with which a request has a place.
func (e *Explainer) longerAboard(request int, within *Bounds) (WhatIf, bool) {
	if e.p.Requests[request].MaxAboard == 0 || e.m.fact(request) {
		return WhatIf{}, false
	}
	what := WhatIf{Change: LongerAboard}
	helps := func(seconds int64) (ok bool) {
		p := *e.p
		p.Requests = slices.Clone(p.Requests)
		p.Requests[request].MaxAboard += seconds
		what.Problem, what.Seconds = &p, seconds
		what.Plan, ok = Insert(&p, e.plan, request)
		return ok
	}
	seconds, ok := least(within.closes(DeliveryCloses), helps)
	return what, ok && helps(seconds)
}
