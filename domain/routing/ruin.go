package routing

// tuning is how the search behaves.
type tuning struct {
	// removed is how many visits a step takes out on average, longest how many
	// of one route in a row.
	removed, longest float64
	// split is how likely a string keeps some visits in its middle, stretch how
	// likely it stops keeping one more.
	split, stretch float64
	// related, random and tails are the shares of the other ways to ruin a plan.
	related, random, tails float64
	// wholeRoute is the share of steps that take out a whole route, where shifts
	// have a price, longestWhole how many visits that may be.
	wholeRoute   float64
	longestWhole int
	// blink is how likely a route is overlooked, regret the share of steps that
	// put back by regret between few routes, packing that between more of them
	// and while the fleet shrinks, noise what costs are off.
	blink, regret, packing, noise float64
	// astray is the share of steps that reinsert one request anywhere: some
	// sequences can't be reached through the best places alone.
	astray float64
	// fewRoutes is how many are few.
	fewRoutes int
	// wholeFleet is how many routes are all looked at for a request; of more,
	// only those around it. While the fleet shrinks it is packedFleet.
	wholeFleet, packedFleet int
	// hot and cold are the temperatures at the ends of a cycle, as shares of the
	// mean way to a visit.
	hot, cold float64
	// packed is the temperature while the fleet shrinks.
	packed float64
	// warm is the starting temperature for an announced plan.
	warm float64
	// stepsOfWarmth is how many steps for each request that takes; with fewer it
	// begins cooler.
	stepsOfWarmth int
	// wholePlan is how many requests are improved at once at most, ofPart how
	// many of a larger plan.
	wholePlan, ofPart int
	// around is how many requests are improved for each around which a plan is.
	around int
	// unplanned is the price of a request that is left out, in mean ways.
	unplanned float64
	// raise is the share of its price by which a request becomes more expensive
	// with every step that leaves it out. Prices sink again when more than the
	// share complete of the last window steps left nothing out.
	raise    float64
	window   int
	complete float64
	// fleet is the share of the budget that looks for fewer shifts, largeFleet
	// that of a large problem, where that takes longest.
	fleet, largeFleet float64
	// closeFleet is that share where all but one request had a place with a shift
	// less.
	closeFleet float64
	// probe is the share that is used to see how quick steps are, without fleet.
	probe float64
	// shaken is how many requests are moved before a cycle, as a share of all.
	shaken float64
	// cycles is how often the search cools down at most, and stepsOfCycle how
	// many steps for each request a cycle takes at least.
	cycles, stepsOfCycle int
	// fromBest is how likely a cycle begins with the best plan.
	fromBest float64
}

var tuned = tuning{
	removed: 8, longest: 10, split: 0.5, stretch: 0.01,
	related: 0.3, random: 0.1, tails: 0.1, wholeRoute: 0.03, longestWhole: 40,
	blink: 0.01, astray: 0.05, regret: 0.1, packing: 0.3, fewRoutes: 5, wholeFleet: 24, packedFleet: 10, noise: 0.2,
	hot: 3, cold: 0.015, packed: 0.7, warm: 2, stepsOfWarmth: 60, wholePlan: 300, ofPart: 120, around: 8,
	unplanned: 7, raise: 0.003, window: 400, complete: 0.8,
	fleet: 0.2, largeFleet: 0.5, closeFleet: 0.5, probe: 0.03, shaken: 0.8, fromBest: 0.8, cycles: 4, stepsOfCycle: 150,
}

// ruin takes something out of the plan, or swaps the ends of two routes.
func (s *search) ruin() {
	if s.shifts > 1 && s.rng.Float64() < s.tuning.tails {
		s.swapTails()
		return
	}
	if (s.prices.shift > 0 || s.m.fees) && s.rng.Float64() < s.tuning.wholeRoute {
		s.ruinRoute()
		return
	}
	switch x := s.rng.Float64(); {
	case x < s.tuning.related:
		s.ruinRelated()
	case x < s.tuning.related+s.tuning.random:
		s.ruinRandom()
	default:
		s.ruinStrings()
	}
}

func (s *search) planned() int { return len(s.movable) - len(s.step.removed) }

func (s *search) many() int {
	return min(s.planned(), 1+s.rng.IntN(max(1, int(s.tuning.removed*1.5))))
}

// anyMovable returns a request of the part of the plan that is looked at.
func (s *search) anyMovable() int32 {
	if len(s.part) > 0 {
		return s.part[s.rng.IntN(len(s.part))]
	}
	return s.movable[s.rng.IntN(len(s.movable))]
}

// taken reports whether a request can be taken out, and takes it.
func (s *search) taken(q int32) bool {
	k := s.slot[q]
	if k < 0 || s.focus[k>>6]&(1<<(k&63)) == 0 {
		return false
	}
	s.take(q)
	return true
}

// ruinRoute takes all of a route out that may be: where a shift has its price,
// that is how one becomes free.
func (s *search) ruinRoute() {
	k := s.slot[s.anyMovable()]
	if k < 0 || s.routes[k].visits() > s.tuning.longestWhole {
		return
	}
	for _, at := range s.routes[k].spots[s.m.shifts[k].first : len(s.routes[k].spots)-1] {
		if s.slot[at.visit>>1] == k {
			s.taken(at.visit >> 1)
		}
	}
	s.dropTaken()
}

func (s *search) ruinRandom() {
	for n := s.many(); n > 0; n-- {
		s.taken(s.anyMovable())
	}
	s.dropTaken()
}

// ruinRelated takes a request out and those that are most like it, with some
// chance (Shaw; Ropke and Pisinger).
func (s *search) ruinRelated() {
	n := s.many()
	seed := s.anyMovable()
	if n == 0 {
		return
	}
	if s.taken(seed) {
		n--
	}
	for _, q := range s.ranks.requestsLike(seed) {
		if n <= 0 {
			break
		}
		if s.rng.Float64() < 0.7 && s.taken(q) {
			n--
		}
	}
	s.dropTaken()
}

// ruinStrings takes strings of visits out of routes near a request, with the
// other ends of the requests (Christiaens and Vanden Berghe).
func (s *search) ruinStrings() {
	if s.visits == 0 {
		return
	}
	longest := min(s.tuning.longest, float64(s.visits)/float64(s.shifts))
	routes := int(s.rng.Float64()*(4*s.tuning.removed/(1+longest)-1) + 1)
	seed := 2*s.anyMovable() + int32(s.rng.IntN(2))
	for _, v := range s.ranks.visitsNear(seed) {
		if routes <= 0 {
			return
		}
		k := s.slot[v>>1]
		if k < 0 || s.step.isTouched[k] || s.focus[k>>6]&(1<<(k&63)) == 0 {
			continue
		}
		routes--
		s.ruinString(k, v, longest)
	}
}

// ruinString takes a string of visits out of a route, of which v is one.
func (s *search) ruinString(k, v int32, longest float64) {
	first := s.m.shifts[k].first
	spots := s.routes[k].spots[first : len(s.routes[k].spots)-1]
	m := len(spots)
	length := min(m, int(s.rng.Float64()*min(float64(m), longest)+1))
	keepFrom, keep := 0, 0
	if length > 1 && length < m && s.rng.Float64() < s.tuning.split {
		for keep = 1; length+keep < m && s.rng.Float64() > s.tuning.stretch; keep++ {
		}
		keepFrom = s.rng.IntN(length)
	}
	total := length + keep
	from := s.stringStart(spots, v, total)
	for i := range total {
		if from+i >= m || i >= keepFrom && i < keepFrom+keep {
			continue
		}
		if q := spots[from+i].visit >> 1; s.slot[q] >= 0 {
			s.take(q)
		}
	}
	s.drop(k)
}

func (s *search) stringStart(spots []spot, v int32, total int) int {
	at := 0
	for i := range spots {
		if spots[i].visit == v {
			at = i
		}
	}
	low, high := max(0, at-total+1), min(at, len(spots)-total)
	if high > low {
		return low + s.rng.IntN(high-low+1)
	}
	return low
}
