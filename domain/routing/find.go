package routing

import "math/rand/v2"

// found is the cheapest place for a request in a route: its pickup before spot
// i of the present route, its delivery before spot j. j is 0 when there is no
// place below the cost.
type found struct {
	cost int64
	i, j int32
}

// known reports whether the result suffices for a search below a limit: it has
// the place, or there is none below.
func (at *found) known(limit int64) bool { return at.j > 0 || at.cost >= limit }

// finder looks for the cheapest place of a request in a route.
type finder struct {
	m     *model
	b     *bounds
	r     *route
	a     *ask
	best  found
	limit bool
	// verify measures what may be a place in full.
	verify bool
	// exact also finds the places where the detour to the pickup saves time,
	// which it may where legs are not metric.
	exact bool
	// rng, if set, skips some places at random.
	rng *rand.Rand
	// drop has the price of the delivery before each spot, nowhere where it
	// cannot be; least the lowest of it from the spot on.
	drop, least []int64
	// step is what any place in the route costs at least, beside the way, and steeper the request where a second
	// of the way costs more because of it.
	step    int64
	steeper ask
	// high is the last spot before which the delivery may be.
	high int
	// stops is how many stops the route has without the request.
	stops int
	// trial has the room for a route that is measured in full.
	trial []spot
}

// overlooked is how likely a finder with chance sees a place.
const overlooked = 0.57

// nowhere is the cost without a place.
const nowhere = never

// find returns the cheapest place, or one that costs nowhere. The cost is that
// of the way; waiting is not in it.
func (f *finder) find(k int, r *route, a *ask) found { return f.findBelow(nowhere, k, r, a) }

// findBelow returns the cheapest place that costs less than a limit. It skips
// the pickup where the delivery alone is too expensive.
func (f *finder) findBelow(limit int64, k int, r *route, a *ask) found {
	f.b, f.r, f.a = &f.m.shifts[k], r, a
	f.balance()
	f.step -= f.b.toll(r) // the request may make the detour to a break shorter
	if f.exact && f.b.busy != nil && r.visits() > 0 {
		f.step -= r.idle // and the traffic less, behind it
	}
	f.best = found{cost: limit - f.step}
	f.limit, f.verify = f.tight(), f.doubts()
	f.count()
	f.bound()
	switch {
	case limit < nowhere && !f.exact && f.least[f.b.first] >= f.best.cost:
	case !a.halved:
		f.pickups()
	case f.b.pause.Seconds > 0:
		f.dropsPaused()
	default:
		f.drops()
	}
	f.best.cost += f.step
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

// fits reports whether the request fits into the load after a spot.
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
	if f.verify {
		if f.fills(i, j) {
			return
		}
		var holds bool
		if cost, holds = f.tried(cost, i, j); !holds || cost >= f.best.cost {
			return
		}
	}
	f.best = found{cost: cost, i: int32(i), j: int32(j)}
}

// pickups tries each spot for the pickup, first those that load the vehicle before
// the shift.
func (f *finder) pickups() {
	if ahead := f.preloaded(); ahead != nil {
		a := f.a
		f.a = ahead
		f.pickupsAmong(f.b.first, min(f.r.ahead, f.high))
		f.a = a
		f.pickupsAmong(f.r.ahead+1, f.high)
		return
	}
	f.pickupsAmong(f.r.open, f.high)
}

// pickupsAmong tries spots for the pickup and, behind them, for the delivery. It
// looks at the price first: most spots are too dear to look at the time.
func (f *finder) pickupsAmong(first, last int) {
	a, spots := f.a, f.r.spots
	if f.b.pause.Seconds > 0 {
		f.pausedAmong(first, last)
		return
	}
	closes, opens, service := int64(a.pickup.closes), int64(a.pickup.opens), int64(a.pickup.service)
	for i := f.from(first, opens+service); i <= last; i++ {
		from, to := &spots[i-1], &spots[i]
		if from.leave > closes {
			return
		}
		direct, detour, walks := f.priced(i)
		if !walks && direct >= f.best.cost || f.limit && !f.fits(from) {
			continue
		}
		t := from.leave + a.pickup.comes(a.toPickup, from).seconds
		if t > closes {
			continue
		}
		leave := max(t, opens) + service
		if direct < f.best.cost && f.both(leave, to) {
			f.take(direct, i, i)
		}
		if !walks {
			continue
		}
		if start := max(leave+a.pickup.goes(a.fromPickup, to).seconds, int64(to.opens)); start <= to.latest {
			f.walk(i, start+int64(to.service), detour)
		}
	}
}

// priced returns the cost of a pickup before a spot, with the delivery right after
// it and without; walks reports whether a later delivery may be cheaper than the
// best.
func (f *finder) priced(i int) (direct, detour int64, walks bool) {
	a, from, to := f.a, &f.r.spots[i-1], &f.r.spots[i]
	there := a.pickup.comes(a.toPickup, from)
	direct = nowhere
	if i >= f.r.open {
		direct = a.direct + a.price(there.detour(a.drop.goes(a.fromDrop, to), to))
	}
	detour = a.price(there.detour(a.pickup.goes(a.fromPickup, to), to)) + a.pickupCost
	return direct, detour, i < f.high && detour+f.least[i+1] < f.best.cost
}

// detour returns how much longer the way is with another visit before a spot, given
// the ways to and from it.
func (there way) detour(away way, to *spot) (seconds, meters int64) {
	return there.seconds + away.seconds - int64(to.seconds), there.meters + away.meters - int64(to.meters)
}

// both reports whether the delivery can be right behind the pickup, before a spot.
func (f *finder) both(leave int64, to *spot) bool {
	a := f.a
	t := leave + a.between.seconds
	if t > int64(a.drop.closes) {
		return false
	}
	return max(t, int64(a.drop.opens))+int64(a.drop.service)+a.drop.goes(a.fromDrop, to).seconds <= to.latest
}

// walk follows the route behind a pickup, from the moment at which it leaves
// the spot i, and tries each later spot for the delivery.
func (f *finder) walk(i int, leave, pickup int64) {
	a, spots := f.a, f.r.spots
	closes, opens, service := int64(a.drop.closes), int64(a.drop.opens), int64(a.drop.service)
	for j := i + 1; j < len(spots); j++ {
		from, to := &spots[j-1], &spots[j]
		if leave > closes || pickup+f.least[j] >= f.best.cost || f.limit && !f.fits(from) {
			return
		}
		if pickup+f.drop[j] < f.best.cost {
			t := leave + a.drop.comes(a.toDrop, from).seconds
			if t <= closes && max(t, opens)+service+a.drop.goes(a.fromDrop, to).seconds <= to.latest {
				f.take(pickup+f.drop[j], i, j)
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
	for j := f.r.open; j < len(f.r.spots); j++ {
		if f.drop[j] < f.best.cost {
			f.take(f.drop[j], j, j)
		}
	}
}

// from returns the first spot, at or behind first, that may begin after t.
func (f *finder) from(first int, t int64) int {
	last := len(f.r.spots) - 1
	for first < last {
		middle := (first + last) / 2
		if latest(f.r, middle) < t {
			first = middle + 1
		} else {
			last = middle
		}
	}
	return first
}

// bound computes the cost of the delivery at each spot of the present route.
// Usually an earlier pickup does not make it earlier.
func (f *finder) bound() {
	a, spots := f.a, f.r.spots
	if cap(f.drop) < len(spots) {
		f.drop, f.least = make([]int64, 2*len(spots)), make([]int64, 2*len(spots))
	}
	f.drop, f.least = f.drop[:len(spots)], f.least[:len(spots)]
	low, high := f.span()
	for j := high + 1; j < len(spots); j++ {
		f.drop[j], f.least[j] = nowhere, nowhere
	}
	closes, opens, service := int64(a.drop.closes), int64(a.drop.opens), int64(a.drop.service)
	anytime, limit := f.exact && !a.halved, f.best.cost
	if f.exact {
		limit = nowhere
	}
	least := nowhere
	for j := high; j >= low; j-- {
		from, to := &spots[j-1], &spots[j]
		there, away := a.drop.comes(a.toDrop, from), a.drop.goes(a.fromDrop, to)
		f.drop[j], f.least[j] = nowhere, least
		cost := a.price(there.detour(away, to)) + a.dropCost
		if cost >= limit {
			continue
		}
		t := int64(0)
		if !anytime {
			t = leaves(f.r, j-1) + there.seconds
		}
		if t <= closes && max(t, opens)+service+away.seconds <= latest(f.r, j) {
			least = min(least, cost)
			f.drop[j], f.least[j] = cost, least
		}
	}
	for j := f.b.first; j < low; j++ {
		f.drop[j], f.least[j] = nowhere, least
	}
	f.high = high
}

// span returns the first and the last spot before which the delivery may be in
// time: it leaves out those where the route is already too late, and those that
// would make all later visits late.
func (f *finder) span() (low, high int) {
	last := len(f.r.spots) - 1
	low, high = f.from(f.r.open, int64(f.a.drop.opens)+int64(f.a.drop.service)), last
	if f.exact && !f.a.halved {
		return low, last
	}
	closes := int64(f.a.drop.closes)
	for least := low; least < high; {
		middle := (least + high) / 2
		if leaves(f.r, middle) > closes {
			high = middle
		} else {
			least = middle + 1
		}
	}
	return low, high
}

// doubts reports whether what the finder takes for a place may be none.
func (f *finder) doubts() bool { return f.b.watched || f.spansMatter() || f.meddles() }

// holdsWith reports whether a route with the request at i and j keeps its times and its
// maximum length, by measuring it again.
func (f *finder) holdsWith(a *ask, i, j int) bool {
	m, b := f.m, f.b
	f.trial = m.spliced(f.trial[:0], f.r.spots, a, i, j)
	trial := route{spots: f.trial, seconds: f.r.seconds, meters: f.r.meters}
	m.preload(b, &trial, 1, 1)
	if !m.forward(b, &trial, 1, len(trial.spots)-2) {
		return false
	}
	lasts := trial.ends-b.start <= b.maxSeconds || trial.ends-trial.leaves(b) <= b.maxSeconds
	return lasts && trial.meters+trial.farther.meters <= b.maxMeters && trial.within(b)
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
