package routing

import "slices"

// Options control how long Improve works, and its randomness.
type Options struct {
	Seed uint64
	// Spent returns the used share of the budget, from 0 on; Improve stops at
	// 1. It is called at least every few steps, with the number of steps so
	// far.
	Spent func(iterations int) float64
	// Around, if set, are the movable requests around which a large known plan is improved. Routes
	// that are not among the nearest keep their sequence.
	Around []int
	// Report, if set, is called with every better plan and occasionally in
	// between.
	Report func(Progress)
}

// Progress is how far Improve is.
type Progress struct {
	Iterations int
	// Total is the cost of the best plan so far, as far as Improve can change it.
	Total int64
	// Unplanned counts the requests that the best plan leaves out, Shifts those it uses.
	Unplanned, Shifts int
}

// Iterations is a budget of so many steps: with it, the same seed ends in the
// same plan everywhere.
func Iterations(n int) func(int) float64 {
	return func(done int) float64 { return float64(done) / float64(max(1, n)) }
}

// Result is the best plan that was found.
type Result struct {
	Plan       Plan
	Cost       Cost
	Iterations int
}

// Improve returns a plan that is at least as good as the valid part of the
// given one, with all requests for which it finds a place. Of a problem with at most
// eight requests that are not begun, it is the best there is, unless the problem has very
// many plans for the budget. The problem must be valid; the plan need not be.
func Improve(p *Problem, plan Plan, options Options) (Result, error) {
	tries := options.Spent(0) < 1
	s, err := searched(p, plan, options)
	if err != nil {
		return Result{}, err
	}
	best := s.result()
	if tries && s.exhaust() {
		if all := s.result(); all.Cost.Total < best.Cost.Total && len(Broken(p, all.Plan)) == 0 {
			best = all
		}
	}
	if plan, left := p.accepted(best.Plan); left > 0 {
		best.Plan, best.Cost = plan, Price(p, plan)
	}
	return best, nil
}

// accepted returns a plan without the requests because of which Check refuses it, and how many those are. There are
// none unless the search and Check disagree, and then the plan does not count.
func (p *Problem) accepted(plan Plan) (accepted Plan, left int) {
	begun := p.begun()
	for {
		refused := map[int]bool{}
		for _, v := range Broken(p, plan) {
			if v.Request >= 0 && begun.shift[v.Request] < 0 && begun.owed[v.Request] < 0 {
				refused[v.Request] = true
			}
		}
		if len(refused) == 0 {
			return plan, left
		}
		left += len(refused)
		plan = plan.Clone()
		for k := range plan.Routes {
			plan.Routes[k] = slices.DeleteFunc(plan.Routes[k], func(v Visit) bool { return refused[v.Request()] })
		}
	}
}

// searched returns a search that is over.
func searched(p *Problem, plan Plan, options Options) (*search, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	p.arrange()
	m := newModel(p)
	m.layOut()
	s := newSearch(m, options.Seed)
	s.budget = options
	s.run(plan)
	s.fill()
	return s, nil
}

func (s *search) result() Result {
	plan := s.plan()
	return Result{Plan: plan, Iterations: s.iterations, Cost: Price(s.m.p, plan)}
}

// asked is how many steps go by between two looks at the budget.
const asked = 8

// spent counts a step and returns the share of the budget that is used up.
func (s *search) spent() float64 {
	if s.everyStep || s.iterations%asked == 0 {
		s.share = s.budget.Spent(s.iterations)
	}
	if s.share >= 1 {
		return 1
	}
	s.iterations++
	if s.budget.Report != nil && s.iterations%1000 == 0 {
		s.report()
	}
	return s.share
}

func (s *search) report() {
	s.budget.Report(Progress{
		Iterations: s.iterations, Total: s.best.total, Unplanned: len(s.best.absent), Shifts: s.best.shifts,
	})
}

func (s *search) run(plan Plan) {
	s.prices = newPrices(s.m.p, s.movable)
	s.ranks.movable = s.movable
	s.load(plan)
	known := len(s.movable) - len(s.absent)
	s.mean = s.meanWay()
	s.keep()
	s.start()
	s.recreate()
	s.accept()
	s.mean = s.meanWay()
	s.prices.set(int64(s.tuning.unplanned * s.mean))
	if s.better() {
		s.keep()
	}
	if len(s.movable) == 0 || s.budget.Spent(0) >= 1 {
		return
	}
	if 2*known >= len(s.movable) {
		s.polish()
		return
	}
	s.restore()
	s.search()
}

// fill sees to it that no request is left out of the best plan that has a place
// in it.
func (s *search) fill() {
	s.restore()
	s.most, s.f.exact = len(s.routes), true
	for _, r := range s.routes {
		if r != nil { // the cached result is less exact
			s.version++
			r.version = s.version
		}
	}
	for placed := true; placed; {
		placed = false
		s.start()
		s.absent = s.absent[:0]
		s.spare()
		for _, q := range s.step.removed {
			c := s.choose(q, 0)
			if c.k >= 0 && c.cost > s.m.p.Requests[q].Penalty {
				c.k = -1
			}
			s.place(q, c)
			placed = placed || c.k >= 0
		}
		s.accept()
	}
	if s.better() {
		s.keep()
	}
}

// search improves a new plan.
func (s *search) search() {
	from := 0.0
	if s.m.p.Objective.fewestFirst() {
		s.shrink(s.fleetShare())
		s.bindShifts()
		s.restore()
		from = s.share
	}
	if from < s.tuning.probe { // to see how many steps the budget has
		s.anneal(from, s.tuning.probe, s.tuning.hot)
		from = s.tuning.probe
	}
	s.mean = s.meanWay()
	cycles := s.cycles()
	for c := range cycles {
		begin := from + (1-from)*float64(c)/float64(cycles)
		if s.share >= 1 {
			return
		}
		if c > 0 {
			s.again()
		}
		s.anneal(begin, from+(1-from)*float64(c+1)/float64(cycles), s.tuning.hot)
	}
}

// fleetShare grows from 100 requests to 500.
func (s *search) fleetShare() float64 {
	large := min(1, max(0, float64(len(s.movable)-100)/400))
	return s.tuning.fleet + large*(s.tuning.largeFleet-s.tuning.fleet)
}

// bindShifts keeps the number of shifts of the best plan, unless more of
// them might serve left-out requests.
func (s *search) bindShifts() {
	s.most = s.best.shifts
	if s.best.penalty > 0 {
		s.most, s.prices.shift = len(s.routes), s.prices.base
	}
}

// cycles is how often the search cools down: often when the budget allows many
// steps for each request, once when it is short.
func (s *search) cycles() int {
	if s.share <= 0 {
		return 1
	}
	steps := float64(s.iterations) / s.share
	return max(1, min(s.tuning.cycles, int(steps/float64(s.tuning.stepsOfCycle*len(s.movable)))))
}

// again begins a cycle: from the best plan, mostly, and shaken.
func (s *search) again() {
	worse := s.penalty() > s.best.penalty
	if worse || s.rng.Float64() < s.tuning.fromBest {
		s.restore()
	}
	s.shake(int(s.tuning.shaken * float64(len(s.movable))))
}
