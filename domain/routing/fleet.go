package routing

import "math"

// shrink looks for plans with fewer shifts until a share of the budget is used: it
// removes a shift and tries to place its requests, where a request counts more the
// more often it was left out (Christiaens and Vanden Berghe). While it repeatedly
// gets down to a single request, it continues for longer.
func (s *search) shrink(until float64) {
	if s.best.penalty < s.penalty() || !s.removeShift() {
		return
	}
	defer func(t tuning) { s.tuning = t }(s.tuning)
	s.tuning.regret, s.tuning.wholeFleet = s.tuning.packing, s.tuning.packedFleet
	before, fewest := s.missed(), len(s.absent)
	for {
		if spent := s.spent(); spent >= max(until, s.tuning.closeFleet) || spent >= until && fewest > 1 {
			return
		}
		s.start()
		s.ruin()
		s.recreate()
		after := s.missed()
		if s.penalty() <= s.best.penalty && !s.loses() {
			s.accept()
			s.keep()
			if !s.removeShift() {
				return
			}
			before, fewest = s.missed(), len(s.absent)
			continue
		}
		fewest = min(fewest, len(s.absent))
		ok := after < before || len(s.absent) <= len(s.step.absent) && after <= before && s.warmEnough()
		for _, q := range s.absent {
			s.misses[q]++
		}
		if ok && !s.loses() {
			s.accept()
		} else {
			s.reject()
		}
		before = s.missed()
	}
}

// warmEnough accepts a longer way at a temperature that stays.
func (s *search) warmEnough() bool {
	return float64(s.way+s.change) < float64(s.step.way+s.step.change)-s.heat(s.tuning.packed)*math.Log(s.rng.Float64())
}

func (s *search) missed() float64 {
	sum := 0.0
	for _, q := range s.absent {
		sum += s.misses[q] * float64(max(1, s.prices.weights[q]))
	}
	return sum
}

// removeShift removes the shift whose requests were left out least often,
// and forbids using as many again. It reports whether there was one to
// remove.
func (s *search) removeShift() bool {
	least, at := math.Inf(1), int32(-1)
	for k, r := range s.routes {
		if r == nil || !s.removable(k, r) {
			continue
		}
		sum := 0.0
		for _, spot := range r.spots[1 : len(r.spots)-1] {
			sum += s.misses[spot.visit>>1]
		}
		if sum < least {
			least, at = sum, int32(k)
		}
	}
	if at < 0 || s.shifts <= 1 {
		return false
	}
	s.start()
	for _, spot := range s.routes[at].spots[1 : len(s.routes[at].spots)-1] {
		if q := spot.visit >> 1; s.slot[q] >= 0 {
			s.take(q)
			s.absent = append(s.absent, q)
		}
	}
	s.drop(at)
	s.accept()
	s.most = s.best.shifts - 1
	return true
}

// removable reports whether others may serve all that a shift does.
func (s *search) removable(k int, r *route) bool {
	shift := &s.m.p.Shifts[k]
	if len(shift.Frozen) > 0 || len(shift.OnBoard) > 0 || len(shift.Owed) > 0 {
		return false
	}
	for _, spot := range r.spots[1 : len(r.spots)-1] {
		others := 0
		for w, word := range s.m.allowed.row(int(spot.visit >> 1)) {
			if w == k>>6 {
				word &^= 1 << (k & 63)
			}
			if word != 0 {
				others++
			}
		}
		if others == 0 {
			return false
		}
	}
	return true
}
