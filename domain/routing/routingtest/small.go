package routingtest

import (
	"math/rand/v2"

	"waybill/domain/routing"
)

// Small returns a problem of at most so many requests and shifts that has a
// little of everything: legs without a rhyme, shifts that have begun, locks,
// skills, breaks, limits. Half of the problems are tight.
func Small(rng *rand.Rand, requests, shifts int) *routing.Problem {
	s := small{rng: rng, places: 2 + rng.IntN(7), loose: rng.IntN(2) == 0}
	p := &routing.Problem{Objective: s.objective()}
	for range 1 + rng.IntN(2) {
		p.Travel = append(p.Travel, s.travel())
	}
	for range s.some(requests) {
		p.Requests = append(p.Requests, s.request(shifts))
	}
	for range s.some(shifts) {
		p.Shifts = append(p.Shifts, s.shift(len(p.Travel)))
	}
	s.trim(p)
	s.begin(p)
	s.before(p)
	return p
}

type small struct {
	rng    *rand.Rand
	places int
	// loose problems have wide windows and vehicles that hold much.
	loose bool
}

func (s *small) chance(share float64) bool { return s.rng.Float64() < share }

// some is up to so many, and now and then none.
func (s *small) some(most int) int {
	if s.chance(0.03) {
		return 0
	}
	return 1 + s.rng.IntN(most)
}

func (s *small) objective() routing.Objective {
	o := routing.Objective{Second: 1 + s.rng.Int64N(3), Meter: s.rng.Int64N(2), Waiting: s.rng.Int64N(2)}
	switch s.rng.IntN(3) {
	case 0:
		o.Shift = routing.FewestShifts
	case 1:
		o.Shift = s.rng.Int64N(100)
	}
	return o
}

// travel returns a random matrix whose only regularity is a zero diagonal.
func (s *small) travel() routing.Travel {
	t := routing.Travel{Places: s.places, Legs: make([]routing.Leg, s.places*s.places)}
	for i := range t.Legs {
		if i%(s.places+1) == 0 {
			continue
		}
		t.Legs[i] = routing.Leg{Seconds: int32(s.rng.IntN(40)), Meters: int32(s.rng.IntN(100))}
		if s.chance(0.03) {
			t.Legs[i].Seconds = routing.Unreachable
		}
	}
	return t
}

func (s *small) stop() routing.Stop {
	opens := s.rng.Int64N(200)
	stop := routing.Stop{
		Place: s.rng.IntN(s.places), Opens: opens, Closes: opens + s.rng.Int64N(150), ServiceSeconds: s.rng.Int64N(10),
	}
	if s.chance(0.02) {
		stop.Place = routing.Anywhere
	}
	if s.chance(0.3) || s.loose && s.chance(0.6) {
		stop.Opens, stop.Closes = 0, 400
	}
	return stop
}

func (s *small) load(most int32) routing.Load {
	var l routing.Load
	for d := range l {
		l[d] = s.rng.Int32N(most)
	}
	return l
}

func (s *small) request(shifts int) routing.Request {
	r := routing.Request{
		Pickup: s.stop(), Delivery: s.stop(), Load: s.load(6),
		Penalty: routing.Planned * (1 + s.rng.Int64N(3)), Change: s.rng.Int64N(50),
	}
	if s.chance(0.2) {
		r.VehicleType = 1 + s.rng.IntN(2)
	}
	if s.chance(0.2) {
		r.Needs = []int{s.rng.IntN(3)}
	}
	if s.chance(0.1) {
		r.Refuses = []int{s.rng.IntN(3)}
	}
	if s.chance(0.1) {
		r.Only = []int{s.rng.IntN(shifts)}
	}
	if s.chance(0.1) {
		r.Never = []int{s.rng.IntN(shifts)}
	}
	return r
}

func (s *small) end() int {
	if s.chance(0.2) {
		return routing.Anywhere
	}
	return s.rng.IntN(s.places)
}

func (s *small) shift(profiles int) routing.Shift {
	start := s.rng.Int64N(60)
	shift := routing.Shift{
		Profile: s.rng.IntN(profiles), From: s.end(), To: s.end(), Start: start, End: start + 100 + s.rng.Int64N(300),
		Capacity: s.load(12), Serves: []int{1 + s.rng.IntN(2)},
	}
	if s.loose {
		shift.Capacity = s.load(12)
		for d := range shift.Capacity {
			shift.Capacity[d] += 6
		}
	}
	for skill := range 3 {
		if s.chance(0.7) {
			shift.Skills = append(shift.Skills, skill)
		}
	}
	if s.chance(0.4) {
		shift.Break.Earliest = s.rng.Int64N(200)
		shift.Break.Latest = shift.Break.Earliest + s.rng.Int64N(100)
		shift.Break.Seconds = 1 + s.rng.Int64N(40)
	}
	if s.chance(0.15) {
		shift.MaxSeconds = 50 + s.rng.Int64N(300)
	}
	if s.chance(0.15) {
		shift.MaxMeters = 50 + s.rng.Int64N(500)
	}
	return shift
}

// trim takes away locks to shifts that are not there.
func (s *small) trim(p *routing.Problem) {
	for r := range p.Requests {
		request := &p.Requests[r]
		if len(request.Only) > 0 && request.Only[0] >= len(p.Shifts) {
			request.Only = nil
		}
	}
}

// begin puts some requests on board, and freezes some visits.
func (s *small) begin(p *routing.Problem) {
	for r := range p.Requests {
		if len(p.Shifts) == 0 || !s.chance(0.25) || p.Requests[r].Delivery.Place == routing.Anywhere {
			continue
		}
		shift := &p.Shifts[s.rng.IntN(len(p.Shifts))]
		if s.chance(0.5) {
			shift.OnBoard = append(shift.OnBoard, r)
			if s.chance(0.3) {
				shift.Frozen = append(shift.Frozen, routing.DeliveryOf(r))
			}
			continue
		}
		if p.Requests[r].Pickup.Place == routing.Anywhere {
			continue
		}
		shift.Frozen = append(shift.Frozen, routing.PickupOf(r))
		if s.chance(0.3) {
			shift.Frozen = append(shift.Frozen, routing.DeliveryOf(r))
		}
	}
}

// before creates an announced plan, which may be invalid.
func (s *small) before(p *routing.Problem) {
	p.Before.Routes = make([][]routing.Visit, len(p.Shifts))
	for r := range p.Requests {
		if len(p.Shifts) > 0 && s.chance(0.5) {
			k := s.rng.IntN(len(p.Shifts))
			p.Before.Routes[k] = append(p.Before.Routes[k], routing.PickupOf(r), routing.DeliveryOf(r))
		}
	}
}
