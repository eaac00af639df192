package routing

// strict has the rules of a problem that the spots of a route don't know: their arithmetic
// takes such a route for possible when it may not be. Routes that these rules concern are
// measured in full. It is nil for a problem without them, and so is each of its parts.
type strict struct {
	// timed are the visits with a price of lateness or a limit of the time on board.
	timed []bool
	goods *goods
	more  *moreLoads
}

func (p *Problem) strict() *strict {
	s := &strict{timed: p.timedVisits(), goods: p.goods(), more: p.moreLoads()}
	if s.timed == nil && s.goods == nil && s.more == nil {
		return nil
	}
	return s
}

// timedVisits marks the visits with a price of lateness or a limit of the time on board, or
// returns nil.
func (p *Problem) timedVisits() (timed []bool) {
	mark := func(v int) {
		if timed == nil {
			timed = make([]bool, 2*len(p.Requests))
		}
		timed[v] = true
	}
	for r := range p.Requests {
		request := &p.Requests[r]
		if request.MaxAboard > 0 || request.Pickup.LatePrice > 0 {
			mark(2 * r)
		}
		if request.Delivery.LatePrice > 0 {
			mark(2*r + 1)
		}
	}
	return timed
}

// concerned reports whether a route has a visit with a price of lateness or a limit of the
// time on board.
func (s *strict) concerned(r *route) bool {
	if s == nil || s.timed == nil {
		return false
	}
	for i := range r.spots {
		if v := r.spots[i].visit; v != terminal && s.timed[v] {
			return true
		}
	}
	return false
}

// allow reports whether a route has no goods that must be apart, and keeps to the loads in further dimensions.
func (s *strict) allow(m *model, k int, r *route) bool {
	return s == nil || (s.goods == nil || s.goods.allow(m, k, r)) && (s.more == nil || s.more.allow(m, k, r))
}

// obey reports whether a route keeps the strict rules, and corrects its cost. holds is what
// its spots say; a route that they refuse is not looked at.
func (m *model) obey(k int, r *route, holds bool) bool {
	if !holds {
		return false
	}
	holds = m.strict.allow(m, k, r)
	if !m.strict.concerned(r) && !m.shifts[k].tires() {
		return holds
	}
	d, run := m.p.settleWithin(k, visitsOf(r.spots), m.shifts[k].limits)
	b := &m.shifts[k]
	r.farther = run.farther
	way, idle := run.driving+run.setup, b.rates.Waiting*d.idle(&run)
	r.idle = idle + b.rates.Second*(way-r.seconds-run.farther.seconds)
	r.cost = b.rates.way(way, run.meters) + idle + d.priceOfLateness(&run)
	r.balance = b.balanced(r, run.ends-run.leaves)
	r.cost += b.rates.Service*run.service + b.overtime.Price*d.overtime(&run) + r.balance
	return holds && run.late == ""
}

// idle returns the seconds of waiting in a run.
func (d *drive) idle(run *driven) int64 {
	idle := run.ends - run.leaves - run.driving - run.setup - run.service
	if d.pauseLeg != noPause {
		idle -= d.limits.pause.Seconds
	}
	return idle
}

// meddles reports whether a strict rule may concern a request in a route, or a price of the whole route.
func (f *finder) meddles() bool {
	s := f.m.strict
	if f.b.whole() {
		return true
	}
	if s == nil {
		return false
	}
	q := f.a.request
	return s.timed != nil && (s.timed[2*q] || s.timed[2*q+1]) || s.concerned(f.r) ||
		s.goods != nil && s.goods.conflicts[q] != 0 || s.more != nil && s.more.loaded[q]
}

// tried measures a route with the request at i and j in full. It returns by how much dearer
// the route is than without it, as far as it is known better than the way; and whether
// it holds.
func (f *finder) tried(cost int64, i, j int) (int64, bool) {
	if !f.meddles() {
		return cost, f.holdsWith(f.a, i, j)
	}
	f.trial = f.m.spliced(f.trial[:0], f.r.spots, f.a, i, j)
	trial := route{spots: f.trial}
	if !f.m.measure(f.b.k, &trial) {
		return cost, false
	}
	if f.b.whole() || f.m.strict.concerned(&trial) {
		return trial.cost - f.costOf(f.r) - f.step, true
	}
	return cost, true
}

// costOf returns what a route costs; a route without visits costs nothing.
func (f *finder) costOf(r *route) int64 {
	if r.visits() == 0 {
		return 0
	}
	return r.cost
}
