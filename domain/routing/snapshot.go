package routing

// snapshot is a copy of a plan during the search. Unchanged routes are not
// copied again.
type snapshot struct {
	routes   [][]int32
	versions []uint32
	absent   []int32
	// total is its real cost, and penalty the part for unplanned requests.
	total, penalty int64
	shifts         int
}

// keep makes the present plan the best.
func (s *search) keep() {
	b := &s.best
	if b.routes == nil {
		b.routes, b.versions = make([][]int32, len(s.routes)), make([]uint32, len(s.routes))
	}
	for k, r := range s.routes {
		if r == nil {
			b.routes[k], b.versions[k] = b.routes[k][:0], 0
			continue
		}
		if b.versions[k] == r.version {
			continue
		}
		b.versions[k] = r.version
		b.routes[k] = b.routes[k][:0]
		for _, at := range r.spots[1 : len(r.spots)-1] {
			b.routes[k] = append(b.routes[k], at.visit)
		}
	}
	b.absent = append(b.absent[:0], s.absent...)
	b.total, b.penalty, b.shifts = s.total(), s.penalty(), s.shifts
}

// better reports whether the present plan beats the best.
func (s *search) better() bool { return s.best.routes == nil || s.total() < s.best.total }

// restore makes the best plan the present one.
func (s *search) restore() {
	s.start()
	for k, visits := range s.best.routes {
		if r := s.routes[k]; r != nil && r.version == s.best.versions[k] {
			continue
		}
		s.rebuild(int32(k), visits)
	}
	for _, q := range s.best.absent {
		if s.slot[q] >= 0 {
			s.move(q, -1)
		}
	}
	s.absent = append(s.absent[:0], s.best.absent...)
	s.accept()
}

func (s *search) rebuild(k int32, visits []int32) {
	if r := s.routes[k]; r != nil {
		s.way -= r.cost
		s.visits -= r.visits()
		s.shifts--
	}
	if len(visits) == 0 {
		s.put(k, nil)
		s.best.versions[k] = 0
		return
	}
	r := s.copyOf(s.m.shifts[k].empty)
	end := r.spots[len(r.spots)-1]
	r.spots = r.spots[:1]
	for _, v := range visits {
		r.spots = append(r.spots, s.m.spots[v])
	}
	r.spots = append(r.spots, end)
	s.measure(k, r)
	s.put(k, r)
	s.best.versions[k] = r.version
	s.way += r.cost
	s.visits += r.visits()
	s.shifts++
	s.adopt(k, r)
}

// plan returns the best plan.
func (s *search) plan() Plan {
	plan := Plan{Routes: make([][]Visit, len(s.routes))}
	for k, visits := range s.best.routes {
		for _, v := range visits {
			plan.Routes[k] = append(plan.Routes[k], Visit(v))
		}
	}
	return plan
}
