package routing

// polish improves an announced plan: it begins cool, and does not try to save
// shifts. It takes a large plan part by part.
func (s *search) polish() {
	s.restore()
	if s.m.p.Objective.fewestFirst() {
		s.bindShifts()
	}
	from, parts := s.tuning.probe, s.parts()
	if parts > 1 && len(s.budget.Around) > 0 {
		s.focusOn(s.center())
	}
	s.anneal(0, from, s.tuning.cold) // to see how many steps the budget has
	for part := range parts {
		if s.share >= 1 {
			return
		}
		s.restore()
		if parts > 1 {
			s.focusOn(s.center())
		}
		begin := from + (1-from)*float64(part)/float64(parts)
		s.anneal(begin, from+(1-from)*float64(part+1)/float64(parts), s.coolness(parts))
		s.widen()
	}
}

// parts is in how many parts a plan is improved, one after the other.
func (s *search) parts() int {
	size := len(s.movable)
	if size <= s.tuning.wholePlan {
		return 1
	}
	if around := len(s.budget.Around); around > 0 {
		size = min(size, s.tuning.around*around)
	}
	return 2 * (1 + size/s.tuning.ofPart)
}

// center is a request around which a part of the plan lies.
func (s *search) center() int32 {
	if around := s.budget.Around; len(around) > 0 {
		return int32(around[s.rng.IntN(len(around))])
	}
	return s.anyMovable()
}

// coolness is the temperature at which a known plan begins to move: the fewer
// steps there are for each request, the less it can cool down again.
func (s *search) coolness(parts int) float64 {
	requests := len(s.movable)
	if parts > 1 {
		requests = parts * s.tuning.ofPart
	}
	if s.share <= 0 {
		return s.tuning.cold
	}
	steps := float64(s.iterations) / s.share / float64(requests)
	return max(s.tuning.cold, s.tuning.warm*min(1, steps/float64(s.tuning.stepsOfWarmth)))
}

// focusOn lets only the routes around a request change, so many that they hold
// a part of the plan, and shifts that are not used.
func (s *search) focusOn(q int32) {
	clear(s.focus)
	s.part = s.part[:0]
	for _, v := range s.ranks.visitsNear(2*q + 1) {
		if k := s.slot[v>>1]; k >= 0 && s.focus[k>>6]&(1<<(k&63)) == 0 && len(s.part) < s.tuning.ofPart {
			s.focus[k>>6] |= 1 << (k & 63)
			s.joinPart(s.routes[k])
		}
	}
	for k, r := range s.routes {
		if r == nil {
			s.focus[k>>6] |= 1 << (k & 63)
		}
	}
}

// joinPart adds the requests of a route to the part that is looked at.
func (s *search) joinPart(r *route) {
	for _, at := range r.spots[1 : len(r.spots)-1] {
		if q := at.visit >> 1; at.visit&1 == 1 && !s.m.begun.frozen[q] {
			s.part = append(s.part, q)
		}
	}
}

// widen lets all routes change again.
func (s *search) widen() {
	s.part = s.part[:0]
	for i := range s.focus {
		s.focus[i] = ^uint64(0)
	}
}
