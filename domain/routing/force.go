package routing

import "cmp"

// Forced is the place in a route where a request is least late.
type Forced struct {
	Visits []Visit
	// PickupLate and DeliveryLate are how late it begins, against the windows that
	// it should keep.
	PickupLate, DeliveryLate int64
	// Looked counts the places that were looked at.
	Looked int
}

// mostTimed is how many routes Force times in full for a shift with a maximum
// route length. Leaving later shortens such a route, and makes it later.
const mostTimed = 100

// Force finds the place in a shift's route where a request begins with the least
// delay after closes, of its pickup and of its delivery. Of several it takes the
// one with the shortest detour. The problem's windows are the upper bound of the
// delay; all other constraints of the problem apply. The plan must be valid, and
// is not changed. The cost is quadratic in the visits of the route.
func Force(p *Problem, plan Plan, shift, request int, closes [2]int64) (Forced, bool) {
	m := newModelFor(p, request)
	if shift >= len(plan.Routes) || !m.allowed.has(request, shift) || m.halved(int32(request)) {
		return Forced{}, false
	}
	f := forcer{m: m, k: shift, closes: closes}
	f.b, f.r, f.a = &m.shifts[shift], m.routeOf(
		shift,
		plan.Routes[shift],
	), m.gathered(
		int32(request),
		m.shifts[shift].tariff,
	)
	f.finder.m = m
	f.limit, f.verify = f.tight(), f.doubts()
	f.count()
	f.pickups()
	if !f.found {
		return Forced{}, false
	}
	return Forced{
		Visits:     visitsOf(m.spliced(nil, f.r.spots, f.a, f.best.i, f.best.j)),
		PickupLate: f.best.late[0], DeliveryLate: f.best.late[1], Looked: f.looked,
	}, true
}

// forcer is a finder that minimizes lateness instead of cost.
type forcer struct {
	finder

	m      *model
	k      int
	closes [2]int64
	best   forced
	found  bool
	looked int
	timed  int
}

// forced is a place with the request's delay and added cost.
type forced struct {
	late    [2]int64
	seconds int64
	i, j    int
}

func (at *forced) sum() int64 { return at.late[0] + at.late[1] }

func (at *forced) before(other *forced) bool {
	return cmp.Or(cmp.Compare(at.sum(), other.sum()), cmp.Compare(at.seconds, other.seconds)) < 0
}

// hopeless reports whether nothing that is so late can be the best.
func (f *forcer) hopeless(late int64) bool { return f.found && late > f.best.sum() }

// pickups tries each spot for the pickup, before and after the break: each has
// its own delay.
func (f *forcer) pickups() {
	last := len(f.r.spots) - 1
	if ahead := f.preloaded(); ahead != nil {
		a := f.a
		f.a = ahead
		f.pickupsAmong(f.b.first, f.r.ahead)
		f.a = a
		f.pickupsAmong(f.r.ahead+1, last)
		return
	}
	f.pickupsAmong(f.r.open, last)
}

func (f *forcer) pickupsAmong(first, last int) {
	spots, pickup := f.r.spots, f.a.pickup
	for i := first; i <= last; i++ {
		if f.limit && !f.fits(&spots[i-1]) {
			continue
		}
		arrives := f.drive(f.left(i-1), pickup.approach(&spots[i-1], int64(f.a.toPickup[spots[i-1].place].Seconds)))
		for _, start := range []hours{
			{f.b.open(pickup, max(arrives.before, int64(pickup.opens))), never},
			{never, f.b.open(pickup, max(arrives.after, int64(pickup.opens)))},
		} {
			at := min(start.before, start.after)
			late := max(0, at-f.closes[0])
			if at > int64(pickup.closes) || f.hopeless(late) {
				continue
			}
			f.deliveries(i, late, pickup.serveBy(start, never-1, never-1))
		}
	}
}

// deliveries follows the route behind a pickup before the spot i, and tries each
// spot for the delivery.
func (f *forcer) deliveries(i int, late int64, leave hours) {
	a, spots := f.a, f.r.spots
	added := a.pickup.comes(a.toPickup, &spots[i-1]).seconds
	if i >= f.r.open {
		f.delivery(i, i, late, added, f.between(), leave)
	}
	added += a.pickup.goes(a.fromPickup, &spots[i]).seconds - int64(spots[i].seconds)
	leave = f.past(f.drive(leave, spots[i].approach(a.pickup, int64(a.fromPickup[spots[i].place].Seconds))), i)
	for j := i + 1; j < len(spots) && !leave.none(); j++ {
		if f.limit && !f.fits(&spots[j-1]) || f.hopeless(late+min(leave.before, leave.after)-f.closes[1]) {
			return
		}
		if j >= f.r.open {
			f.delivery(i, j, late, added, a.drop.approach(&spots[j-1], int64(a.toDrop[spots[j-1].place].Seconds)), leave)
		}
		leave = f.past(f.drive(leave, f.r.approach(j)), j)
	}
}

// delivery looks at one place.
func (f *forcer) delivery(i, j int, late, added int64, there approach, leave hours) {
	f.looked++
	if f.fills(i, j) {
		return
	}
	drop, to := f.a.drop, &f.r.spots[j]
	away := to.approach(drop, int64(f.a.fromDrop[to.place].Seconds))
	arrives := f.drive(leave, there)
	at := forced{seconds: added + there.leg + there.setup + away.leg + away.setup - int64(to.seconds), i: i, j: j}
	for _, start := range []hours{
		{f.b.open(drop, max(arrives.before, int64(drop.opens))), never},
		{never, f.b.open(drop, max(arrives.after, int64(drop.opens)))},
	} {
		begins := min(start.before, start.after)
		at.late = [2]int64{late, max(0, begins-f.closes[1])}
		if begins > int64(drop.closes) || f.found && !at.before(&f.best) {
			continue
		}
		if f.inTime(f.drive(drop.serveBy(start, never-1, never-1), away), j) {
			f.take(at)
		}
	}
}

// take keeps a place that is better than the best so far, if the shift can drive so far.
func (f *forcer) take(at forced) {
	if f.verify && !f.short(&at) || f.found && !at.before(&f.best) {
		return
	}
	f.best, f.found = at, true
}

// short reports whether a route is within its maximum length. If it is not,
// leaving later may shorten it, and makes the request later.
func (f *forcer) short(at *forced) bool {
	if f.holdsAt(at) {
		return true
	}
	if f.timed++; f.b.begun || f.timed > mostTimed {
		return false
	}
	later, found := *at, false
	d := drive{
		p: f.m.p, k: f.k, limits: f.b.limits, pauseLeg: noPause,
		visits: visitsOf(f.m.spliced(nil, f.r.spots, f.a, at.i, at.j)),
	}
	for ; d.pauseLeg <= len(d.visits) && (d.pauseLeg == noPause || f.b.pause.Seconds > 0); d.pauseLeg++ {
		if !d.mayPause() {
			continue
		}
		run := d.runFrom(max(f.b.start, d.run().ends-f.b.maxSeconds))
		if late := f.lateIn(&run, at); run.late == "" && (!found || late.sum() < later.sum()) && f.holdsAt(&late) {
			later, found = late, true
		}
	}
	*at = later
	return found
}

// holdsAt reports whether the route is valid with a request that is no later than
// at a place.
func (f *forcer) holdsAt(at *forced) bool {
	a := *f.a
	pickup, drop := *a.pickup, *a.drop
	pickup.closes = min(pickup.closes, int32(f.closes[0]+at.late[0]))
	drop.closes = min(drop.closes, int32(f.closes[1]+at.late[1]))
	a.pickup, a.drop = &pickup, &drop
	if f.m.strict != nil {
		f.trial = f.m.spliced(f.trial[:0], f.r.spots, &a, at.i, at.j)
		return f.m.measure(f.k, &route{spots: f.trial})
	}
	return f.holdsWith(&a, at.i, at.j)
}

// lateIn is a place with the lateness of a run.
func (f *forcer) lateIn(run *driven, at *forced) forced {
	out := *at
	for _, s := range run.stops {
		if s.Visit.Request() == int(f.a.request) {
			n := int(s.Visit) & 1
			out.late[n] = max(0, s.Starts-f.closes[n])
		}
	}
	return out
}

// left returns the earliest moments to leave a spot of the route.
func (f *forcer) left(i int) hours {
	if f.b.pause.Seconds > 0 {
		return f.leaving(i)
	}
	return hours{f.r.spots[i].leave, never}
}

// drive returns the arrivals at the end of a way.
func (f *forcer) drive(h hours, way approach) hours {
	if f.b.pause.Seconds > 0 {
		return f.b.ride(h, way)
	}
	return hours{min(h.before+way.leg+way.setup, never), never}
}

// past returns when a spot of the route is left.
func (f *forcer) past(arrives hours, j int) hours {
	arrives = f.b.openHours(&f.r.spots[j], arrives)
	if f.b.pause.Seconds > 0 {
		return f.through(arrives, j)
	}
	return f.r.spots[j].serveBy(arrives, f.r.spots[j].latest, -1)
}

// inTime reports whether the start of service at a spot of the route is in time.
func (f *forcer) inTime(arrives hours, j int) bool {
	if f.b.pause.Seconds > 0 {
		return f.by(arrives, j)
	}
	return max(arrives.before, int64(f.r.spots[j].opens)) <= f.r.spots[j].latest
}
