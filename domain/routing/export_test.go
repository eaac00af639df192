package routing

import "slices"

// MaxShifts is the most shifts that a problem may have.
const MaxShifts = maxShifts

// Rests reports whether the breaks of a shift are more than one.
func Rests(p *Problem, shift int) bool { return p.Shifts[shift].rests() }

// Drivable reports whether Check accepts the route of one shift.
func Drivable(p *Problem, shift int, visits []Visit) bool {
	c := newChecker(p)
	c.route(shift, visits)
	return !slices.ContainsFunc(c.found, Violation.Rejects)
}

// Hopeless reports whether Check refuses a route of one shift, whatever follows its visits: the shift holds too little,
// goods have to be apart, or a visit is too late. Free is the problem with shifts that have no breaks and no limits, so
// that only the visits can be late.
func Hopeless(p, free *Problem, shift int, visits []Visit) bool {
	c := newChecker(p)
	c.loads(shift, visits)
	c.more(shift, visits)
	c.goods(shift, visits)
	if len(c.found) == 0 {
		c.p = free
		c.times(shift, visits)
	}
	return slices.ContainsFunc(c.found, Violation.Rejects)
}

// Accepted returns a plan without the requests because of which Check refuses it.
func Accepted(p *Problem, plan Plan) Plan {
	accepted, _ := p.accepted(plan)
	return accepted
}

// Search is Improve without the search for all plans of small problems.
func Search(p *Problem, plan Plan, options Options) (Result, error) {
	s, err := searched(p, plan, options)
	if err != nil {
		return Result{}, err
	}
	return s.result(), nil
}

// Clocked returns what a route costs by the clock of Check, without the price of the shift.
func Clocked(p *Problem, shift int, visits []Visit) int64 {
	var t Terms
	t.drive(p, shift, visits)
	return t.Total() - t.Shift
}

// Allowed reports whether the search lets a shift have all requests of a route.
func Allowed(p *Problem, shift int, visits []Visit) bool {
	m := newModel(p)
	return !slices.ContainsFunc(visits, func(v Visit) bool {
		code, _ := p.refusal(shift, v.Request(), m.begun.shift[v.Request()])
		return code != ""
	})
}

// Measured evaluates a route with the search's own arithmetic: whether it
// can be driven, and the cost of its legs.
func Measured(p *Problem, shift int, visits []Visit) (holds bool, cost int64) {
	m := newModel(p)
	r := &route{spots: []spot{m.begins(shift)}}
	for _, v := range visits {
		r.spots = append(r.spots, m.spots[v])
	}
	r.spots = append(r.spots, m.ends(shift))
	holds = m.measure(shift, r)
	return holds, r.cost
}

// Steps improves a plan and reports after every step the accumulated cost,
// the plan, and whether the cached values of its routes equal fresh ones.
func Steps(p *Problem, plan Plan, seed uint64, steps int, show func(total int64, plan Plan, measured bool)) {
	m := newModel(p)
	m.layOut()
	s := newSearch(m, seed)
	look := func() {
		present, measured := Plan{Routes: make([][]Visit, len(s.routes))}, true
		for k, r := range s.routes {
			if r != nil {
				present.Routes[k] = visitsOf(r.spots)
				measured = measured && r.same(m.routeOf(k, present.Routes[k]))
			}
		}
		show(s.total(), present, measured)
	}
	done := 0
	s.budget = Options{Spent: func(int) float64 {
		if s.best.routes != nil {
			look()
		}
		done++
		return float64(done) / float64(steps)
	}}
	s.everyStep = true
	s.run(plan)
}

func (r *route) same(other *route) bool {
	return slices.Equal(r.spots, other.spots) && slices.Equal(r.paused, other.paused) && r.heaviest == other.heaviest &&
		r.cost == other.cost && r.ends == other.ends
}

// Constant is the part of a plan's cost that the search cannot change and does
// not add up: the penalties of requests that no shift may serve.
func Constant(p *Problem) int64 {
	m := newModel(p)
	sum := int64(0)
	for r := range p.Requests {
		if !m.begun.frozen[r] && !m.anyone(r) {
			sum += p.Requests[r].Penalty
		}
	}
	return sum
}

// Choice holds a search's choice for a removed request, and that of a full
// search of every route: the costs of the best and the second best place.
type Choice struct{ Best, Second, TrueBest, TrueSecond int64 }

// Choices removes each request from a plan and puts it back in its place, twice,
// so that cached results are tested as well.
func Choices(p *Problem, plan Plan) []Choice {
	m := newModel(p)
	m.layOut()
	s := newSearch(m, 1)
	s.prices, s.ranks.movable = newPrices(p, s.movable), s.movable
	s.load(plan)
	var choices []Choice
	for range 2 {
		for _, q := range s.movable {
			s.start()
			if s.taken(q) {
				s.dropTaken()
				s.spare()
				best, two := s.choose(q, 0), s.chooseTwo(q, 0)
				choice := s.inFull(q)
				choice.Best, choice.Second = best.cost, two.second
				choices = append(choices, choice)
				s.place(q, two)
				s.accept()
			}
		}
	}
	return choices
}

func (s *search) inFull(q int32) Choice {
	costs := []int64{nowhere, nowhere}
	look := func(k int32, r *route, opening int64) {
		if !s.m.allowed.has(int(q), int(k)) {
			return
		}
		if at := s.f.find(int(k), r, s.m.ask(q, int(k))); at.j > 0 {
			costs = append(costs, at.cost+s.m.changeOf(q, k)+opening)
		}
	}
	for k, r := range s.routes {
		if r != nil {
			look(int32(k), r, 0)
		}
	}
	for _, k := range s.spares {
		look(k, s.m.shifts[k].empty, s.prices.opening+s.m.p.Shifts[k].Fee)
	}
	slices.Sort(costs)
	return Choice{TrueBest: costs[0], TrueSecond: costs[1]}
}

// Nearest returns the request whose visits are nearest to the delivery of another one, and the one
// that is most like it.
func Nearest(p *Problem, request int) (near, like int) {
	m := newModel(p)
	m.layOut()
	s := newSearch(m, 1)
	s.ranks.movable = s.movable
	for _, v := range s.ranks.visitsNear(int32(2*request + 1)) {
		if int(v>>1) != request {
			near = int(v >> 1)
			break
		}
	}
	return near, int(s.ranks.requestsLike(int32(request))[0])
}
