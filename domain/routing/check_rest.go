package routing

import "slices"

// The clock of Check for shifts with a driving rule, with several breaks, or with one at a place. It shares no
// rule with the search: it keeps lists of tachographs, and each moment at which a break can matter is tried.

// tachograph is what a driver's tachograph shows, with the number of breaks by the clock that are over.
type tachograph struct {
	now, wheel int64
	part       bool
	pauses     int
	// road is the part of the present leg that lies ahead.
	road street
	// heads is the break to whose place the leg leads, from 1 on, or 0; extra is the way that is driven more
	// because of such places.
	heads int
	extra distance
	// travels is set as long as there is such a place ahead, which may be a short cut.
	travels bool
	// jam is how much longer than at full speed the driving takes.
	jam int64
	// starts and left are when the visits began and ended, and fine is what it cost that they began late.
	starts, left []int64
	fine         int64
	// held is when the goods on board were picked up that have a limit, and stale is set once some were there too long.
	held  []int64
	stale bool
}

// inspector drives one route. Only Check uses it.
type inspector struct {
	c *clock
	// pauses are the breaks by the clock, after they have given way.
	pauses []Break
}

func (c *clock) inspector() *inspector {
	in := &inspector{c: c}
	if c.shift.Break.Seconds > 0 {
		in.pauses = append(in.pauses, c.shift.Break)
	}
	in.pauses = append(in.pauses, c.shift.Breaks...)
	return in
}

// ruled reports whether a shift has a driving rule, several breaks or one at a place.
func (c *clock) ruled() bool {
	return c.shift.Rule.Most > 0 || len(c.shift.Breaks) > 0 || c.shift.Break.At > 0
}

// leg returns the way to a visit, or home, with what stands there.
func (in *inspector) leg(h *hand, i int) (way Leg, setup int64, same bool) {
	c, next := in.c, hand{place: in.c.shift.To}
	if i < len(c.visits) {
		stop := stopOf(c.p, c.visits[i])
		next = hand{place: stop.Place, site: stop.Site}
		next.loads = h.loads && !c.visits[i].Delivers() && stop.Site == c.shift.Loading.Site
		if stop.Site > 0 {
			setup = c.takes(c.p.Setups[stop.Site] + c.shift.ExtraSetup)
		}
		if next.loads {
			setup = c.shift.Loading.Seconds
		}
	}
	if same = next.site > 0 && next.site == h.site; same {
		setup = 0
	}
	way = c.p.Travel[c.shift.Profile].Leg(h.place, next.place)
	*h = next
	return way, setup, same
}

// inspect drives the route from a moment on, and returns the run that ends first.
func (in *inspector) inspect(start int64) trip {
	c := in.c
	t := trip{leaves: start, ends: start}
	if len(c.visits) == 0 { // without work there is no break
		return t
	}
	h := hand{place: c.shift.From, site: c.shift.Site, loads: c.shift.Loading.Site != 0}
	wheel := min(c.shift.Rested.Driven, c.shift.Rule.Most)
	all := []tachograph{{now: start, wheel: wheel, part: c.shift.Rested.First, travels: in.travels(0)}}
	for i := 0; i <= len(c.visits); i++ {
		from := h.place
		way, setup, same := in.leg(&h, i)
		t.driving, t.meters, t.setup = t.driving+int64(way.Seconds), t.meters+int64(way.Meters), t.setup+setup
		if !same && i < len(c.visits) {
			t.places++
		}
		all = in.through(all, from, h.place, same)
		if i == len(c.visits) {
			break
		}
		next, late := in.stop(&t, all, i, setup, !h.loads)
		if len(next) == 0 {
			code := lateCode(c.visits[i])
			if late == anyTime {
				code, late = NoTimeForBreak, in.missed(all, i, setup, !h.loads)
			}
			t.fail(code, i, late)
			return t
		}
		all = next
	}
	in.arrive(&t, all)
	return t
}

func lateCode(v Visit) Code {
	if v.Delivers() {
		return DeliveryTooLate
	}
	return PickupTooLate
}

// stop serves a visit, and returns how late the earliest is.
func (in *inspector) stop(t *trip, all []tachograph, i int, setup int64, serves bool) (next []tachograph, late int64) {
	c, late := in.c, int64(anyTime)
	stop := stopOf(c.p, c.visits[i])
	closes := int64(anyTime)
	if i >= len(c.shift.Frozen)-c.shift.Held {
		if until, gives := c.until[c.visits[i]]; gives {
			closes = until
		} else {
			closes = stop.Closes
		}
	}
	service := int64(0)
	if serves {
		service = c.takes(stop.ServiceSeconds)
	}
	t.stood += service
	for _, g := range all {
		g.now = opened(stop, g.now+setup)
		if g.now > closes {
			late = min(late, g.now-closes)
			continue
		}
		g.fine += stop.LatePrice * max(0, g.now-stop.Due)
		g.starts = append(slices.Clip(g.starts), g.now)
		g.now += service
		g.left = append(slices.Clip(g.left), g.now)
		g.held, g.stale = in.c.holdsStill(g.left), g.stale || in.c.stale(i, &g)
		if g.pauses < len(in.pauses) && g.now > in.pauses[g.pauses].Latest {
			continue
		}
		next = keep(next, g)
	}
	return next, late
}

// missed returns by how little a break by the clock is missed after a visit.
func (in *inspector) missed(all []tachograph, i int, setup int64, serves bool) int64 {
	stop, least := stopOf(in.c.p, in.c.visits[i]), int64(anyTime)
	for _, g := range all {
		over := opened(stop, g.now+setup)
		if serves {
			over += in.c.takes(stop.ServiceSeconds)
		}
		least = min(least, over-in.pauses[g.pauses].Latest)
	}
	return least
}

// arrive ends the route with the tachograph that is home first.
func (in *inspector) arrive(t *trip, all []tachograph) {
	best, over := in.first(t, all)
	home := len(in.c.visits)
	if best == nil {
		t.fail(NoTimeForBreak, home, over)
		return
	}
	t.driving, t.meters = t.driving+best.extra.seconds, t.meters+best.extra.meters
	t.ends, t.starts, t.left, t.fine = best.now, best.starts, best.left, best.fine
	pickup, by := in.c.longAboard(t)
	t.fail(TooLongAboard, pickup, by)
	t.fail(HomeTooLate, home, t.ends-in.c.end)
	t.fail(RouteTooFar, home, t.meters-in.c.farthest)
	t.fail(TooManyStops, home, t.places-in.c.stops)
	t.jam = best.jam
	if !in.c.inTraffic() {
		t.fail(DrivingTooLong, home, t.driving-in.c.mostDriving)
	}
}

// first returns the tachograph that is home first, and at the lowest price, of those that are not driven too far
// if there are any. Without one, it returns by how little a break is missed.
func (in *inspector) first(t *trip, all []tachograph) (best *tachograph, over int64) {
	over = anyTime
	for i := range all {
		g := &all[i]
		if g.pauses < len(in.pauses) && g.now > in.pauses[g.pauses].Latest {
			over = min(over, g.now-in.pauses[g.pauses].Latest)
			continue
		}
		if best == nil || in.ranks(t, g, best) {
			best = g
		}
	}
	return best, over
}

// better reports whether a tachograph is as good as another in all that counts.
func (g *tachograph) better(other *tachograph) bool {
	return g.now <= other.now && g.wheel <= other.wheel && g.pauses >= other.pauses && (g.part || !other.part) &&
		(g.pauses == other.pauses || !other.travels) &&
		g.fine <= other.fine && g.jam <= other.jam &&
		g.extra.seconds <= other.extra.seconds && g.extra.meters <= other.extra.meters &&
		(other.stale || !g.stale && g.fresher(other))
}

// keep adds a tachograph, if none is better in all that counts.
func keep(all []tachograph, g tachograph) []tachograph {
	for i := range all {
		if all[i].better(&g) {
			return all
		}
	}
	return append(slices.DeleteFunc(all, func(other tachograph) bool { return g.better(&other) }), g)
}

// tooFar reports whether nobody drives a leg in a shift: 48 days, or forty breaks.
func (in *inspector) tooFar(road int64) bool {
	most := in.c.shift.Rule.Most
	return road > 1<<22 || most > 0 && road > 40*most
}

// through drives a leg with each tachograph, and tries breaks at each moment that can matter.
func (in *inspector) through(all []tachograph, from, to int, same bool) (there []tachograph) {
	var ahead []tachograph
	road := in.way(from, to).seconds
	for _, g := range all {
		if same || in.tooFar(road) {
			arrives := in.c.streetOf(from, to, road).end(g.now)
			g.jam += arrives - g.now - road
			g.now, g.road = arrives, street{}
			there = keep(there, g)
			continue
		}
		ahead = append(ahead, in.setOff(g, from, to)...)
	}
	rule := &in.c.shift.Rule
	for done := 0; done < len(ahead); done++ {
		g := ahead[done]
		whole := g.road.end(g.now) - g.now
		far := whole
		if rule.Most > 0 {
			far = min(far, rule.Most-g.wheel)
		}
		if far == whole && g.heads == 0 {
			there = keep(there, in.on(g, far))
		} else if far == whole {
			ahead = append(ahead, in.stay(in.on(g, far), to)...)
		}
		for _, x := range in.moments(&g, far) {
			for _, after := range in.breaks(in.on(g, x)) {
				known := func(o tachograph) bool {
					return o.road == after.road && o.heads == after.heads && o.better(&after)
				}
				if !slices.ContainsFunc(ahead, known) {
					ahead = append(ahead, after)
				}
			}
		}
	}
	return there
}

// on drives for so long.
func (in *inspector) on(g tachograph, seconds int64) tachograph {
	_, g.road = g.road.drives(g.now, g.now+seconds)
	g.now, g.jam = g.now+seconds, g.jam+seconds
	if in.c.shift.Rule.Most > 0 {
		g.wheel += seconds
	}
	return g
}

// moments are the places on the next seconds of a leg at which a break can matter: at once, as late as
// can be, and just in time for a break by the clock, also behind another one.
func (in *inspector) moments(g *tachograph, far int64) []int64 {
	all := []int64{0, far}
	if g.pauses < len(in.pauses) {
		last := in.pauses[g.pauses].Latest - g.now
		for _, before := range []int64{0, in.c.shift.Rule.Break, in.c.shift.Rule.Second} {
			if x := last - before; x > 0 && x < far {
				all = append(all, x)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// breaks are what can follow a break that begins now.
func (in *inspector) breaks(g tachograph) (after []tachograph) {
	rule := &in.c.shift.Rule
	rest := func(seconds int64, by int) {
		if seconds <= 0 {
			return
		}
		n := g
		n.now, n.pauses = n.now+seconds, n.pauses+by
		long := seconds >= rule.Break || g.part && rule.Second > 0 && seconds >= rule.Second
		switch {
		case rule.Most == 0:
		case long:
			n.wheel, n.part = 0, false
		case rule.First > 0 && seconds >= rule.First:
			n.part = true
		}
		after = append(after, n)
	}
	if rule.Most > 0 {
		rest(rule.Break, 0)
		rest(rule.First, 0)
		if g.part {
			rest(rule.Second, 0)
		}
	}
	if g.pauses < len(in.pauses) {
		if next := in.pauses[g.pauses]; g.now <= next.Latest && next.At == 0 {
			g.now = max(g.now, next.Earliest)
			rest(next.Seconds, 1)
		}
	}
	return after
}

// giveWay widens the limits as far as the frozen and owed visits need, if the driver takes a whole
// break whenever one is due.
func (in *inspector) giveWay() {
	c := in.c
	bare := &inspector{c: &clock{p: c.p, shift: c.shift, visits: slices.Concat(c.shift.Frozen, c.shift.Owed)}}
	in.pauses = slices.Clone(in.pauses)
	t := trip{}
	h := hand{place: c.shift.From, site: c.shift.Site, loads: c.shift.Loading.Site != 0}
	g := tachograph{
		now: c.shift.Start, wheel: min(c.shift.Rested.Driven, c.shift.Rule.Most), part: c.shift.Rested.First,
	}
	for i := 0; i <= len(bare.c.visits); i++ {
		from := h.place
		way, setup, same := bare.leg(&h, i)
		t.driving, t.meters = t.driving+int64(way.Seconds), t.meters+int64(way.Meters)
		if !same && i < len(bare.c.visits) {
			t.places++
		}
		if g.road = c.streetOf(from, h.place, int64(way.Seconds)); same || in.tooFar(int64(way.Seconds)) {
			g.now, g.road = g.road.end(g.now), street{}
		} else {
			in.callAt(&g, from, h.place)
			in.driveOn(&g)
		}
		if i == len(bare.c.visits) {
			break
		}
		v := bare.c.visits[i]
		stop := stopOf(c.p, v)
		g.now = opened(stop, g.now+setup)
		if i >= len(c.shift.Frozen)-c.shift.Held {
			c.until[v] = max(stop.Closes, g.now)
		}
		if !h.loads {
			g.now += c.takes(stop.ServiceSeconds)
		}
	}
	if g.pauses < len(in.pauses) {
		in.pauses[g.pauses].Latest = max(in.pauses[g.pauses].Latest, g.now)
	}
	c.end, c.longest = max(c.end, g.now), max(c.longest, g.now-c.shift.Start)
	c.farthest = max(c.farthest, t.meters+g.extra.meters)
	c.stops, c.mostDriving = max(c.stops, t.places), max(c.mostDriving, c.slowestDriving(t.driving+g.extra.seconds))
}

// driveOn drives a leg to its end, with whole breaks where they are due.
func (in *inspector) driveOn(g *tachograph) {
	rule := &in.c.shift.Rule
	for {
		far := g.road.end(g.now) - g.now
		if rule.Most > 0 {
			far = min(far, rule.Most-g.wheel)
		}
		var found []tachograph
		if g.pauses < len(in.pauses) && in.pauses[g.pauses].At == 0 && in.pauses[g.pauses].Earliest <= g.now+far {
			next := &in.pauses[g.pauses]
			there := in.on(*g, max(0, next.Earliest-g.now))
			next.Latest = max(next.Latest, there.now)
			found = in.breaks(there)
			*g = found[len(found)-1]
			continue
		}
		if *g = in.on(*g, far); g.road.first+g.road.other == 0 {
			return
		}
		found = in.breaks(*g)
		whole := 0
		if g.part {
			whole = slices.IndexFunc(found, func(n tachograph) bool { return n.now == g.now+rule.Second && n.wheel == 0 })
		}
		*g = found[whole]
	}
}

// best returns the run that ends first and, on request, leaves last of those.
func (in *inspector) best(leaveLast bool) trip {
	c := in.c
	best := in.inspect(c.shift.Start)
	if best.code != "" || len(c.visits) == 0 {
		return best
	}
	if begun := len(c.shift.Frozen)-c.shift.Held+len(c.shift.OnBoard) > 0; leaveLast && !begun {
		low, high, ends, fine, toll := c.shift.Start, best.ends+1, best.ends, best.fine, best.toll(c)
		for high-low > 1 {
			middle := (low + high) / 2
			if t := in.inspect(middle); t.code == "" && t.ends == ends && t.fine <= fine && t.toll(c) <= toll {
				low, best = middle, t
			} else {
				high = middle
			}
		}
	}
	c.tooLong(&best)
	return best
}
