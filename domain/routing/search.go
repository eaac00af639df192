package routing

import (
	"math/rand/v2"
	"slices"
)

// search is a plan that is taken apart and put together again, step by step.
// Routes are written once: a step copies those that it changes, and taking a
// step back puts the old ones into their place.
type search struct {
	m   *model
	rng *rand.Rand
	f   finder
	// routes has a route for each shift that is used.
	routes []*route
	used   []uint64
	shifts int
	// most is how many shifts may be used.
	most int
	// slot is the shift of each request, or -1.
	slot []int32
	// was is the shift that each request was taken from last.
	was    []int32
	absent []int32
	// movable are the requests that may be anywhere but where they are.
	movable []int32
	ranks   ranks

	// way and change are the plan's cost without shifts and unplanned requests, fees those of its shifts.
	way, change, fees int64
	// visits is how many there are on all routes.
	visits int
	prices prices

	cache   [][2]cached
	version uint32
	pool    []*route
	classes [][]int32
	spares  []int32
	focus   []uint64

	// before has for each shift the version of its route before the step.
	before []uint32
	step   step
	best   snapshot
	// misses counts how often a request was left over while the fleet shrinks.
	misses []float64
	keys   []int64
	tuning tuning
	// choices are those of the requests that are put back by regret.
	choices []choice
	// unknown are the routes without a cached result.
	unknown []int32
	// within are the routes that a request is offered to.
	within []uint64
	// part are the requests that are looked at, when not all are.
	part         []int32
	cutsA, cutsB []int32
	budget       Options
	share        float64
	// seen counts steps since prices were looked at, complete those of them that
	// left out no more than the best plan does.
	seen, complete int
	// everyStep asks the budget before every step.
	everyStep bool
	// mean is the average cost of a leg when the search began.
	mean float64
	// iterations are the steps so far.
	iterations int
}

// cached is the cheapest place of a request in one version of a route. Two
// versions are kept: that before the step, and the last that was tried.
type cached struct {
	found
	version uint32
}

// step holds the changes since the last decision.
type step struct {
	touched     []int32
	old         []*route
	isTouched   []bool
	slots       []slotBefore
	removed     []int32
	absent      []int32
	way, change int64
	fees        int64
	shifts      int
	visits      int
}

type slotBefore struct{ request, shift int32 }

func newSearch(m *model, seed uint64) *search {
	requests, shifts := len(m.p.Requests), len(m.p.Shifts)
	s := &search{
		m: m, rng: rand.New(rand.NewPCG(seed, 0x9E3779B97F4A7C15)), f: finder{m: m},
		routes: make([]*route, shifts), slot: make([]int32, requests), was: make([]int32, requests), most: shifts,
		used: make([]uint64, m.allowed.words), focus: make([]uint64, m.allowed.words),
		within: make([]uint64, m.allowed.words),
		cache:  make([][2]cached, requests*shifts), version: 1,
		misses: make([]float64, requests), keys: make([]int64, requests), tuning: tuned,
	}
	s.step.isTouched, s.before = make([]bool, shifts), make([]uint32, shifts)
	for i := range s.focus {
		s.focus[i] = ^uint64(0)
	}
	s.ranks = newRanks(m)
	s.classes = m.classes()
	s.begin()
	return s
}

// begin makes the plan in which only frozen visits are made.
func (s *search) begin() {
	for k := range s.routes {
		if len(s.m.p.Shifts[k].Frozen) > 0 {
			s.put(int32(k), s.copyOf(s.m.shifts[k].empty))
			s.way += s.routes[k].cost
			s.shifts++
			s.visits += s.routes[k].visits()
		}
	}
	for r := range s.slot {
		s.slot[r] = -1
		if s.m.begun.frozen[r] {
			s.slot[r] = int32(s.m.begun.shift[r])
			s.change += s.m.changeOf(int32(r), s.slot[r])
			continue
		}
		if s.m.anyone(r) {
			s.movable = append(s.movable, int32(r))
			s.absent = append(s.absent, int32(r))
		}
	}
}

// changeOf returns the price of change for a request on a shift, with what else it costs there.
func (m *model) changeOf(q, k int32) int64 {
	extra := m.p.Requests[q].Surcharge(int(k))
	if before := m.before[q]; before >= 0 && before != k {
		return m.p.Requests[q].Change + extra
	}
	return extra
}

// anyone reports whether some shift may serve a request.
func (m *model) anyone(r int) bool {
	for _, word := range m.allowed.row(r) {
		if word != 0 {
			return true
		}
	}
	return false
}

func (s *search) put(k int32, r *route) {
	if s.m.fees && (s.routes[k] == nil) != (r == nil) {
		if fee := s.m.p.Shifts[k].Fee; r == nil {
			s.fees -= fee
		} else {
			s.fees += fee
		}
	}
	s.routes[k] = r
	if r == nil {
		s.used[k>>6] &^= 1 << (k & 63)
		return
	}
	s.used[k>>6] |= 1 << (k & 63)
}

func (s *search) fresh() *route {
	if n := len(s.pool); n > 0 {
		r := s.pool[n-1]
		s.pool = s.pool[:n-1]
		return r
	}
	return &route{}
}

func (s *search) copyOf(r *route) *route {
	c := s.fresh()
	spots, paused := c.spots[:0], c.paused[:0]
	*c = *r
	c.spots, c.paused = spots, paused
	c.spots = append(c.spots, r.spots...)
	c.paused = append(c.paused, r.paused...)
	return c
}

func (s *search) measure(k int32, r *route) bool {
	s.version++
	r.version = s.version
	return s.m.measure(int(k), r)
}

func (s *search) remeasure(k int32, r *route, from, to int) bool {
	s.version++
	r.version = s.version
	return s.m.remeasure(int(k), r, from, to)
}

// admit makes space for a spot that is not evaluated yet.
func (r *route) admit(at int32, s *spot) {
	r.spots = slices.Insert(r.spots, int(at), *s)
	if len(r.paused) > 0 {
		r.paused = slices.Insert(r.paused, int(at), paused{})
	}
}

// start begins a step: absent requests are tried again.
func (s *search) start() {
	t := &s.step
	t.touched, t.old, t.slots, t.removed = t.touched[:0], t.old[:0], t.slots[:0], t.removed[:0]
	t.absent = append(t.absent[:0], s.absent...)
	t.way, t.change, t.shifts, t.visits, t.fees = s.way, s.change, s.shifts, s.visits, s.fees
	t.removed = append(t.removed, s.absent...)
}

// accept keeps the step.
func (s *search) accept() {
	for i, k := range s.step.touched {
		s.step.isTouched[k] = false
		if old := s.step.old[i]; old != nil {
			s.pool = append(s.pool, old)
		}
	}
}

// reject takes the step back.
func (s *search) reject() {
	t := &s.step
	for i, k := range t.touched {
		t.isTouched[k] = false
		if r := s.routes[k]; r != nil {
			s.pool = append(s.pool, r)
		}
		s.put(k, t.old[i])
	}
	for i := len(t.slots) - 1; i >= 0; i-- {
		s.slot[t.slots[i].request] = t.slots[i].shift
	}
	s.absent = append(s.absent[:0], t.absent...)
	s.way, s.change, s.shifts, s.visits = t.way, t.change, t.shifts, t.visits
}

// touch returns a route that this step may write.
func (s *search) touch(k int32) *route {
	if !s.step.isTouched[k] {
		s.step.isTouched[k] = true
		s.step.touched = append(s.step.touched, k)
		s.step.old = append(s.step.old, s.routes[k])
		s.before[k] = 0
		if s.routes[k] != nil {
			s.before[k] = s.routes[k].version
			s.put(k, s.copyOf(s.routes[k]))
		}
	}
	if s.routes[k] == nil {
		s.put(k, s.copyOf(s.m.shifts[k].empty))
	}
	return s.routes[k]
}

// move records a request's new shift, or none.
func (s *search) move(q, k int32) {
	was := s.slot[q]
	s.step.slots = append(s.step.slots, slotBefore{q, was})
	s.slot[q] = k
	if was >= 0 {
		s.change -= s.m.changeOf(q, was)
	}
	if k >= 0 {
		s.change += s.m.changeOf(q, k)
	}
}

// insert puts a request into a route. It reports whether the route holds, which
// it does at a place that a finder has found.
func (s *search) insert(k, q int32, i, j int32) bool {
	opened := s.routes[k] == nil
	r := s.touch(k)
	was, visits := r.cost, r.visits()
	if opened {
		was, visits = 0, 0
		s.shifts++
	}
	r.admit(j, &s.m.spots[2*q+1])
	from, to := int(i), int(j)+1
	if s.m.halved(q) { // it was on board of all spots
		from, to = 1, len(r.spots)-2
	} else {
		r.admit(i, &s.m.spots[2*q])
	}
	holds := s.remeasure(k, r, from, to)
	s.way += r.cost - was
	s.visits += r.visits() - visits
	s.move(q, k)
	return holds
}

// take marks a request as left out; drop takes its visits away.
func (s *search) take(q int32) {
	s.was[q] = s.slot[q]
	s.move(q, -1)
	s.step.removed = append(s.step.removed, q)
}

// drop takes the visits of taken requests out of a route. A detour may be
// shorter than the direct way; when the route does not hold without a visit,
// all that is not frozen leaves it.
func (s *search) drop(k int32) {
	was, visits := s.routes[k].cost, s.routes[k].visits()
	r := s.touch(k)
	from, to := s.sweep(k, r)
	if r.visits() > 0 && !s.remeasure(k, r, from, to) {
		for _, at := range r.spots[s.m.shifts[k].first : len(r.spots)-1] {
			if q := at.visit >> 1; s.slot[q] >= 0 {
				s.take(q)
			}
		}
		s.sweep(k, r)
		s.measure(k, r)
	}
	s.visits += r.visits() - visits
	if r.visits() == 0 {
		s.shifts--
		s.way -= was
		s.pool = append(s.pool, r)
		s.put(k, nil)
		return
	}
	s.way += r.cost - was
}

// sweep leaves out the visits of taken requests, and returns from where to
// where the route is not measured any more.
func (s *search) sweep(k int32, r *route) (from, to int) {
	first, last := s.m.shifts[k].first, len(r.spots)-1
	write, behind, whole := first, false, false // behind a visit that is left out
	from = -1
	for i := first; i <= last; i++ {
		at := &r.spots[i]
		if i < last && s.slot[at.visit>>1] < 0 {
			r.seconds -= int64(at.seconds)
			r.meters -= int64(at.meters)
			behind = true
			if from < 0 {
				from = write
			}
			whole = whole || s.m.halved(at.visit>>1) // it is on board of all spots again
			continue
		}
		if behind {
			to, behind = write-1, false
		}
		r.spots[write] = *at
		if len(r.paused) > 0 {
			r.paused[write] = r.paused[i]
		}
		write++
	}
	r.spots = r.spots[:write]
	if len(r.paused) > 0 {
		r.paused = r.paused[:write]
	}
	if whole || from < 0 {
		return 1, write - 2
	}
	return from, to
}

// dropTaken removes from every route the requests taken but not yet
// removed.
func (s *search) dropTaken() {
	for i := 0; i < len(s.step.slots); i++ {
		if before := s.step.slots[i]; before.shift >= 0 && !s.step.isTouched[before.shift] {
			s.drop(before.shift)
		}
	}
}

// loses reports whether the step has left out something that is owed.
func (s *search) loses() bool {
	for _, q := range s.absent {
		if s.m.begun.owed[q] >= 0 && !slices.Contains(s.step.absent, q) {
			return true
		}
	}
	return false
}

// cost returns the value that the search minimizes: unplanned requests have
// a price that lets the search leave them out temporarily.
func (s *search) cost() int64 {
	return s.way + s.change + s.fees + int64(s.shifts)*s.prices.shift + s.prices.of(s.absent)
}

func (s *search) costBefore() int64 {
	t := &s.step
	return t.way + t.change + t.fees + int64(t.shifts)*s.prices.shift + s.prices.of(t.absent)
}

// penalty returns the real penalty of the absent requests.
func (s *search) penalty() int64 {
	sum := int64(0)
	for _, q := range s.absent {
		sum += s.m.p.Requests[q].Penalty
	}
	return sum
}

// total is the cost of the plan in truth, as far as the search can change it.
func (s *search) total() int64 {
	return s.way + s.change + s.fees + int64(s.shifts)*s.m.p.Objective.Shift + s.penalty()
}
