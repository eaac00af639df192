package routing

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// choice is the best place of a request on all routes, and the second best cost.
type choice struct {
	found
	second int64
	// k and next are the routes of both, -1 is none.
	k, next int32
	// both requests the second best cost as well.
	both bool
}

// none is the choice of a request that has no place.
func none(both bool) choice {
	return choice{found: found{cost: nowhere}, second: nowhere, k: -1, next: -1, both: both}
}

// limit is the cost from which on a place changes nothing.
func (c *choice) limit() int64 {
	if c.both {
		return c.second
	}
	return c.cost
}

// spare lists an unused shift of each class.
func (s *search) spare() {
	s.spares = s.spares[:0]
	if s.shifts >= s.most {
		return
	}
	for _, class := range s.classes {
		for _, k := range class {
			if s.routes[k] == nil && s.focus[k>>6]&(1<<(k&63)) != 0 {
				s.spares = append(s.spares, k)
				break
			}
		}
	}
}

// remembered returns the cached result for a request in an unchanged route,
// or nil.
func (s *search) remembered(q, k int32, r *route) *found {
	two := &s.cache[int(q)*len(s.routes)+int(k)]
	for i := range two {
		if two[i].version == r.version {
			return &two[i].found
		}
	}
	return nil
}

// look returns the cheapest place in a route, if that costs less than a limit,
// from the cache when the route is still the same. The price of change is in it.
func (s *search) look(q, k int32, r *route, limit int64) found {
	at := s.remembered(q, k, r)
	if at != nil && at.known(limit) {
		return *at
	}
	if at == nil {
		at = s.remember(q, k, r.version)
	}
	change := s.m.changeOf(q, k)
	if limit < nowhere {
		limit -= change
	}
	*at = s.f.findBelow(limit, int(k), r, s.m.ask(q, int(k)))
	if at.cost < nowhere {
		at.cost += change
	}
	return *at
}

// remember makes room for a result in a version of a route.
func (s *search) remember(q, k int32, version uint32) *found {
	two := &s.cache[int(q)*len(s.routes)+int(k)]
	c := &two[0]
	if s.step.isTouched[k] && c.version == s.before[k] {
		c = &two[1]
	}
	c.version = version
	return &c.found
}

// choose looks at all routes for a request. It overlooks a route with the
// chance blink.
func (s *search) choose(q int32, blink float64) choice {
	best := none(false)
	s.chooseFrom(q, blink, 0, &best)
	return best
}

// chooseTwo also computes the second best cost. It reduces costs by random
// noise, to vary its choices.
func (s *search) chooseTwo(q int32, noise float64) choice {
	best := none(true)
	s.chooseFrom(q, 0, noise, &best)
	return best
}

func (s *search) chooseFrom(q int32, blink, noise float64, best *choice) {
	if s.shifts <= s.tuning.wholeFleet {
		s.offerUsed(q, s.focus, blink, noise, best)
	} else if s.surround(q); !s.offerUsed(q, s.within, blink, noise, best) {
		s.offerUsed(q, s.focus, blink, noise, best)
	}
	for _, k := range s.spares {
		s.open(q, k, best)
	}
	if before := s.m.before[q]; len(s.spares) > 0 && before >= 0 && s.routes[before] == nil {
		s.open(q, before, best)
	}
}

// offer offers a used route, with the cost up to noise off.
func (s *search) offer(q, k int32, noise float64, best *choice) {
	limit := best.limit()
	if noise > 0 && limit < nowhere {
		limit += int64(noise * math.Abs(float64(limit)))
	}
	s.offerPlace(s.look(q, k, s.routes[k], limit), k, noise, best)
}

// offerPlace offers a place found in a route.
func (s *search) offerPlace(place found, k int32, noise float64, best *choice) {
	if noise > 0 && place.j > 0 {
		place.cost += int64(noise * (s.rng.Float64() - 0.5) * float64(place.cost))
	}
	best.offer(place, k)
}

// surround marks the routes with a visit that is near one of the request.
func (s *search) surround(q int32) {
	clear(s.within)
	for _, v := range [2]int32{2 * q, 2*q + 1} {
		for _, w := range s.ranks.visitsAround(v) {
			if k := s.slot[w>>1]; k >= 0 {
				s.within[k>>6] |= 1 << (k & 63)
			}
		}
	}
	for w := range s.within {
		s.within[w] &= s.focus[w]
	}
}

// offerUsed offers the places in some of the used routes, and reports whether
// there are any. Cached results come first, because they may rule out the
// others.
func (s *search) offerUsed(q int32, some []uint64, blink, noise float64, best *choice) bool {
	row := s.m.allowed.row(int(q))
	s.unknown = s.unknown[:0]
	for w, word := range s.used {
		for x := word & row[w] & some[w]; x != 0; x &= x - 1 {
			if blink > 0 && s.rng.Float64() < blink {
				continue
			}
			k := int32(w<<6 + bits.TrailingZeros64(x))
			if at := s.remembered(q, k, s.routes[k]); at != nil && at.j > 0 {
				s.offerPlace(*at, k, noise, best)
				continue
			}
			s.unknown = append(s.unknown, k)
			if k == s.was[q] { // likely the cheapest
				first := &s.unknown[0]
				s.unknown[len(s.unknown)-1], *first = *first, k
			}
		}
	}
	for _, k := range s.unknown {
		s.offer(q, k, noise, best)
	}
	return best.k >= 0
}

func (s *search) open(q, k int32, best *choice) {
	if !s.m.allowed.has(int(q), int(k)) {
		return
	}
	place := s.look(q, k, s.m.shifts[k].empty, nowhere)
	if place.j > 0 {
		place.cost += s.prices.opening + s.m.p.Shifts[k].Fee
		best.offer(place, k)
	}
}

func (c *choice) offer(place found, k int32) {
	switch {
	case place.j == 0:
	case place.cost < c.cost:
		c.second, c.next = c.cost, c.k
		c.found, c.k = place, k
	case place.cost < c.second:
		c.second, c.next = place.cost, k
	}
}

// recreate reinserts removed requests where they fit; the rest becomes absent.
func (s *search) recreate() {
	s.absent = s.absent[:0]
	if s.rng.Float64() < s.regretShare() {
		s.recreateByRegret()
		return
	}
	s.order()
	s.spare()
	left := s.step.removed
	if len(left) > 0 && s.rng.Float64() < s.tuning.astray && s.placeAnywhere(left[0]) {
		left = left[1:]
	}
	for _, q := range left {
		s.place(q, s.choose(q, s.tuning.blink))
	}
}

// regretShare returns how often removed requests are reinserted by regret.
// With few routes regret means little, and evaluating all of them takes long.
func (s *search) regretShare() float64 {
	if s.shifts > s.tuning.fewRoutes {
		return s.tuning.packing
	}
	return s.tuning.regret
}

func (s *search) place(q int32, c choice) {
	if c.k < 0 {
		s.absent = append(s.absent, q)
		return
	}
	opens := s.routes[c.k] == nil
	s.insert(c.k, q, c.i, c.j)
	if opens {
		s.spare()
	}
}

// order sorts the removed requests in one of several ways, chosen with
// different probabilities.
func (s *search) order() {
	way := s.rng.IntN(17)
	for _, q := range s.step.removed {
		s.keys[q] = s.orderKey(way, q)
	}
	slices.SortFunc(s.step.removed, func(a, b int32) int {
		if c := cmp.Compare(s.keys[a], s.keys[b]); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
}

func (s *search) orderKey(way int, q int32) int64 {
	pickup, drop := &s.m.spots[2*q], &s.m.spots[2*q+1]
	switch {
	case way < 4:
		return s.rng.Int64()
	case way < 8:
		return -s.weight(q)
	case way < 10:
		return -s.remote(q)
	case way < 11:
		return s.remote(q)
	case way < 13:
		return int64(pickup.closes) - int64(pickup.opens) + int64(drop.closes) - int64(drop.opens)
	case way < 15:
		return int64(pickup.opens)
	}
	return -int64(drop.closes)
}

func (s *search) weight(q int32) int64 {
	sum := int64(0)
	for _, amount := range s.m.p.Requests[q].Load {
		sum += int64(amount)
	}
	return sum
}

// remote is how far both ends are from where the first shift begins.
func (s *search) remote(q int32) int64 {
	first := &s.m.p.Shifts[0]
	home := s.m.index(first.From)
	pickup, drop := s.m.spots[2*q].place, s.m.spots[2*q+1].place
	return int64(s.m.leg(first.Profile, home, pickup).Seconds) + int64(s.m.leg(first.Profile, home, drop).Seconds)
}
