package routing

// polish improves an announced plan: it begins cool, and does not try to save
// shifts. It takes a large plan part by part.
func (s *search) polish() {
	s.restore()
	if s.m.p.Objective.fewestFirst() {
		s.bindShifts()
	}
	from := s.tuning.probe
	s.anneal(0, from, s.tuning.cold) // to see how many steps the budget has
	parts := 1
	if len(s.movable) > s.tuning.wholePlan {
		parts = 2 * (1 + len(s.movable)/s.tuning.ofPart)
	}
	for part := range parts {
		if s.share >= 1 {
			return
		}
		s.restore()
		if parts > 1 {
			s.focusOn(s.anyMovable())
		}
		begin := from + (1-from)*float64(part)/float64(parts)
		s.anneal(begin, from+(1-from)*float64(part+1)/float64(parts), s.coolness(parts))
		s.widen()
	}
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
