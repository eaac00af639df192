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
	// farther is by how much longer the way is because of breaks at places.
	farther way
	// ahead is the first spot behind the pickups that load the vehicle before the shift,
	// and open the first before which anything else may be inserted.
	ahead, open int
	// cost is the cost of the legs, without the price of the shift, and balance how much of it is for how much
	// there is to do.
	cost    int64
	balance int64
	// idle is how much of it is for waiting, and for what traffic takes.
	idle    int64
	ends    int64
	version uint32
}

// paused are the earliest leaving and the latest start behind the break.
type paused struct{ leave, latest int64 }

// visits returns how many visits a route has.
func (r *route) visits() int { return len(r.spots) - 2 }

// measure computes all of a route from its visits and reports whether it can
// be driven.
func (m *model) measure(k int, r *route) bool {
	r.seconds, r.meters = 0, 0
	for i := range r.spots {
		r.spots[i].seconds, r.spots[i].meters = 0, 0
	}
	return m.remeasure(k, r, 1, len(r.spots)-2)
}

// remeasure does the same for a route that was valid before an insertion or
// removal: the visits from one spot to another have changed, and so have the
// legs to the spot after them. Values further away that are still right are
// left alone.
func (m *model) remeasure(k int, r *route, from, to int) bool {
	b := &m.shifts[k]
	r.spots[0].leave, r.farther = b.start, way{}
	from, to = m.preload(b, r, from, to)
	holds := m.loads(b, r, from, to)
	holds = m.forward(b, r, from, to) && holds
	m.backward(b, r, from, to)
	r.cost, r.balance, r.idle = b.rates.way(r.seconds, r.meters)+b.toll(r), 0, 0
	if r.visits() == 0 {
		return holds
	}
	b.dear(r)
	if w := b.rates.Waiting; holds && (w > 0 || b.watched || b.balance.any()) {
		lasts := r.ends - r.leaves(b)
		r.balance = b.balanced(r, lasts)
		r.idle = w * (lasts - r.seconds - r.farther.seconds - r.standing(b))
		r.cost += r.idle + r.balance
		holds = lasts <= b.maxSeconds && r.meters+r.farther.meters <= b.maxMeters && r.within(b) ||
			b.rest != nil && m.strict.concerned(r) // its breaks may be others
	}
	return m.obey(k, r, holds)
}

// loads updates the load on board and reports whether no pickup exceeds the
// capacity.
func (m *model) loads(b *bounds, r *route, from, to int) bool {
	holds := true
	r.spots[0].load = b.onBoard
	load := r.spots[from-1].load
	for i := from; i <= to; i++ {
		s := &r.spots[i]
		more := &m.amounts[s.visit]
		load.add(more)
		s.load = load
		if i >= b.first && load.exceeds(more, &b.capacity) {
			holds = false
		}
	}
	last := len(r.spots) - 1
	r.spots[last].load, r.heaviest = r.spots[last-1].load, Load{}
	for i := b.first - 1; i < last; i++ {
		r.heaviest.raise(&r.spots[i].load)
	}
	return holds
}

func (l *Load) add(more *Load) {
	l[0] += more[0]
	l[1] += more[1]
	l[2] += more[2]
}

// exceeds reports whether a dimension that was just added to is over the
// capacity.
func (l *Load) exceeds(more, capacity *Load) bool {
	return l[0] > capacity[0] && more[0] > 0 || l[1] > capacity[1] && more[1] > 0 || l[2] > capacity[2] && more[2] > 0
}

// raise makes a load the larger of two in each dimension.
func (l *Load) raise(other *Load) {
	l[0], l[1], l[2] = max(l[0], other[0]), max(l[1], other[1]), max(l[2], other[2])
}

// forward computes earliest times and the length of the way.
func (m *model) forward(b *bounds, r *route, from, to int) bool {
	switch {
	case b.rest != nil:
		return m.forwardResting(b, r, from, to)
	case b.pause.Seconds > 0:
		return m.forwardPaused(b, r, from, to)
	}
	holds := true
	for i := from; i < len(r.spots); i++ {
		s := &r.spots[i]
		if i <= to+1 {
			m.ride(b, r, i)
		}
		start := b.open(s, max(b.reaches(r, i, r.spots[i-1].leave), int64(s.opens)))
		if i > to+1 && start+int64(s.service) == s.leave {
			break // so are all behind it
		}
		s.leave = start + int64(s.service)
		if start > int64(s.closes) && s.visit != terminal && i >= b.bounded {
			holds = false
		}
	}
	r.ends = r.spots[len(r.spots)-1].leave
	return holds && (r.visits() == 0 || r.ends <= b.end)
}

// ride writes down the way to a spot. A route without visits needs none.
func (m *model) ride(b *bounds, r *route, i int) {
	s := &r.spots[i]
	leg := way{}
	if len(r.spots) > 2 {
		leg = m.way(b.profile, &r.spots[i-1], s)
	}
	r.seconds += leg.seconds - int64(s.seconds)
	r.meters += leg.meters - int64(s.meters)
	s.seconds, s.meters = uint32(leg.seconds), int32(leg.meters)
}

// backward computes the latest starts with which the route is over in time.
func (m *model) backward(b *bounds, r *route, from, to int) {
	if b.pause.Seconds > 0 {
		m.backwardPaused(b, r, from, to)
		return
	}
	r.spots[len(r.spots)-1].latest = b.end
	for i := to; i >= 0; i-- {
		s, next := &r.spots[i], &r.spots[i+1]
		latest := b.leavesFor(r, i+1, next.latest) - int64(s.service)
		if i >= b.bounded {
			latest = min(latest, int64(s.closes))
		}
		latest = b.openBy(s, latest)
		if i < from-1 && latest == s.latest {
			return // so are all before it
		}
		s.latest = latest
	}
}

// leaves returns the latest moment to leave for the route to end as early as
// it does.
func (r *route) leaves(b *bounds) int64 {
	switch {
	case b.begun:
		return b.start
	case b.pause.Seconds > 0 && !r.unpaused(b):
		return max(r.leavesPaused(b), b.start)
	}
	latest := r.ends
	for i := len(r.spots) - 2; i >= 0; i-- {
		s := &r.spots[i]
		latest = b.leavesFor(r, i+1, latest) - int64(s.service)
		if i >= b.bounded {
			latest = min(latest, int64(s.closes))
		}
		latest = b.openBy(s, latest)
	}
	if b.rest != nil {
		return b.leavesResting(r, latest)
	}
	return max(latest, b.start)
}

// standing returns the seconds of a route that are neither driving, setups nor waiting.
func (r *route) standing(b *bounds) int64 {
	seconds := int64(0)
	for i := range r.spots {
		seconds += int64(r.spots[i].service)
	}
	if b.pause.Seconds > 0 && !r.unpaused(b) {
		seconds += b.pause.Seconds
	}
	return seconds
}
