package routing

import "slices"

// load copies the valid part of a plan: request by request in the sequence of
// the routes, each in its place. It leaves out what does not fit.
func (s *search) load(plan Plan) {
	s.start()
	for k := range s.routes {
		var visits []Visit
		if k < len(plan.Routes) {
			visits = plan.Routes[k]
		}
		s.loadRoute(int32(k), s.withOwed(k, visits))
	}
	absent := s.absent[:0]
	for _, q := range s.movable {
		if s.slot[q] < 0 {
			absent = append(absent, q)
		}
	}
	s.absent = absent
	s.accept()
}

func (s *search) loadRoute(k int32, visits []Visit) {
	whole, requests := s.loadable(k, visits)
	if len(requests) == 0 {
		return
	}
	if s.loadWhole(k, whole, requests) {
		return
	}
	s.loadOwed(k)
	rank := map[int32]int{}
	for i, v := range whole {
		rank[v] = i
	}
	for _, q := range requests {
		if s.slot[q] < 0 {
			s.loadRequest(k, q, rank)
		}
	}
}

// withOwed adds the visits to a route that its shift makes in any case.
func (s *search) withOwed(k int, visits []Visit) []Visit {
	for _, v := range s.m.p.Shifts[k].Owed {
		if !slices.Contains(visits, v) {
			visits = append(slices.Clip(visits), v)
		}
	}
	return visits
}

// loadOwed loads a shift's owed visits in their valid order.
func (s *search) loadOwed(k int32) {
	if whole, requests := s.loadable(k, s.m.p.Shifts[k].Owed); len(requests) > 0 {
		s.loadWhole(k, whole, requests)
	}
}

// loadable returns the visits of a route that the shift may make, and their
// requests, each once and complete.
func (s *search) loadable(k int32, visits []Visit) (whole, requests []int32) {
	picked := map[int32]bool{}
	for _, v := range visits {
		q := int32(v) >> 1
		if v < 0 || int(q) >= len(s.slot) || !s.m.allowed.has(int(q), int(k)) || s.slot[q] >= 0 {
			continue
		}
		if !v.Delivers() {
			picked[q] = true
			continue
		}
		if picked[q] || s.m.halved(q) {
			s.slot[q] = k // temporarily, so that it is taken once
			requests = append(requests, q)
		}
	}
	chosen := map[int32]bool{}
	for _, q := range requests {
		chosen[q] = true
		s.slot[q] = -1
	}
	seen := map[Visit]bool{}
	for _, v := range visits {
		q := int32(v) >> 1
		if v < 0 || !chosen[q] || seen[v] || !v.Delivers() && s.m.halved(q) {
			continue
		}
		seen[v] = true
		whole = append(whole, int32(v))
	}
	return whole, requests
}

// loadWhole takes over a route as it is, if it holds.
func (s *search) loadWhole(k int32, visits, requests []int32) bool {
	opened := s.routes[k] == nil
	r := s.touch(k)
	was, before := r.cost, r.visits()
	if opened {
		was = 0
	}
	end := r.spots[len(r.spots)-1]
	r.spots = r.spots[:len(r.spots)-1]
	for _, v := range visits {
		r.spots = append(r.spots, s.m.spots[v])
	}
	r.spots = append(r.spots, end)
	if !s.measure(k, r) {
		s.putBack(k, opened)
		return false
	}
	for _, q := range requests {
		s.move(q, k)
	}
	if opened {
		s.shifts++
	}
	s.way += r.cost - was
	s.visits += r.visits() - before
	return true
}

// putBack resets a route to its frozen visits.
func (s *search) putBack(k int32, opened bool) {
	if opened {
		s.put(k, nil)
		return
	}
	s.put(k, s.copyOf(s.m.shifts[k].empty))
}

// loadRequest inserts one request of a route so that the order stays.
func (s *search) loadRequest(k, q int32, rank map[int32]int) {
	opened := s.routes[k] == nil
	r := s.m.shifts[k].empty
	if !opened {
		r = s.routes[k]
	}
	at := func(v int32) int32 {
		i := s.m.shifts[k].first
		for i < len(r.spots)-1 && rank[r.spots[i].visit] < rank[v] {
			i++
		}
		return int32(i)
	}
	i, j := at(2*q), at(2*q+1)
	if s.m.halved(q) {
		i = j
	}
	way, change, shifts, count := s.way, s.change, s.shifts, s.visits
	slots := len(s.step.slots)
	var was *route
	if !opened {
		was = s.copyOf(r)
	}
	if s.insert(k, q, i, j) {
		return
	}
	s.way, s.change, s.shifts, s.visits = way, change, shifts, count
	s.step.slots = s.step.slots[:slots]
	s.slot[q] = -1
	s.put(k, was)
}
