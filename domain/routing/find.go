package routing

import "math/rand/v2"

// found is where a request goes into a route most cheaply: its pickup before
// the spot i of the route as it is, its delivery before the spot j.
type found struct {
	cost int64
	i, j int32
}

// finder looks for the cheapest place of a request in a route.
type finder struct {
	m     *model
	b     *bounds
	r     *route
	a     *ask
	best  found
	limit bool
	// exact finds the cheapest even where a detour may be negative.
	exact bool
	// rng, when there is one, overlooks some places.
	rng *rand.Rand
}

// overlooked is how likely a finder with chance sees a place.
const overlooked = 0.57

// nowhere is the cost of what has no place.
const nowhere = never

// find returns the cheapest place, or one that costs nowhere. The cost is that
// of the way; waiting is not in it.
func (f *finder) find(k int, r *route, a *ask) found {
	f.b, f.r, f.a = &f.m.shifts[k], r, a
	f.best = found{cost: nowhere}
	f.limit = f.tight()
	switch {
	case f.b.pause.Seconds > 0:
		f.paused()
	case a.halved:
		f.drops()
	default:
		f.pickups()
	}
	return f.best
}

// tight reports whether the load must be looked at spot by spot.
func (f *finder) tight() bool {
	for d, amount := range f.a.load {
		if amount > 0 && f.r.heaviest[d]+amount > f.b.capacity[d] {
			return true
		}
	}
	return false
}

// fits reports whether the request can join what is on board behind a spot.
func (f *finder) fits(s *spot) bool {
	for d, amount := range f.a.load {
		if amount > 0 && s.load[d]+amount > f.b.capacity[d] {
			return false
		}
	}
	return true
}

func (f *finder) take(cost int64, i, j int) {
	if cost >= f.best.cost || f.rng != nil && f.rng.Float64() > overlooked {
		return
	}
	if f.b.watched && !f.m.holdsWith(f.b, f.r, f.a, i, j) {
		return
	}
	f.best = found{cost: cost, i: int32(i), j: int32(j)}
}

// pickups tries each spot for the pickup and, behind it, for the delivery.
func (f *finder) pickups() {
	a, spots := f.a, f.r.spots
	closes, opens, service := int64(a.pickup.closes), int64(a.pickup.opens), int64(a.pickup.service)
	for i := f.b.first; i < len(spots); i++ {
		from, to := &spots[i-1], &spots[i]
		if from.leave > closes {
			return
		}
		if f.limit && !f.fits(from) {
			continue
		}
		toPickup := a.toPickup[from.place]
		t := from.leave + int64(toPickup.Seconds)
		if t > closes {
			continue
		}
		leave := max(t, opens) + service
		f.both(i, leave, toPickup)
		detour := a.price(f.detour(toPickup, a.fromPickup[to.place], to))
		if to.visit == terminal || !f.exact && detour >= f.best.cost {
			continue
		}
		if start := max(leave+int64(a.fromPickup[to.place].Seconds), int64(to.opens)); start <= to.latest {
			f.walk(i, start+int64(to.service), detour)
		}
	}
}

// detour returns what a visit adds before a spot, from its legs there and away.
func (f *finder) detour(there, away Leg, to *spot) (seconds, meters int64) {
	return int64(there.Seconds) + int64(away.Seconds) - int64(to.seconds),
		int64(there.Meters) + int64(away.Meters) - int64(to.meters)
}

// both tries the delivery right behind the pickup.
func (f *finder) both(i int, leave int64, toPickup Leg) {
	a, to := f.a, &f.r.spots[i]
	t := leave + int64(a.between.Seconds)
	if t > int64(a.drop.closes) {
		return
	}
	away := a.fromDrop[to.place]
	t = max(t, int64(a.drop.opens)) + int64(a.drop.service) + int64(away.Seconds)
	if t > to.latest {
		return
	}
	seconds, meters := f.detour(toPickup, away, to)
	f.take(a.price(seconds+int64(a.between.Seconds), meters+int64(a.between.Meters)), i, i)
}

// walk follows the route behind a pickup, from the moment at which it leaves
// the spot i, and tries each later spot for the delivery.
func (f *finder) walk(i int, leave, pickup int64) {
	a, spots := f.a, f.r.spots
	closes, opens, service := int64(a.drop.closes), int64(a.drop.opens), int64(a.drop.service)
	for j := i + 1; j < len(spots); j++ {
		from, to := &spots[j-1], &spots[j]
		if leave > closes || f.limit && !f.fits(from) {
			return
		}
		there := a.toDrop[from.place]
		if t := leave + int64(there.Seconds); t <= closes {
			away := a.fromDrop[to.place]
			if max(t, opens)+service+int64(away.Seconds) <= to.latest {
				f.take(pickup+a.price(f.detour(there, away, to)), i, j)
			}
		}
		start := max(leave+int64(to.seconds), int64(to.opens))
		if start > to.latest {
			return
		}
		leave = start + int64(to.service)
	}
}

// drops tries each spot for a delivery whose pickup is over or frozen.
func (f *finder) drops() {
	a, spots := f.a, f.r.spots
	closes, opens, service := int64(a.drop.closes), int64(a.drop.opens), int64(a.drop.service)
	for j := f.b.first; j < len(spots); j++ {
		from, to := &spots[j-1], &spots[j]
		there := a.toDrop[from.place]
		t := from.leave + int64(there.Seconds)
		if t > closes {
			continue
		}
		away := a.fromDrop[to.place]
		if max(t, opens)+service+int64(away.Seconds) <= to.latest {
			f.take(a.price(f.detour(there, away, to)), j, j)
		}
	}
}

// holdsWith reports whether a route with the request at i and j keeps to the
// longest route, by measuring it anew.
func (m *model) holdsWith(b *bounds, r *route, a *ask, i, j int) bool {
	trial := route{spots: m.spliced(nil, r.spots, a, i, j)}
	trial.spots[0].start, trial.spots[0].leave = b.start, b.start
	if !m.forward(b, &trial) {
		return false
	}
	m.backward(b, &trial, b.end)
	return trial.ends-m.leaves(b, &trial) <= b.maxSeconds && trial.meters <= b.maxMeters
}

// spliced appends to dst the spots of a route with a request in it.
func (m *model) spliced(dst, spots []spot, a *ask, i, j int) []spot {
	dst = append(dst, spots[:i]...)
	if !a.halved {
		dst = append(dst, *a.pickup)
		dst = append(dst, spots[i:j]...)
	}
	if a.halved {
		dst = append(dst, spots[i:j]...)
	}
	dst = append(dst, *a.drop)
	return append(dst, spots[j:]...)
}
