package routing

import "slices"

// paths are the shortest ways over any number of places. A route may pass other
// visits on its way, and where a detour is shorter than the direct leg, only
// paths prove that something is impossible.
type paths struct {
	p     *Problem
	known map[path][]int64
	// among are the places that can be visited: Roads have others, too.
	among []int
}

// visited returns the places that the problem speaks of, each once.
func (p *Problem) visited() (places []int) {
	seen := make([]bool, p.places())
	add := func(place int) {
		if place != Anywhere && !seen[place] {
			seen[place], places = true, append(places, place)
		}
	}
	for r := range p.Requests {
		add(p.Requests[r].Pickup.Place)
		add(p.Requests[r].Delivery.Place)
	}
	for k := range p.Shifts {
		add(p.Shifts[k].From)
		add(p.Shifts[k].To)
		for _, pause := range p.Shifts[k].breaks() {
			add(pause.Place()) // without one it is Anywhere
		}
	}
	return places
}

// path is all that leads from a place, or to it.
type path struct {
	profile, place int
	back, meters   bool
}

func (x *paths) seconds(profile, from, to int) int64 {
	if from == Anywhere || to == Anywhere {
		return 0
	}
	return x.from(path{profile: profile, place: from})[to]
}

func (x *paths) meters(profile, from, to int) int64 {
	if from == Anywhere || to == Anywhere {
		return 0
	}
	return x.from(path{profile: profile, place: from, meters: true})[to]
}

// home returns the seconds of the shortest way to where a shift ends.
func (x *paths) home(profile, from, to int) int64 {
	if from == Anywhere || to == Anywhere {
		return 0
	}
	return x.from(path{profile: profile, place: to, back: true})[from]
}

// from looks for the shortest ways (Dijkstra), once for each place.
func (x *paths) from(at path) []int64 {
	if ways, ok := x.known[at]; ok {
		return ways
	}
	if x.among == nil {
		x.among = x.p.visited()
	}
	n := x.p.places()
	ways, done := make([]int64, n), make([]bool, n)
	for i := range ways {
		ways[i] = never
	}
	ways[at.place] = 0
	for range x.among {
		next := -1
		for _, i := range x.among {
			if !done[i] && (next < 0 || ways[i] < ways[next]) {
				next = i
			}
		}
		done[next] = true
		for _, i := range x.among {
			ways[i] = min(ways[i], ways[next]+x.length(at, next, i))
		}
	}
	x.known[at] = ways
	return ways
}

func (x *paths) length(at path, from, to int) int64 {
	if at.back {
		from, to = to, from
	}
	leg := x.p.Travel[at.profile].Leg(from, to)
	if at.meters {
		return int64(leg.Meters)
	}
	return int64(leg.Seconds)
}

// provenFor reports whether a shift that cannot serve a request alone can do so
// in no plan at all: it must not have it, or it is too late or too far even by
// the shortest ways.
func (e *Explainer) provenFor(k, r int) bool {
	if code, _ := e.p.refusal(k, r, e.m.begun.shift[r]); code != "" {
		return true
	}
	free := e.m.shifts[k]
	free.busy = nil // no traffic makes a way shorter
	b := &free
	if e.tooLongAboard(k, r) {
		return true
	}
	from, at := e.free(k)
	seconds, meters := b.empty.beforeHome(), b.empty.metersBeforeHome()
	driving := b.empty.drivingBeforeHome()
	for _, v := range e.ends(r) {
		s, stop := e.shortest(b, v), e.p.stop(v)
		way := approach{leg: e.paths.seconds(b.profile, int(from.place), stop.Place), setup: s.entry(&from)}
		at = s.serveBy(b.openHours(&s, b.reach(at, way)), stop.Closes, stop.Closes)
		if at.none() {
			return true
		}
		seconds += way.leg + way.setup + int64(s.service)
		meters, driving = meters+e.paths.meters(b.profile, int(from.place), stop.Place), driving+way.leg
		from = s
	}
	to := e.p.Shifts[k].To
	way := approach{leg: e.paths.home(b.profile, int(from.place), to)}
	meters += e.paths.meters(b.profile, int(from.place), to)
	at = b.reach(at, way)
	late := at.after > b.end && at.before > b.unpausedEnd()
	stops := e.p.stopsOf(k, slices.Concat(e.p.Shifts[k].Frozen, e.ends(r)))
	return late || meters > b.maxMeters || seconds+way.leg > b.maxSeconds ||
		driving+way.leg > b.maxDriving || stops > b.maxStops
}

// tooLongAboard reports whether even the shortest way from the pickup of a request to its
// delivery takes longer than the goods may be on board.
func (e *Explainer) tooLongAboard(k, r int) bool {
	request := &e.p.Requests[r]
	if request.MaxAboard == 0 || e.m.fact(r) {
		return false
	}
	seconds := e.paths.seconds(e.p.Shifts[k].Profile, request.Pickup.Place, request.Delivery.Place)
	if request.Pickup.Site == 0 || request.Pickup.Site != request.Delivery.Site {
		seconds += e.p.setupOf(k, request.Delivery.Site)
	}
	return seconds > request.MaxAboard
}

// shortest returns a visit that takes no longer than in any route: it may be part of the
// loading before the shift.
func (e *Explainer) shortest(b *bounds, v Visit) spot {
	s := *e.m.spot(int32(v), b.manner)
	s.place = int32(e.p.stop(v).Place)
	if b.loading.Site == int(s.site) { // what is loaded before the shift has been set up for
		s.setup = min(s.setup, int32(b.loading.Seconds))
	}
	if b.loading.Site != 0 && b.preloads(&s) {
		s.service = 0
	}
	return s
}

// free returns from where and when a shift is free to do more than is frozen.
func (e *Explainer) free(k int) (from spot, at hours) {
	shift, b := &e.p.Shifts[k], &e.m.shifts[k]
	if len(shift.Frozen) == 0 {
		return spot{place: int32(shift.From), site: int32(shift.Site)}, hours{before: shift.Start, after: never}
	}
	last := len(b.empty.spots) - 2
	at = hours{b.empty.spots[last].leave, never}
	if b.pause.Seconds > 0 {
		at.after = b.empty.paused[last].leave
	}
	from = b.empty.spots[last]
	from.place = int32(e.p.stop(shift.Frozen[len(shift.Frozen)-1]).Place)
	return from, at
}

// ends are the visits of a request that are still to be placed.
func (e *Explainer) ends(r int) []Visit {
	if e.m.halved(int32(r)) {
		return []Visit{DeliveryOf(r)}
	}
	return []Visit{PickupOf(r), DeliveryOf(r)}
}

// reach is when the end of a way is reached, with or without a break on it.
func (b *bounds) reach(at hours, way approach) hours {
	if b.pause.Seconds == 0 {
		return hours{min(at.before+way.leg+way.setup, never), never}
	}
	before, after := b.arrive(at.before, at.after, way)
	return hours{before, after}
}

// unpausedEnd is when a route without a break must be over.
func (b *bounds) unpausedEnd() int64 {
	if b.pause.Seconds > 0 {
		return min(b.end, b.pause.Latest)
	}
	return b.end
}

// beforeHome is the way of a route without its last leg.
func (r *route) beforeHome() int64 { return r.seconds - int64(r.spots[len(r.spots)-1].seconds) }

// drivingBeforeHome is the same without setups.
func (r *route) drivingBeforeHome() int64 {
	seconds := r.beforeHome()
	for i := 1; i < len(r.spots)-1; i++ {
		seconds -= r.spots[i].entry(&r.spots[i-1])
	}
	return seconds
}

func (r *route) metersBeforeHome() int64 { return r.meters - int64(r.spots[len(r.spots)-1].meters) }
