package routing

import "slices"

// Join finds the cheapest sequence in which one shift makes the visits of its
// route and serves as many additional requests as it can. visits is the initial
// route, which may already have some of these requests. All other requests of
// the route stay on it, and other shifts are not considered. left are the
// requests without a place.
func Join(p *Problem, shift int, visits []Visit, join []int, options Options) (route []Visit, left []int, err error) {
	part := newRoutePart(p, shift, visits, join)
	result, err := Improve(&part.problem, Plan{Routes: [][]Visit{part.within(visits)}}, options)
	if err != nil {
		return nil, nil, err
	}
	served := result.Plan.ShiftOf(len(part.requests))
	for r, request := range part.requests {
		switch {
		case served[r] >= 0:
		case slices.Contains(join, request):
			left = append(left, request)
		case slices.Contains(visits, DeliveryOf(request)): // it stays where it is
			return visits, join, nil
		}
	}
	return part.whole(result.Plan.Routes[0]), left, nil
}

// routePart is the part of a problem that one shift is about.
type routePart struct {
	problem Problem
	// requests maps the part's requests to those of the whole, and numbers the
	// reverse.
	requests []int
	numbers  map[int]int
	places   []int
}

func newRoutePart(p *Problem, shift int, visits []Visit, join []int) *routePart {
	part := &routePart{numbers: map[int]int{}}
	s := p.Shifts[shift]
	for _, r := range s.OnBoard {
		part.take(r)
	}
	for _, v := range slices.Concat(s.Frozen, s.Owed, visits) {
		part.take(v.Request())
	}
	for _, r := range join {
		part.take(r)
	}
	s.From, s.To, s.Profile = part.place(s.From), part.place(s.To), 0
	s.OnBoard = slices.Clone(s.OnBoard)
	for i, r := range s.OnBoard {
		s.OnBoard[i] = part.numbers[r]
	}
	s.Frozen, s.Owed = part.within(s.Frozen), part.within(s.Owed)
	part.problem.Objective, part.problem.Setups = p.Objective, p.Setups
	part.problem.Apart, part.problem.More = p.Apart, p.More
	part.problem.Objective.Shift = 0
	part.problem.Shifts = []Shift{s}
	for _, r := range part.requests {
		part.problem.Requests = append(part.problem.Requests, part.request(p, shift, r, slices.Contains(join, r)))
	}
	part.problem.Travel = []Travel{part.travel(&p.Travel[p.Shifts[shift].Profile])}
	return part
}

func (part *routePart) take(r int) {
	if _, known := part.numbers[r]; !known {
		part.numbers[r] = len(part.requests)
		part.requests = append(part.requests, r)
	}
}

// mostStaying is the most that the penalties of requests that stay add up to.
const mostStaying = 1 << 60

// request returns a request of the whole. One that stays outweighs all that
// join.
func (part *routePart) request(p *Problem, shift, r int, joins bool) Request {
	request := p.Requests[r]
	request.Pickup.Place, request.Delivery.Place = part.place(request.Pickup.Place), part.place(request.Delivery.Place)
	request.Only, request.Change, request.Penalty, request.Surcharges = nil, 0, Planned, nil
	if !joins {
		request.Penalty = mostStaying / int64(len(part.requests)+1)
	}
	if slices.Contains(p.Requests[r].Never, shift) {
		request.Never = []int{0}
	} else {
		request.Never = nil
	}
	return request
}

func (part *routePart) place(of int) int {
	if of == Anywhere {
		return Anywhere
	}
	at := slices.Index(part.places, of)
	if at < 0 {
		at = len(part.places)
		part.places = append(part.places, of)
	}
	return at
}

func (part *routePart) travel(whole *Travel) Travel {
	t := Travel{Places: len(part.places)}
	for _, from := range part.places {
		for _, to := range part.places {
			t.Legs = append(t.Legs, whole.Leg(from, to))
		}
		if whole.busy() {
			t.Areas = append(t.Areas, uint8(whole.area(from)))
		}
	}
	t.Traffic = whole.Traffic
	return t
}

// within returns visits of the whole as the part numbers them.
func (part *routePart) within(visits []Visit) []Visit {
	return renumbered(visits, func(r int) int { return part.numbers[r] })
}

// whole returns visits of the part as the whole numbers them.
func (part *routePart) whole(visits []Visit) []Visit {
	return renumbered(visits, func(r int) int { return part.requests[r] })
}

func renumbered(visits []Visit, number func(r int) int) []Visit {
	all := make([]Visit, len(visits))
	for i, v := range visits {
		all[i] = PickupOf(number(v.Request()))
		if v.Delivers() {
			all[i] = DeliveryOf(number(v.Request()))
		}
	}
	return all
}

// Soonest returns when a shift makes visits that leaves as early as it can, and whether
// everything holds then.
func (p *Problem) Soonest(shift int, visits []Visit) ([]Timed, bool) {
	_, run := p.soonest(shift, visits, p.limits(shift))
	return run.stops, run.late == ""
}
