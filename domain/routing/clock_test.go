package routing_test

import (
	"math"
	"slices"

	"waybill/domain/routing"
)

// clock drives the route of one shift by the clock. It shares no code with the
// search or with Check, so a mistake in a rule shows up as a disagreement.
type clock struct {
	p                      *routing.Problem
	shift                  *routing.Shift
	visits                 []routing.Visit
	end, longest, farthest int64
	latestBreak            int64
	until                  map[routing.Visit]int64
}

// trip is one run of a route. Late is how late the owed visits begin.
type trip struct {
	ok                                   bool
	leaves, ends, driving, meters, stood int64
	late                                 int64
	starts                               []int64
}

func orNone(limit int64) int64 {
	if limit == 0 {
		return math.MaxInt64 / 4
	}
	return limit
}

func newClock(p *routing.Problem, k int, visits []routing.Visit) *clock {
	s := &p.Shifts[k]
	c := &clock{
		p: p, shift: s, visits: visits, end: s.End, longest: orNone(s.MaxSeconds), farthest: orNone(s.MaxMeters),
		latestBreak: s.Break.Latest, until: map[routing.Visit]int64{},
	}
	if len(s.Frozen)+len(s.Owed) > 0 {
		c.giveWay()
	}
	return c
}

// giveWay widens the limits as far as the frozen and owed visits need.
func (c *clock) giveWay() {
	const any = math.MaxInt64 / 4
	bare := &clock{
		p:           c.p,
		shift:       c.shift,
		visits:      slices.Concat(c.shift.Frozen, c.shift.Owed),
		end:         any,
		longest:     any,
		farthest:    any,
		latestBreak: c.latestBreak,
		until:       map[routing.Visit]int64{},
	}
	for _, v := range c.shift.Owed {
		bare.until[v] = any
	}
	var best trip
	for leg := -1; leg <= len(bare.visits); leg++ {
		t := bare.drive(c.shift.Start, leg)
		if t.ok && (!best.ok || t.late < best.late || t.late == best.late && t.ends < best.ends) {
			best = t
		}
	}
	if !best.ok {
		bare.latestBreak = any
		best = bare.drive(c.shift.Start, len(bare.visits))
		last := len(bare.visits) - 1
		c.latestBreak = best.starts[last] + c.stop(bare.visits[last]).ServiceSeconds
	}
	c.end, c.longest = max(c.end, best.ends), max(c.longest, best.ends-c.shift.Start)
	c.farthest = max(c.farthest, best.meters)
	for i, v := range bare.visits[len(c.shift.Frozen):] {
		c.until[v] = max(c.stop(v).Closes, best.starts[len(c.shift.Frozen)+i])
	}
}

func (c *clock) stop(v routing.Visit) routing.Stop {
	if v.Delivers() {
		return c.p.Requests[v.Request()].Delivery
	}
	return c.p.Requests[v.Request()].Pickup
}

// drive goes from one visit to the next, with the break on one leg, or on none
// for -1.
func (c *clock) drive(start int64, breakLeg int) trip {
	t := trip{ok: true, leaves: start}
	now, at, pause := start, c.shift.From, c.shift.Break
	ride := func(leg, to int) {
		way := c.p.Travel[c.shift.Profile].Leg(at, to)
		if len(c.visits) == 0 {
			way = routing.Leg{}
		}
		t.driving, t.meters = t.driving+int64(way.Seconds), t.meters+int64(way.Meters)
		if leg == breakLeg {
			t.ok = t.ok && now <= c.latestBreak && pause.Seconds > 0
			now = max(now+int64(way.Seconds), pause.Earliest) + pause.Seconds
			t.stood += pause.Seconds
		} else {
			now += int64(way.Seconds)
		}
		at = to
	}
	for i, v := range c.visits {
		stop := c.stop(v)
		ride(i, stop.Place)
		now = max(now, stop.Opens)
		until, owed := c.until[v]
		if !owed {
			until = stop.Closes
		}
		if i >= len(c.shift.Frozen) {
			t.ok, t.late = t.ok && now <= until, t.late+max(0, now-stop.Closes)
		}
		t.starts = append(t.starts, now)
		now, t.stood = now+stop.ServiceSeconds, t.stood+stop.ServiceSeconds
	}
	ride(len(c.visits), c.shift.To)
	t.ends = now
	if len(c.visits) > 0 {
		t.ok = t.ok && t.ends <= c.end && t.meters <= c.farthest
		t.ok = t.ok && (breakLeg >= 0 || pause.Seconds == 0 || t.ends <= c.latestBreak)
	}
	return t
}

// best is the run that ends first and, of those, leaves last.
func (c *clock) best() trip {
	var best trip
	for leg := -1; leg <= len(c.visits); leg++ {
		if t := c.drive(c.shift.Start, leg); t.ok && (!best.ok || t.ends < best.ends) {
			best = t
		}
	}
	if !best.ok || len(c.visits) == 0 {
		return best
	}
	for leg := -1; leg <= len(c.visits) && len(c.shift.Frozen)+len(c.shift.OnBoard) == 0; leg++ {
		fits := func(start int64) bool { t := c.drive(start, leg); return t.ok && t.ends == best.ends }
		if !fits(c.shift.Start) {
			continue
		}
		low, high := c.shift.Start, best.ends+1
		for high-low > 1 {
			if middle := (low + high) / 2; fits(middle) {
				low = middle
			} else {
				high = middle
			}
		}
		if low > best.leaves {
			best = c.drive(low, leg)
		}
	}
	best.ok = best.ends-best.leaves <= c.longest
	return best
}

// canDrive reports whether a shift can make the visits of a route.
func canDrive(p *routing.Problem, k int, visits []routing.Visit) bool {
	s := &p.Shifts[k]
	if len(visits) < len(s.Frozen) || !slices.Equal(visits[:len(s.Frozen)], s.Frozen) {
		return false
	}
	aboard, load, seen := map[int]bool{}, [routing.Dimensions]int64{}, map[routing.Visit]bool{}
	for _, r := range s.OnBoard {
		aboard[r], seen[routing.PickupOf(r)] = true, true
		for d, amount := range p.Requests[r].Load {
			load[d] += int64(amount)
		}
	}
	for i, v := range visits {
		r := v.Request()
		if seen[v] || v.Delivers() && !aboard[r] || !mayServe(p, k, r) {
			return false
		}
		seen[v], aboard[r] = true, true
		for d, amount := range p.Requests[r].Load {
			if v.Delivers() {
				load[d] -= int64(amount)
			} else if load[d] += int64(amount); amount > 0 && i >= len(s.Frozen) && load[d] > int64(s.Capacity[d]) {
				return false
			}
		}
	}
	for i, v := range visits {
		if !v.Delivers() && i >= len(s.Frozen) && !seen[routing.DeliveryOf(v.Request())] {
			return false
		}
	}
	for _, v := range s.Owed {
		if !seen[v] {
			return false
		}
	}
	return newClock(p, k, visits).best().ok
}

// mayServe checks everything that does not depend on time.
func mayServe(p *routing.Problem, k, r int) bool {
	request := &p.Requests[r]
	for other := range p.Shifts {
		s := &p.Shifts[other]
		frozen := slices.ContainsFunc(s.Frozen, func(v routing.Visit) bool { return v.Request() == r })
		if frozen || slices.Contains(s.OnBoard, r) {
			return other == k
		}
	}
	s := &p.Shifts[k]
	for d, amount := range request.Load {
		if amount > s.Capacity[d] {
			return false
		}
	}
	has := func(skill int) bool { return slices.Contains(s.Skills, skill) }
	return (len(request.Only) == 0 || slices.Contains(request.Only, k)) && !slices.Contains(request.Never, k) &&
		(request.VehicleType == 0 || slices.Contains(s.Serves, request.VehicleType)) &&
		!slices.ContainsFunc(request.Refuses, has) &&
		!slices.ContainsFunc(request.Needs, func(skill int) bool { return !has(skill) })
}
