package routing

import "math"

// meanWay returns the average cost of the leg to a visit.
func (s *search) meanWay() float64 {
	if s.visits == 0 {
		return 1
	}
	return math.Max(1, float64(s.way)/float64(s.visits))
}

// heat turns a share of the mean way into a temperature.
func (s *search) heat(share float64) float64 { return share * s.mean }

// anneal improves the plan from one share of the budget to another. It accepts
// slightly worse plans, less and less (Kirkpatrick).
func (s *search) anneal(from, until, hot float64) {
	cold := s.heat(s.tuning.cold)
	hot = s.heat(hot)
	decay := math.Log(cold / hot)
	until = min(until, 1) // sums of shares may be a little higher, and then it never happened
	for {
		spent := s.spent()
		if spent >= until {
			return
		}
		heat := hot * math.Exp(decay*(spent-from)/(until-from))
		s.start()
		s.ruin()
		s.recreate()
		if !s.loses() && float64(s.cost()) < float64(s.costBefore())-heat*math.Log(s.rng.Float64()) {
			s.accept()
			if s.better() {
				s.keep()
			}
		} else {
			s.reject()
		}
		s.adapt()
	}
}

// adapt raises the price of leaving out the currently absent requests while the
// plan is seldom as complete as the best, so that other requests are left out
// instead; and lowers all prices while it nearly always is.
func (s *search) adapt() {
	s.seen++
	if s.penalty() <= s.best.penalty {
		s.complete++
	} else {
		s.prices.raise(s.absent, s.tuning.raise)
	}
	if s.seen < s.tuning.window {
		return
	}
	share := float64(s.complete) / float64(s.seen)
	s.seen, s.complete = 0, 0
	if share > s.tuning.complete {
		s.prices.lower()
	}
}

// shake moves so many requests to other places at any cost.
func (s *search) shake(n int) {
	for ; n > 0; n-- {
		s.start()
		q := s.anyMovable()
		if !s.taken(q) {
			continue
		}
		s.dropTaken()
		// More than one may have been removed.
		if len(s.step.removed) <= len(s.step.absent)+1 && s.placeAnywhere(q) && !s.loses() {
			s.accept()
		} else {
			s.reject()
		}
	}
}

// placeAnywhere inserts a request somewhere in a route, at a place that need not be
// the best.
func (s *search) placeAnywhere(q int32) bool {
	s.f.rng = s.rng
	defer func() { s.f.rng = nil }()
	shift := s.rng.IntN(len(s.routes))
	for range s.routes {
		shift = (shift + 1) % len(s.routes)
		k := int32(shift)
		if s.routes[k] == nil || !s.m.allowed.has(int(q), shift) || s.focus[k>>6]&(1<<(k&63)) == 0 {
			continue
		}
		a := s.m.ask(q, int(k))
		if place := s.f.find(shift, s.routes[k], a); place.cost < nowhere {
			s.insert(k, q, place.i, place.j)
			return true
		}
	}
	return false
}
