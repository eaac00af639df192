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
func Check(p *Problem, plan Plan) []Violation {
	c := checker{p: p, begun: p.begun(), seen: map[Visit]bool{}}
	if len(plan.Routes) != len(p.Shifts) {
		return []Violation{{Code: NoShift, Shift: len(plan.Routes), Request: -1}}
	}
	for k, route := range plan.Routes {
		if c.known(k, route) {
			c.sequence(k, route)
			c.owed(k, route)
			c.loads(k, route)
			c.times(k, route)
		}
	}
	return c.found
}

type checker struct {
	p     *Problem
	begun begun
	seen  map[Visit]bool
	found []Violation
}

func (c *checker) add(code Code, shift, request int, by int64) {
	c.found = append(c.found, Violation{Code: code, Shift: shift, Request: request, By: by})
}

func (c *checker) known(k int, route []Visit) bool {
	for _, v := range route {
		if v < 0 || v.Request() >= len(c.p.Requests) || c.p.stop(v).Place == Anywhere {
			c.add(UnknownVisit, k, -1, int64(v))
			return false
		}
	}
	return true
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
		if code, by := c.p.refusal(k, r, c.begun.shift[r]); code != "" {
			c.add(code, k, r, by)
		}
		if v.Delivers() {
			if !aboard[r] {
				c.add(NotPickedUp, k, r, 0)
			}
			continue
		}
		if c.wasOnBoard(k, r) {
			c.add(VisitedTwice, k, r, 0)
		}
		aboard[r] = true
		if i >= len(shift.Frozen) && !slices.Contains(route[i:], DeliveryOf(r)) {
			c.add(NotDelivered, k, r, 0)
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

func (c *checker) wasOnBoard(k, r int) bool { return slices.Contains(c.p.Shifts[k].OnBoard, r) }

// loads checks the load on board. Only a pickup can exceed the capacity:
// frozen visits and goods on board are facts, and deliveries make room.
func (c *checker) loads(k int, route []Visit) {
	shift := &c.p.Shifts[k]
	var load [Dimensions]int64
	for _, r := range shift.OnBoard {
		add(&load, c.p.Requests[r].Load)
	}
	for i, v := range route {
		amounts := c.p.Requests[v.Request()].Load
		for d, amount := range amounts {
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

func (c *checker) times(k int, route []Visit) {
	_, run := c.p.settle(k, route)
	if run.late != "" {
		request := -1
		if run.lateAt < len(route) {
			request = route[run.lateAt].Request()
		}
		c.add(run.late, k, request, run.lateBy)
	}
	shift := &c.p.Shifts[k]
	for i, at := range run.stops {
		if i >= len(shift.Frozen) && !slices.Contains(shift.Owed, at.Visit) {
			continue
		}
		if by := at.Starts - c.p.stop(at.Visit).Closes; by > 0 {
			c.add(Late, k, at.Visit.Request(), by)
		}
	}
}
