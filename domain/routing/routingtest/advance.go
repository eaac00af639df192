package routingtest

import "waybill/domain/routing"

// Advance returns the problem at a time of the day, with the plan driven until
// then, and the plan in its numbering. Finished visits are gone; goods on board
// and the stop that a driver is at or heading for stay with them.
func Advance(p *routing.Problem, plan routing.Plan, now int64) (*routing.Problem, routing.Plan) {
	a := advance{p: p, plan: plan, now: now, done: map[routing.Visit]bool{}}
	next := *p
	next.Shifts = append([]routing.Shift(nil), p.Shifts...)
	frozen := make([][]routing.Visit, len(p.Shifts))
	for _, shift := range p.Shifts {
		for _, r := range shift.OnBoard {
			a.done[routing.PickupOf(r)] = true
		}
	}
	for k := range next.Shifts {
		frozen[k] = a.drive(k, &next.Shifts[k])
	}
	number := a.renumber(&next)
	rename := func(visits []routing.Visit) []routing.Visit {
		var out []routing.Visit
		for _, v := range visits {
			if r, ok := number[v.Request()]; ok && !a.done[v] {
				out = append(out, routing.PickupOf(r)+v&1)
			}
		}
		return out
	}
	left := routing.Plan{Routes: make([][]routing.Visit, len(plan.Routes))}
	for k, route := range plan.Routes {
		next.Shifts[k].Frozen = rename(frozen[k])
		left.Routes[k] = rename(route)
		next.Shifts[k].OnBoard = a.aboard(k, number)
	}
	next.Before = left
	return &next, left
}

type advance struct {
	p    *routing.Problem
	plan routing.Plan
	now  int64
	done map[routing.Visit]bool
}

// aboard returns the requests that a shift has picked up and not delivered, in
// new numbers.
func (a *advance) aboard(k int, number map[int]int) []int {
	var aboard []int
	for _, r := range a.p.Shifts[k].OnBoard {
		if n, ok := number[r]; ok {
			aboard = append(aboard, n)
		}
	}
	for _, v := range a.plan.Routes[k] {
		if n, ok := number[v.Request()]; ok && !v.Delivers() && a.done[v] {
			aboard = append(aboard, n)
		}
	}
	return aboard
}

// drive moves a shift to its current place, and returns its fixed visits.
func (a *advance) drive(k int, shift *routing.Shift) (frozen []routing.Visit) {
	route := a.plan.Routes[k]
	shift.OnBoard = nil
	t := a.p.Timetable(k, route)
	if len(route) == 0 || t.Leaves > a.now {
		shift.Start = max(shift.Start, min(a.now, shift.End))
		return nil
	}
	shift.Start = t.Leaves
	for i, stop := range t.Stops {
		if stop.Leaves > a.now {
			return route[i : i+1] // the driver is there, or on the way
		}
		a.done[stop.Visit] = true
		at := a.p.Requests[stop.Visit.Request()].Pickup
		if stop.Visit.Delivers() {
			at = a.p.Requests[stop.Visit.Request()].Delivery
		}
		shift.From, shift.Start, shift.Site = at.Place, stop.Leaves, at.Site
		if shift.Loading.Seconds = 0; at.Site != shift.Loading.Site || stop.Visit.Delivers() {
			shift.Loading = routing.Loading{}
		}
		if t.BreakEnds > 0 && t.BreakStarts < stop.Leaves {
			shift.Break = routing.Break{}
		}
	}
	return nil
}

// renumber leaves out the requests that are delivered.
func (a *advance) renumber(next *routing.Problem) map[int]int {
	number := map[int]int{}
	next.Requests = nil
	for r, request := range a.p.Requests {
		if !a.done[routing.DeliveryOf(r)] {
			number[r] = len(next.Requests)
			next.Requests = append(next.Requests, request)
		}
	}
	return number
}
