package routing

// route is a shift's visits between its two ends. Measuring it keeps, for each
// spot, the earliest and latest start and the load behind it, so that a visit
// more can be judged in constant time.
type route struct {
	spots []spot
	// paused has the times of the same spots when the break is over already;
	// those of the spots are then times before the break. Empty without a break.
	paused []paused
	// heaviest is the largest load behind any spot from the last frozen one on.
	heaviest        Load
	seconds, meters int64
	// cost is what the way costs, without the price of the shift.
	cost    int64
	ends    int64
	version uint32
}

// paused are earliest start, earliest leaving and latest start behind the break.
type paused struct{ start, leave, latest int64 }

// visits returns how many visits a route has.
func (r *route) visits() int { return len(r.spots) - 2 }

// measure computes all of a route from its visits and reports whether it can
// be driven.
func (m *model) measure(k int, r *route) bool {
	b := &m.shifts[k]
	r.spots[0].start, r.spots[0].leave = b.start, b.start
	holds := m.loads(k, r)
	holds = m.forward(b, r) && holds
	m.backward(b, r, b.end)
	r.cost = m.p.Objective.way(r.seconds, r.meters)
	if r.visits() == 0 {
		return holds
	}
	if w := m.p.Objective.Waiting; holds && (w > 0 || b.watched) {
		lasts := r.ends - m.leaves(b, r)
		r.cost += w * (lasts - r.seconds - m.standing(b, r))
		holds = lasts <= b.maxSeconds && r.meters <= b.maxMeters
	}
	return holds
}

// loads follows what is on board and reports whether no pickup is too much.
func (m *model) loads(k int, r *route) bool {
	b, holds := &m.shifts[k], true
	load := b.onBoard
	r.spots[0].load, r.heaviest = load, Load{}
	for i := range r.spots {
		s := &r.spots[i]
		if s.visit != terminal {
			for d, amount := range m.spots[s.visit].load {
				load[d] += amount
				holds = holds && (amount <= 0 || load[d] <= b.capacity[d] || i < b.first)
			}
		}
		s.load = load
		if i < b.first-1 {
			continue
		}
		for d, amount := range load {
			r.heaviest[d] = max(r.heaviest[d], amount)
		}
	}
	return holds
}

// forward computes earliest times and the length of the way.
func (m *model) forward(b *bounds, r *route) bool {
	r.seconds, r.meters = 0, 0
	if b.pause.Seconds > 0 {
		return m.forwardPaused(b, r)
	}
	holds := true
	for i := 1; i < len(r.spots); i++ {
		s, from := &r.spots[i], &r.spots[i-1]
		m.ride(b, r, i)
		s.start = max(from.leave+int64(s.seconds), int64(s.opens))
		s.leave = s.start + int64(s.service)
		if s.visit != terminal && s.start > int64(s.closes) && i >= b.first {
			holds = false
		}
	}
	r.ends = r.spots[len(r.spots)-1].start
	return holds && (r.visits() == 0 || r.ends <= b.end)
}

// ride writes down the leg to a spot. A route without visits needs none.
func (m *model) ride(b *bounds, r *route, i int) {
	s := &r.spots[i]
	leg := Leg{}
	if len(r.spots) > 2 {
		leg = m.leg(b.profile, r.spots[i-1].place, s.place)
	}
	s.seconds, s.meters = leg.Seconds, leg.Meters
	r.seconds += int64(leg.Seconds)
	r.meters += int64(leg.Meters)
}

// arrive returns the earliest arrivals before and after the break at the end
// of a leg, from the earliest moments to leave; never is none.
func (b *bounds) arrive(before, after, seconds int64) (int64, int64) {
	after += seconds
	if before <= b.pause.Latest {
		after = min(after, max(before+seconds, b.pause.Earliest)+b.pause.Seconds)
	}
	return min(before+seconds, never), min(after, never)
}

func (m *model) forwardPaused(b *bounds, r *route) bool {
	if cap(r.paused) < len(r.spots) {
		r.paused = make([]paused, len(r.spots), len(r.spots)+8)
	}
	r.paused = r.paused[:len(r.spots)]
	r.paused[0] = paused{start: never, leave: never}
	for i := 1; i < len(r.spots); i++ {
		s, from := &r.spots[i], &r.spots[i-1]
		m.ride(b, r, i)
		before, after := b.arrive(from.leave, r.paused[i-1].leave, int64(s.seconds))
		bounded := s.visit != terminal && i >= b.first
		s.start, s.leave = s.serve(before, bounded)
		r.paused[i].start, r.paused[i].leave = s.serve(after, bounded)
	}
	last := len(r.spots) - 1
	r.ends = r.paused[last].start
	if before := r.spots[last].start; before <= b.pause.Latest {
		r.ends = min(r.ends, before)
	}
	return r.visits() == 0 || r.ends <= b.end
}

// serve returns when a visit begins and ends after an arrival; never when it
// is too late.
func (s *spot) serve(arrives int64, bounded bool) (start, leave int64) {
	start = max(arrives, int64(s.opens))
	if start >= never || bounded && start > int64(s.closes) {
		return never, never
	}
	return start, start + int64(s.service)
}

// backward computes the latest starts with which the route is over by end.
func (m *model) backward(b *bounds, r *route, end int64) {
	if b.pause.Seconds > 0 {
		m.backwardPaused(b, r, end)
		return
	}
	last := len(r.spots) - 1
	r.spots[last].latest = end
	for i := last - 1; i >= 0; i-- {
		s, to := &r.spots[i], &r.spots[i+1]
		s.latest = to.latest - int64(to.seconds) - int64(s.service)
		if i >= b.first {
			s.latest = min(s.latest, int64(s.closes))
		}
	}
}

// depart returns the latest moments to leave before and after the break, from
// the latest starts at the end of a leg.
func (b *bounds) depart(before, after, seconds int64) (int64, int64) {
	before -= seconds
	if b.pause.Earliest+b.pause.Seconds <= after {
		before = max(before, min(after-b.pause.Seconds-seconds, b.pause.Latest))
	}
	return before, after - seconds
}

func (m *model) backwardPaused(b *bounds, r *route, end int64) {
	last := len(r.spots) - 1
	r.spots[last].latest, r.paused[last].latest = min(end, b.pause.Latest), end
	for i := last - 1; i >= 0; i-- {
		s, to := &r.spots[i], &r.spots[i+1]
		before, after := b.depart(to.latest, r.paused[i+1].latest, int64(to.seconds))
		s.latest = s.bounded(before-int64(s.service), i >= b.first)
		r.paused[i].latest = s.bounded(after-int64(s.service), i >= b.first)
	}
}

// bounded returns the latest start that keeps to the window as well; a start
// before it opens is none, and must not look like one further up the route.
func (s *spot) bounded(latest int64, closes bool) int64 {
	if closes {
		latest = min(latest, int64(s.closes))
	}
	if latest < int64(s.opens) {
		return -never
	}
	return latest
}

// leaves returns the latest moment to leave for the route to end as early as
// it does. It leaves the latest starts as they were.
func (m *model) leaves(b *bounds, r *route) int64 {
	if b.begun {
		return b.start
	}
	if b.pause.Seconds > 0 && m.unpaused(b, r) {
		return max(r.leavesUnpaused(b), b.start)
	}
	m.backward(b, r, r.ends)
	leaves := r.spots[0].latest
	m.backward(b, r, b.end)
	return max(leaves, b.start)
}

// leavesUnpaused is for a route that is over before its break is due.
func (r *route) leavesUnpaused(b *bounds) int64 {
	latest := r.ends
	for i := len(r.spots) - 2; i >= 0; i-- {
		s := &r.spots[i]
		latest -= int64(r.spots[i+1].seconds) + int64(s.service)
		if i >= b.first {
			latest = min(latest, int64(s.closes))
		}
	}
	return latest
}

// standing returns the seconds of a route that are neither driving nor waiting.
func (m *model) standing(b *bounds, r *route) int64 {
	seconds := int64(0)
	for i := range r.spots {
		seconds += int64(r.spots[i].service)
	}
	if b.pause.Seconds > 0 && !m.unpaused(b, r) {
		seconds += b.pause.Seconds
	}
	return seconds
}

// unpaused reports whether the route ends before its break is due, and no
// later than with it.
func (m *model) unpaused(b *bounds, r *route) bool {
	before := r.spots[len(r.spots)-1].start
	return before <= b.pause.Latest && before <= r.ends
}
