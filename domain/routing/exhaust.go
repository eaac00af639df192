package routing

import "slices"

// The most requests of a problem whose plans are all tried, and how many visits are looked at for that: for each step
// of the search before, and at all. Rules that make a route dear to measure let its visits count as several.
const (
	fewRequests  = 8
	lookedByStep = 2_000
	mostLooked   = 10_000_000
	lookAtBusy   = 3
	lookAtStrict = 4
	lookAtRests  = 60
)

// exhaust looks for a better plan than the best of a problem with few requests. It tries all routes of each shift, and
// all ways to divide the requests among them, unless there are too many: then it tries those that it comes to. It
// reports whether it has found one.
func (s *search) exhaust() bool {
	if n := len(s.movable); n == 0 || n > fewRequests {
		return false
	}
	e := exhaustion{s: s, shifts: make([]map[uint8]exhausted, len(s.routes))}
	left := min(mostLooked, lookedByStep*max(1, s.iterations))
	for k := range s.routes {
		e.left = left / (len(s.routes) - k)
		left -= e.left
		e.tryShift(k)
		left += e.left
	}
	plan, cost := e.cheapest()
	if cost >= s.best.total {
		return false
	}
	s.adoptPlan(plan)
	return true
}

// adoptPlan makes a plan of all visits of each shift the best.
func (s *search) adoptPlan(plan [][]int32) {
	b := &s.best
	b.absent = append(b.absent[:0], s.movable...)
	for k, visits := range plan {
		b.routes[k], b.versions[k] = append(b.routes[k][:0], visits...), 0
		b.absent = slices.DeleteFunc(b.absent, func(q int32) bool { return slices.Contains(visits, 2*q+1) })
	}
	s.restore()
	s.keep()
}

// exhaustion is the cheapest route of each shift for each set of movable requests, by their numbers in movable.
type exhaustion struct {
	s      *search
	shifts []map[uint8]exhausted
	// left is how many visits may still be looked at.
	left int
	// k is the present shift, looks how many one of its visits counts as, and ends its last spot.
	k     int
	looks int
	ends  spot
	route route
}

// exhausted is a route of all visits of a shift, with its price in a plan.
type exhausted struct {
	cost   int64
	visits []int32
}

func (e *exhaustion) tryShift(k int) {
	m := e.s.m
	b := &m.shifts[k]
	e.k, e.looks, e.ends, e.shifts[k] = k, 1, m.ends(k), map[uint8]exhausted{}
	switch {
	case b.rest != nil:
		e.looks = lookAtRests
	case m.strict != nil:
		e.looks = lookAtStrict
	case b.busy != nil:
		e.looks = lookAtBusy
	}
	visits := []int32{}
	for _, v := range m.p.Shifts[k].Frozen {
		visits = append(visits, int32(v))
	}
	e.extend(visits, 0, 0)
}

// extend tries a route as it is, and with each further visit. started are the requests that are picked up, and
// delivered those that are delivered.
func (e *exhaustion) extend(visits []int32, started, delivered uint8) {
	if e.left -= e.looks * (1 + len(visits)); e.left < 0 {
		return
	}
	m, r := e.s.m, &e.route
	r.spots = append(r.spots[:0], m.begins(e.k))
	for _, v := range visits {
		r.spots = append(r.spots, m.spots[v])
	}
	r.spots = append(r.spots, e.ends)
	holds := m.measure(e.k, r)
	frozen := len(visits) == len(m.p.Shifts[e.k].Frozen)
	if started == delivered && (holds || frozen) {
		e.consider(visits, delivered)
	}
	if !holds && !frozen && !m.reaches(e.k, r) {
		return
	}
	for n, q := range e.s.movable {
		bit := uint8(1) << n
		switch {
		case delivered&bit != 0 || !m.allowed.has(int(q), e.k):
		case started&bit != 0 || m.halved(q):
			e.extend(append(slices.Clip(visits), 2*q+1), started|bit, delivered|bit)
		default:
			e.extend(append(slices.Clip(visits), 2*q), started|bit, delivered)
		}
	}
}

// consider keeps the measured route if it is the cheapest of its requests.
func (e *exhaustion) consider(visits []int32, set uint8) {
	cost := int64(0)
	if len(visits) > 0 {
		shift := &e.s.m.p.Shifts[e.k]
		cost = e.route.cost + e.s.m.p.Objective.Shift + shift.Fee
	}
	for n, q := range e.s.movable {
		if set&(1<<n) != 0 {
			cost += e.s.m.changeOf(q, int32(e.k))
		}
	}
	if known, ok := e.shifts[e.k][set]; !ok || cost < known.cost {
		e.shifts[e.k][set] = exhausted{cost: cost, visits: slices.Clone(visits)}
	}
}

// reaches reports whether a measured route keeps all limits until its last visit, whatever follows.
func (m *model) reaches(k int, r *route) bool {
	b, last := &m.shifts[k], len(r.spots)-2
	switch {
	case b.rest != nil:
		if r.spots[last].leave >= never {
			return false
		}
	case b.pause.Seconds > 0:
		if r.spots[last].leave >= never && r.paused[last].leave >= never {
			return false
		}
	default:
		for i := b.bounded; i <= last; i++ {
			if s := &r.spots[i]; s.leave-int64(s.service) > int64(s.closes) {
				return false
			}
		}
	}
	return m.loads(b, r, 1, last) && m.strict.allow(m, k, r)
}

// partition is the cheapest way to serve a set of requests with the first shifts.
type partition struct {
	cost int64
	// was is the set without what the last of them serves.
	was   uint8
	known bool
}

// cheapest returns the cheapest plan of the routes, and its price, as total counts it.
func (e *exhaustion) cheapest() (plan [][]int32, cost int64) {
	sets := 1 << len(e.s.movable)
	table := make([]partition, (len(e.shifts)+1)*sets)
	table[0] = partition{cost: e.s.m.begunChange(), known: true}
	for k, routes := range e.shifts {
		before, after := table[k*sets:(k+1)*sets], table[(k+1)*sets:(k+2)*sets]
		for set := range before {
			if !before[set].known {
				continue
			}
			for more := range sets { // in this order, so that the same plan comes of it each time
				r, tried := routes[uint8(more)]
				if !tried || set&more != 0 {
					continue
				}
				to := &after[set|more]
				if cost := before[set].cost + r.cost; !to.known || cost < to.cost {
					*to = partition{cost: cost, was: uint8(set), known: true}
				}
			}
		}
	}
	return e.choose(table[len(e.shifts)*sets:], table, sets)
}

// begunChange returns what it costs to change the requests that a shift has begun.
func (m *model) begunChange() (cost int64) {
	for r, frozen := range m.begun.frozen {
		if frozen {
			cost += m.changeOf(int32(r), int32(m.begun.shift[r]))
		}
	}
	return cost
}

// choose returns the cheapest of the whole plans in a table, with what the requests cost that are left out. Those that
// a shift owes are not.
func (e *exhaustion) choose(whole, table []partition, sets int) (plan [][]int32, cost int64) {
	best := -1
	for set := range whole {
		if !whole[set].known {
			continue
		}
		price, ok := e.leftOut(set)
		if price += whole[set].cost; ok && (best < 0 || price < cost) {
			best, cost = set, price
		}
	}
	if best < 0 {
		return nil, never
	}
	plan = make([][]int32, len(e.shifts))
	for k := len(e.shifts) - 1; k >= 0; k-- {
		was := int(table[(k+1)*sets+best].was)
		plan[k] = e.shifts[k][uint8(best&^was)].visits
		best = was
	}
	return plan, cost
}

// leftOut returns what the requests cost that are not in a set, and whether none of them is owed.
func (e *exhaustion) leftOut(set int) (price int64, ok bool) {
	for n, q := range e.s.movable {
		if set&(1<<n) != 0 {
			continue
		}
		if e.s.m.begun.owed[q] >= 0 {
			return 0, false
		}
		price += e.s.m.p.Requests[q].Penalty
	}
	return price, true
}
