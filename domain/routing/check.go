package routing

import (
	"fmt"
	"slices"
)

// Violation is a constraint that a plan violates, and where.
type Violation struct {
	Code  Code
	Shift int
	// Request is -1 for none.
	Request int
	// By is the seconds, the amount or the skill that the code speaks of.
	By int64
}

func (v Violation) String() string {
	return fmt.Sprintf("shift %d, request %d: %s (%d)", v.Shift, v.Request, v.Code, v.By)
}

// Rejects reports whether a plan with the violation cannot be driven. Lateness
// of fixed visits rejects nothing.
func (v Violation) Rejects() bool { return v.Code != Late }

// Broken returns the violations because of which a plan cannot be driven.
func Broken(p *Problem, plan Plan) []Violation {
	return slices.DeleteFunc(Check(p, plan), func(v Violation) bool { return !v.Rejects() })
}

// Check returns all violations of a plan for a valid problem. A plan that can
// be driven has none, or only Late ones. A request that is left out violates
// nothing, unless it is owed.
//
// It looks at every rule itself, and drives by a clock of its own. It shares no rule
// with the search, so a mistake there shows up as a violation.
func Check(p *Problem, plan Plan) []Violation {
	if len(plan.Routes) != len(p.Shifts) {
		return []Violation{{Code: NoShift, Shift: len(plan.Routes), Request: -1}}
	}
	c := newChecker(p)
	for k, route := range plan.Routes {
		c.route(k, route)
	}
	return c.found
}

type checker struct {
	p *Problem
	// holder is the shift that has begun a request, or -1.
	holder []int
	seen   map[Visit]bool
	found  []Violation
}

func newChecker(p *Problem) *checker {
	c := &checker{p: p, holder: make([]int, len(p.Requests)), seen: map[Visit]bool{}}
	for r := range c.holder {
		c.holder[r] = -1
	}
	for k := range p.Shifts {
		for _, r := range p.Shifts[k].OnBoard {
			c.holder[r] = k
		}
		for _, v := range p.Shifts[k].Frozen {
			c.holder[v.Request()] = k
		}
	}
	return c
}

func (c *checker) add(code Code, shift, request int, by int64) {
	c.found = append(c.found, Violation{Code: code, Shift: shift, Request: request, By: by})
}

// route checks the route of one shift.
func (c *checker) route(k int, route []Visit) {
	if c.known(k, route) {
		c.sequence(k, route)
		c.owed(k, route)
		c.loads(k, route)
		c.more(k, route)
		c.goods(k, route)
		c.times(k, route)
	}
}

func (c *checker) known(k int, route []Visit) bool {
	for _, v := range route {
		if v < 0 || v.Request() >= len(c.p.Requests) || stopOf(c.p, v).Place == Anywhere {
			c.add(UnknownVisit, k, -1, int64(v))
			return false
		}
	}
	return true
}

// stopOf returns the stop of a visit.
func stopOf(p *Problem, v Visit) Stop {
	if v.Delivers() {
		return p.Requests[v.Request()].Delivery
	}
	return p.Requests[v.Request()].Pickup
}

// sequence checks which shifts may serve the requests, and the sequence of
// visits.
func (c *checker) sequence(k int, route []Visit) {
	shift := &c.p.Shifts[k]
	if len(route) < len(shift.Frozen) || !slices.Equal(route[:len(shift.Frozen)], shift.Frozen) {
		c.add(FrozenMoved, k, -1, 0)
	}
	aboard := map[int]bool{}
	for _, r := range shift.OnBoard {
		aboard[r] = true
	}
	for i, v := range route {
		r := v.Request()
		if c.seen[v] {
			c.add(VisitedTwice, k, r, 0)
		}
		c.seen[v] = true
		c.permitted(k, r)
		if v.Delivers() {
			if !aboard[r] {
				c.add(NotPickedUp, k, r, 0)
			}
			continue
		}
		if slices.Contains(shift.OnBoard, r) {
			c.add(VisitedTwice, k, r, 0)
		}
		aboard[r] = true
		if i >= len(shift.Frozen) && !slices.Contains(route[i:], DeliveryOf(r)) {
			c.add(NotDelivered, k, r, 0)
		}
	}
}

// permitted checks whether a shift may have a request, whenever that is. It may finish
// what it has begun.
func (c *checker) permitted(k, r int) {
	shift, request := &c.p.Shifts[k], &c.p.Requests[r]
	if holder := c.holder[r]; holder >= 0 {
		if holder != k {
			c.add(OnBoardElsewhere, k, r, 0)
		}
		return
	}
	if len(request.Only) > 0 && !slices.Contains(request.Only, k) {
		c.add(LockedToAnotherShift, k, r, 0)
	}
	if slices.Contains(request.Never, k) {
		c.add(ProhibitedShift, k, r, 0)
	}
	if request.VehicleType != 0 && !slices.Contains(shift.Serves, request.VehicleType) {
		c.add(WrongVehicleType, k, r, 0)
	}
	for _, skill := range request.Needs {
		if !slices.Contains(shift.Skills, skill) {
			c.add(SkillMissing, k, r, int64(skill))
		}
	}
	for _, skill := range request.Refuses {
		if slices.Contains(shift.Skills, skill) {
			c.add(SkillProhibited, k, r, int64(skill))
		}
	}
	for d, amount := range request.Load {
		if over := int64(amount) - int64(shift.Capacity[d]); over > 0 {
			c.add([Dimensions]Code{TooMuchFirst, TooMuchSecond, TooMuchThird}[d], k, r, over)
		}
	}
	for d, amount := range request.More {
		if over := int64(amount) - moreOf(shift.More, d); over > 0 {
			c.add(moreTooMuch[d], k, r, over)
		}
	}
}

// owed looks for the visits that the shift makes in any case.
func (c *checker) owed(k int, route []Visit) {
	for _, v := range c.p.Shifts[k].Owed {
		switch {
		case slices.Contains(route, v):
		case v.Delivers():
			c.add(NotDelivered, k, v.Request(), 0)
		default:
			c.add(NotPickedUp, k, v.Request(), 0)
		}
	}
}

// loads checks the load on board. Only a pickup can exceed the capacity:
// frozen visits and goods on board are facts, and deliveries make room.
func (c *checker) loads(k int, route []Visit) {
	shift := &c.p.Shifts[k]
	var load [Dimensions]int64
	for _, r := range shift.OnBoard {
		for d, amount := range c.p.Requests[r].Load {
			load[d] += int64(amount)
		}
	}
	for i, v := range route {
		for d, amount := range c.p.Requests[v.Request()].Load {
			if v.Delivers() {
				load[d] -= int64(amount)
				continue
			}
			load[d] += int64(amount)
			if over := load[d] - int64(shift.Capacity[d]); over > 0 && amount > 0 && i >= len(shift.Frozen) {
				c.add(Overloaded, k, v.Request(), over)
			}
		}
	}
}

// times drives the route by the clock.
func (c *checker) times(k int, route []Visit) {
	clock := newClock(c.p, k, route)
	run := clock.best(clock.longest < anyTime || clock.inTraffic())
	if run.code != "" {
		request := -1
		if run.at < len(route) {
			request = route[run.at].Request()
		}
		c.add(run.code, k, request, run.by)
	}
	shift := &c.p.Shifts[k]
	for i, starts := range run.starts {
		if v := route[i]; i < len(shift.Frozen) || slices.Contains(shift.Owed, v) {
			if by := starts - stopOf(c.p, v).Closes; by > 0 {
				c.add(Late, k, v.Request(), by)
			}
		}
	}
}
