package routing

import (
	"cmp"
	"math"
	"slices"
)

// anyTime is later than all that can happen, and longer than any route.
const anyTime = math.MaxInt64 / 4

// nowhereNear is the visit at which a run ends that is not worth a look.
const nowhereNear = -1

// onNoLeg is the leg of the break in a route without one.
const onNoLeg = -1

// clock drives the route of one shift from visit to visit. Only Check uses it.
type clock struct {
	p      *Problem
	shift  *Shift
	visits []Visit
	// end, longest, farthest and latestBreak are the limits of the shift, and until those
	// of its held and owed visits, after they have given way.
	end, longest, farthest, latestBreak int64
	stops, mostDriving                  int64
	until                               map[Visit]int64
	// hold is how long the driver waits with visits, by their number.
	hold map[int]int64
	// inspects drives shifts with a driving rule or several breaks, or is nil.
	inspects *inspector
}

// trip is one run of a route.
type trip struct {
	// code is the first violation, of the visit number at, by so many seconds or meters.
	code Code
	at   int
	by   int64

	leaves, ends int64
	// driving and setup are seconds of the way and of setting up, stood those of service
	// and of the break, late is how late held and owed visits begin, and heldUp how late the other frozen ones.
	driving, meters, setup, stood, late, heldUp int64
	// jam is how much longer than that the driving takes in traffic.
	jam int64
	// fine is what it costs that visits begin after they are due.
	fine int64
	// places counts the stops, where a visit of several is one.
	places       int64
	starts, left []int64
}

func newClock(p *Problem, k int, visits []Visit) *clock {
	s := &p.Shifts[k]
	c := &clock{
		p: p, shift: s, visits: visits, end: s.End + s.Overtime.Seconds, longest: anyTime, farthest: anyTime,
		latestBreak: s.Break.Latest, until: map[Visit]int64{}, stops: anyTime, mostDriving: anyTime,
	}
	if s.MaxStops != 0 {
		c.stops = int64(max(s.MaxStops, 0))
	}
	if s.MaxDriving > 0 {
		c.mostDriving = s.MaxDriving
	}
	if s.MaxSeconds > 0 {
		c.longest = s.MaxSeconds
	}
	if s.MaxMeters > 0 {
		c.farthest = s.MaxMeters
	}
	begun := len(s.Frozen)+len(s.Owed) > 0
	switch {
	case c.ruled():
		if c.inspects = c.inspector(); begun {
			c.inspects.giveWay()
		}
	case begun:
		c.giveWay()
	}
	return c
}

// giveWay widens the limits as far as the frozen and owed visits need.
func (c *clock) giveWay() {
	bare := &clock{
		p: c.p, shift: c.shift, visits: slices.Concat(c.shift.Frozen, c.shift.Owed),
		end: anyTime, longest: anyTime, farthest: anyTime, latestBreak: c.latestBreak, until: map[Visit]int64{},
		stops: anyTime, mostDriving: anyTime,
	}
	fixed := len(c.shift.Frozen) - c.shift.Held
	for _, v := range bare.visits[fixed:] {
		bare.until[v] = anyTime
	}
	best := trip{code: NoTimeForBreak}
	for leg := onNoLeg; leg <= len(bare.visits); leg++ {
		t := bare.drive(c.shift.Start, leg)
		if t.code == "" && (best.code != "" || t.late < best.late || t.late == best.late && t.ends < best.ends) {
			best = t
		}
	}
	if best.code != "" {
		bare.latestBreak = anyTime
		best = bare.drive(c.shift.Start, len(bare.visits))
		c.latestBreak = best.left[len(best.left)-1]
	}
	c.end, c.longest = max(c.end, best.ends), max(c.longest, best.ends-c.shift.Start)
	c.farthest = max(c.farthest, best.meters)
	c.stops, c.mostDriving = max(c.stops, best.places), max(c.mostDriving, c.slowestDriving(best.driving))
	for i := fixed; i < len(bare.visits); i++ {
		c.until[bare.visits[i]] = max(stopOf(c.p, bare.visits[i]).Closes, best.starts[i])
	}
}

// hand is where a driver is while a clock runs.
type hand struct {
	now         int64
	place, site int
	// loads is true until something else follows the loading before the shift.
	loads bool
}

// driveOnce goes from one visit to the next, with the break on one leg or on none.
func (c *clock) driveOnce(start int64, breakLeg int) trip {
	t := trip{leaves: start}
	h := hand{now: start, place: c.shift.From, site: c.shift.Site, loads: c.shift.Loading.Site != 0}
	for i, v := range c.visits {
		c.goTo(&t, &h, i, breakLeg)
		stop := stopOf(c.p, v)
		h.now = opened(stop, max(h.now, c.hold[i]))
		t.starts = append(t.starts, h.now)
		t.fine += stop.LatePrice * max(0, h.now-stop.Due)
		if i >= len(c.shift.Frozen)-c.shift.Held {
			c.judge(&t, i, v, h.now)
		} else {
			t.heldUp += max(0, h.now-stop.Closes)
		}
		if !h.loads {
			h.now += c.takes(stop.ServiceSeconds)
			t.stood += c.takes(stop.ServiceSeconds)
		}
		t.left = append(t.left, h.now)
	}
	home := len(c.visits)
	c.goTo(&t, &h, home, breakLeg)
	t.ends = h.now
	if home == 0 {
		return t
	}
	t.fail(HomeTooLate, home, t.ends-c.end)
	if breakLeg == onNoLeg && c.shift.Break.Seconds > 0 {
		t.fail(NoTimeForBreak, home, t.ends-c.latestBreak)
	}
	t.fail(RouteTooFar, home, t.meters-c.farthest)
	t.fail(TooManyStops, home, t.places-c.stops)
	if !c.inTraffic() {
		t.fail(DrivingTooLong, home, t.driving-c.mostDriving)
	}
	return t
}

// opened returns when a visit begins whose driver is ready at a moment.
func opened(stop Stop, ready int64) int64 {
	for _, closed := range stop.Closed {
		if ready > closed.From && ready < closed.Until {
			ready = closed.Until
		}
	}
	return max(ready, stop.Opens)
}

// judge looks at how late a visit begins.
func (c *clock) judge(t *trip, i int, v Visit, now int64) {
	until, owed := c.until[v]
	if !owed {
		until = stopOf(c.p, v).Closes
	}
	code := PickupTooLate
	if v.Delivers() {
		code = DeliveryTooLate
	}
	t.fail(code, i, now-until)
	t.late += max(0, now-stopOf(c.p, v).Closes)
}

// goTo drives to a visit, or home behind the last, and sets up there.
func (c *clock) goTo(t *trip, h *hand, i, breakLeg int) {
	next := hand{place: c.shift.To}
	setup := int64(0)
	if i < len(c.visits) {
		v := c.visits[i]
		stop := stopOf(c.p, v)
		next.place, next.site = stop.Place, stop.Site
		next.loads = h.loads && !v.Delivers() && stop.Site == c.shift.Loading.Site
		if stop.Site > 0 {
			setup = c.takes(c.p.Setups[stop.Site] + c.shift.ExtraSetup)
		}
		if next.loads {
			setup = c.shift.Loading.Seconds
		}
	}
	same := next.site > 0 && next.site == h.site
	if same {
		setup = 0
	} else if i < len(c.visits) {
		t.places++
	}
	way := Leg{}
	if len(c.visits) > 0 {
		way = c.p.Travel[c.shift.Profile].Leg(h.place, next.place)
	}
	street := c.streetOf(h.place, next.place, int64(way.Seconds))
	next.now = street.end(h.now)
	driven := next.now - h.now
	if i == breakLeg {
		next.now, driven = c.onStreet(street, h.now)
		t.stood += c.shift.Break.Seconds
		t.fail(NoTimeForBreak, i, h.now-c.latestBreak)
		if same || c.shift.Break.Seconds == 0 { // nobody takes a break in the middle of a visit
			t.code, t.at = NoTimeForBreak, nowhereNear
		}
	}
	next.now += setup
	t.jam += driven - int64(way.Seconds)
	t.driving, t.meters, t.setup = t.driving+int64(way.Seconds), t.meters+int64(way.Meters), t.setup+setup
	*h = next
}

// takes returns how long the driver takes in whole seconds for what usually takes so many.
func (c *clock) takes(seconds int64) int64 {
	share := c.shift.VisitPercent
	if share == 0 {
		share = 100
	}
	whole, cents := seconds/100*share, seconds%100*share
	if whole += cents / 100; cents%100 >= 50 {
		whole++
	}
	return min(whole, MaxTime)
}

// fail notes a violation, if it is one and the first.
func (t *trip) fail(code Code, at int, by int64) {
	if by > 0 && t.code == "" {
		t.code, t.at, t.by = code, at, by
	}
}

// best returns the run that ends first and, on request, leaves last of those. If none is
// valid, it returns the one that gets farthest.
func (c *clock) best(leaveLast bool) trip {
	if c.inspects != nil {
		return c.inspects.best(leaveLast)
	}
	best := c.drive(c.shift.Start, onNoLeg)
	for leg := 0; leg <= len(c.visits) && c.shift.Break.Seconds > 0; leg++ {
		if t := c.drive(c.shift.Start, leg); t.beats(&best) {
			best = t
		}
	}
	if best.code != "" || len(c.visits) == 0 {
		return best
	}
	if begun := len(c.shift.Frozen)-c.shift.Held+len(c.shift.OnBoard) > 0; leaveLast && !begun {
		best = c.leaveLast(best)
	}
	c.tooLong(&best)
	return best
}

// beats reports whether one run is better than another.
func (t *trip) beats(other *trip) bool {
	switch {
	case t.code == "" && other.code == "":
		order := cmp.Or(cmp.Compare(t.ends, other.ends), cmp.Compare(t.heldUp, other.heldUp), cmp.Compare(t.fine, other.fine))
		return order < 0
	case t.code == "" || other.code == "":
		return t.code == ""
	}
	return t.at > other.at || t.at == other.at && t.by < other.by
}

// leaveLast looks for the latest departure, on any leg of the break, with which the route
// ends as early.
func (c *clock) leaveLast(best trip) trip {
	ends, fine := best.ends, best.fine
	for leg := onNoLeg; leg <= len(c.visits); leg++ {
		fits := func(start int64) bool {
			t := c.drive(start, leg)
			return t.code == "" && t.ends == ends && t.fine <= fine
		}
		if !fits(c.shift.Start) {
			continue
		}
		low, high := c.shift.Start, ends+1
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
	return best
}
