package routing

// swapTails exchanges the ends of two routes after points at which both
// vehicles have delivered all that they picked up.
func (s *search) swapTails() {
	a, b := s.neighbours()
	if a < 0 || b < 0 {
		return
	}
	i, j, ok := s.cheapestCut(a, b)
	if !ok {
		return
	}
	oldA, oldB := s.routes[a], s.routes[b]
	if !s.mayTake(b, oldA.spots[i:]) || !s.mayTake(a, oldB.spots[j:]) {
		return
	}
	s.way -= oldA.cost + oldB.cost
	newA, newB := s.touch(a), s.touch(b)
	newA.spots = joined(newA.spots, oldA.spots[:i], oldB.spots[j:], oldA)
	newB.spots = joined(newB.spots, oldB.spots[:j], oldA.spots[i:], oldB)
	if !s.settleTail(a, newA) || !s.settleTail(b, newB) {
		newA.spots, newB.spots = append(newA.spots[:0], oldA.spots...), append(newB.spots[:0], oldB.spots...)
		s.settleTail(a, newA)
		s.settleTail(b, newB)
		s.way += newA.cost + newB.cost
		return
	}
	s.way += newA.cost + newB.cost
	s.adopt(a, newA)
	s.adopt(b, newB)
	s.retire(a, newA)
	s.retire(b, newB)
}

// joined is a head and another's tail, with the end of the head's own route.
func joined(dst, head, tail []spot, own *route) []spot {
	dst = append(append(dst[:0], head...), tail[:len(tail)-1]...)
	return append(dst, own.spots[len(own.spots)-1])
}

// settleTail measures a route; one without visits holds, and costs nothing.
func (s *search) settleTail(k int32, r *route) bool {
	return s.measure(k, r) || r.visits() == 0
}

// neighbours returns two used shifts, the second with a visit near one of the first.
func (s *search) neighbours() (a, b int32) {
	v := 2*s.anyMovable() + int32(s.rng.IntN(2))
	a, b = s.slot[v>>1], -1
	if a < 0 || s.focus[a>>6]&(1<<(a&63)) == 0 {
		return -1, -1
	}
	near := s.ranks.visitsNear(v)
	for _, w := range near[:min(20, len(near))] {
		k := s.slot[w>>1]
		if k >= 0 && k != a && s.focus[k>>6]&(1<<(k&63)) != 0 && (b < 0 || s.rng.IntN(2) == 0) {
			b = k
		}
	}
	return a, b
}

// cuts returns the spots before which a route may be cut: after the frozen
// visits, where nothing is on board.
func (s *search) cuts(k int32, r *route, dst []int32) []int32 {
	open := 0
	for i := range r.spots[:len(r.spots)-1] {
		if v := r.spots[i].visit; v != terminal && v&1 == 1 && s.m.halved(v>>1) {
			open++ // it was on board before, or its pickup is frozen
		}
	}
	for i := 1; i < len(r.spots); i++ {
		if v := r.spots[i-1].visit; v != terminal {
			switch {
			case v&1 == 1:
				open--
			case !s.m.halved(v >> 1):
				open++
			}
		}
		if open == 0 && i >= s.m.shifts[k].first {
			dst = append(dst, int32(i))
		}
	}
	return dst
}

// cheapestCut looks for the cheapest exchange, with costs up to a half off.
func (s *search) cheapestCut(a, b int32) (i, j int, ok bool) {
	ra, rb := s.routes[a], s.routes[b]
	s.cutsA, s.cutsB = s.cuts(a, ra, s.cutsA[:0]), s.cuts(b, rb, s.cutsB[:0])
	profileA, profileB := s.m.shifts[a].profile, s.m.shifts[b].profile
	ratesA, ratesB := &s.m.shifts[a].rates, &s.m.shifts[b].rates
	mannerA, mannerB := s.m.shifts[a].manner, s.m.shifts[b].manner
	best := 0.0
	for _, x := range s.cutsA {
		for _, y := range s.cutsB {
			whole := int(x) == len(ra.spots)-1 && int(y) == len(rb.spots)-1
			if whole || x == 1 && y == 1 {
				continue
			}
			fromA, toA, fromB, toB := &ra.spots[x-1], &ra.spots[x], &rb.spots[y-1], &rb.spots[y]
			ab, ba := s.m.way(profileA, fromA, toB), s.m.way(profileB, fromB, toA)
			if mannerA != mannerB {
				ab.seconds, ba.seconds = ab.seconds+s.m.longer(toB, fromA, mannerA), ba.seconds+s.m.longer(toA, fromB, mannerB)
			}
			if leaves(ra, int(x)-1)+ab.seconds > latest(rb, int(y)) ||
				leaves(rb, int(y)-1)+ba.seconds > latest(ra, int(x)) {
				continue
			}
			saved := ratesA.way(ab.seconds-int64(toA.seconds), ab.meters-int64(toA.meters)) +
				ratesB.way(ba.seconds-int64(toB.seconds), ba.meters-int64(toB.meters))
			cost := float64(saved) * (0.5 + s.rng.Float64())
			if !ok || cost < best {
				i, j, ok, best = int(x), int(y), true, cost
			}
		}
	}
	return i, j, ok
}

// leaves and latest are times of a spot, whether the break is over or not.
func leaves(r *route, i int) int64 {
	if len(r.paused) > 0 {
		return min(r.spots[i].leave, r.paused[i].leave)
	}
	return r.spots[i].leave
}

func latest(r *route, i int) int64 {
	if len(r.paused) > 0 {
		return max(r.spots[i].latest, r.paused[i].latest)
	}
	return r.spots[i].latest
}

func (s *search) mayTake(k int32, tail []spot) bool {
	for _, at := range tail {
		if at.visit != terminal && !s.m.allowed.has(int(at.visit>>1), int(k)) {
			return false
		}
	}
	return true
}

// adopt writes down whose the requests of a route are.
func (s *search) adopt(k int32, r *route) {
	for _, at := range r.spots[s.m.shifts[k].first : len(r.spots)-1] {
		if q := at.visit >> 1; s.slot[q] != k {
			s.move(q, k)
		}
	}
}

// retire gives up a route without visits.
func (s *search) retire(k int32, r *route) {
	if r.visits() > 0 {
		return
	}
	s.shifts--
	s.pool = append(s.pool, r)
	s.put(k, nil)
}
