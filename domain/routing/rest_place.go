package routing

import (
	"cmp"
	"slices"
)

// settleAt notes the ways to the places of breaks, if there are any, and those in traffic.
func (r *resting) settleAt(p *Problem, k int) {
	r.busy = p.busy(k)
	if slices.ContainsFunc(r.breaks, Break.placed) {
		r.travel, r.rates = &p.Travel[p.Shifts[k].Profile], p.Rates(k)
	}
}

// makesDetours reports whether a shift has a break at a place.
func (b *bounds) makesDetours() bool { return b.rest != nil && b.rest.travel != nil }

// shorter compares two detours by their price.
func (r *resting) shorter(a, b *way) bool {
	toll := cmp.Compare(r.rates.way(a.seconds, a.meters), r.rates.way(b.seconds, b.meters))
	return cmp.Or(toll, cmp.Compare(a.seconds, b.seconds), cmp.Compare(a.meters, b.meters)) < 0
}

// roomForDetours returns how much longer the way of a measured route may be because of breaks at places.
func (b *bounds) roomForDetours(r *route) way {
	if !b.makesDetours() {
		return way{}
	}
	return way{seconds: b.maxDriving - r.driving(), meters: b.maxMeters - r.meters}
}

// placeOf returns the place of a spot, if the walker needs it: a break may be at a place, or there is traffic.
func (b *bounds) placeOf(r *route, i int) int {
	travel := b.busy
	if b.makesDetours() {
		travel = b.rest.travel
	}
	if place := int(r.spots[i].place); travel != nil && place < travel.Places {
		return place
	}
	return Anywhere
}

// leavesAt reports whether a route that leaves at a time ends as early, and goes no longer way.
func (b *bounds) leavesAt(r *route, start int64) bool {
	ends, farther := b.walked(r, start, nil)
	return ends == r.ends && farther == r.farther
}

// roomForDetours is that of the visits of a drive.
func (d *drive) roomForDetours() way {
	if d.limits.rest.travel == nil {
		return way{}
	}
	driving, meters := int64(0), int64(0)
	for i := 0; i <= len(d.visits); i++ {
		leg := d.leg(i) // in traffic, the limit of driving is looked at when it is known when the driver leaves
		driving, meters = driving+int64(leg.Seconds), meters+int64(leg.Meters)
	}
	return way{seconds: d.limits.maxDriving - driving, meters: d.limits.maxMeters - meters}
}

// toll returns what the way of a route costs because of breaks at places.
func (b *bounds) toll(r *route) int64 { return b.rates.way(r.farther.seconds, r.farther.meters) }

// anyRoom is that of a way that may be as long as it likes.
var anyRoom = way{seconds: never, meters: never}

// affords reports whether the way is not too long because of breaks at places.
func (w *walker) affords(s *state) bool {
	return w.of.travel == nil || s.farther.seconds <= w.room.seconds && s.farther.meters <= w.room.meters
}

// farther returns by how much a way is longer by a place, with the leg there. It is none if nobody drives there.
func (r *resting) farther(from, place, to int) (there Leg, longer way, ok bool) {
	there = r.travel.Leg(from, place)
	on, direct := r.travel.Leg(place, to), r.travel.Leg(from, to)
	if r.far(int64(there.Seconds)) || r.far(int64(on.Seconds)) {
		return there, longer, false
	}
	longer.seconds = int64(there.Seconds) + int64(on.Seconds) - int64(direct.Seconds)
	longer.meters = int64(there.Meters) + int64(on.Meters) - int64(direct.Meters)
	return there, longer, true
}

// depart drives from a place to the end of the leg, or to where the next break is that has a place.
func (w *walker) depart(s state, from int) {
	w.drive(s)
	by, pause := w.byBreak(s, from)
	if pause == nil || s.at+int64(by.there.Seconds) > pause.Latest {
		return
	}
	by.left = int64(by.there.Seconds)
	w.drive(by)
}

// byBreak sends a driver from a place to where the next break is that has a place. The break is nil if there is none,
// or nobody drives there.
func (w *walker) byBreak(s state, from int) (by state, pause *Break) {
	if w.of.travel == nil {
		return s, nil
	}
	next := slices.IndexFunc(w.of.breaks[s.taken:], Break.placed)
	if next < 0 {
		return s, nil
	}
	next += s.taken
	pause = &w.of.breaks[next]
	there, longer, ok := w.of.farther(from, pause.Place(), w.to)
	if !ok {
		return s, nil
	}
	s.goal, s.there, s.detour = next+1, there, longer
	s.farther.seconds, s.farther.meters = s.farther.seconds+longer.seconds, s.farther.meters+longer.meters
	return s, pause
}

// arrive is at the end of a leg, or at the place of a break, where the driver has it and then drives on.
func (w *walker) arrive(s state) {
	if s.goal == 0 {
		w.next = w.next.add(s)
		return
	}
	if after, place, ok := w.sit(s); ok {
		after.left = int64(w.of.travel.Leg(place, w.to).Seconds)
		w.depart(after, place)
	}
}

// sit has the break at the place that a driver has reached, unless it is too late for it.
func (w *walker) sit(s state) (after state, place int, ok bool) {
	pause := &w.of.breaks[s.goal-1]
	if s.taken != s.goal-1 || s.at > pause.Latest {
		return s, pause.Place(), false
	}
	arrives, starts := s.at, max(s.at, pause.Earliest)
	s.at, s.taken, s.goal = starts+pause.Seconds, s.taken+1, 0
	s.awaits = slices.ContainsFunc(w.of.breaks[s.taken:], Break.placed)
	if w.recording {
		s.past = &event{
			arrives: arrives, starts: starts, ends: s.at, before: s.past,
			isBreak: true, at: pause.At, detour: s.detour, there: s.there,
		}
	}
	w.of.rule.count(&s, pause.Seconds)
	return s, pause.Place(), true
}
