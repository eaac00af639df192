package routingtest

import (
	"math"
	"math/rand/v2"

	"waybill/domain/routing"
)

// Day returns a day in a town: orders from a few terminals and from anywhere,
// with windows of an hour to four, and drivers with breaks, skills and vehicles
// of two sizes, who begin and end at home. Prices are in hundredths of a second.
func Day(rng *rand.Rand, orders, shifts int) *routing.Problem {
	t := town{rng: rng}
	p := &routing.Problem{Objective: routing.Objective{
		Shift: routing.FewestShifts, Second: 100, Meter: 1, Waiting: 10,
	}}
	for range 4 { // the terminals
		t.place()
	}
	for range orders {
		p.Requests = append(p.Requests, t.order())
	}
	for range shifts {
		p.Shifts = append(p.Shifts, t.driver())
	}
	p.Travel = []routing.Travel{t.travel()}
	for r := range p.Requests {
		if rng.Float64() < 0.03 {
			p.Requests[r].Only = []int{rng.IntN(shifts)}
		}
		if rng.Float64() < 0.03 {
			p.Requests[r].Never = []int{rng.IntN(shifts)}
		}
	}
	return p
}

// Hide returns the problem with some orders that no shift may serve. Indexes
// stay the same, so results can be used with the whole problem.
func Hide(p *routing.Problem, hidden func(request int) bool) *routing.Problem {
	less := *p
	less.Requests = append([]routing.Request(nil), p.Requests...)
	for r := range less.Requests {
		if hidden(r) {
			less.Requests[r].VehicleType = unknownType
			less.Requests[r].Penalty = 0
		}
	}
	return &less
}

// unknownType is a vehicle type without vehicles.
const unknownType = -1

// point is a place in kilometres.
type point struct{ x, y float64 }

type town struct {
	rng    *rand.Rand
	points []point
}

const (
	minute = 60
	hour   = 60 * minute
	// change is ten minutes.
	change = 10 * minute * 100
)

func (t *town) place() int {
	t.points = append(t.points, point{12 * t.rng.NormFloat64(), 12 * t.rng.NormFloat64()})
	return len(t.points) - 1
}

func (t *town) order() routing.Request {
	pickup := t.rng.IntN(4)
	if t.rng.Float64() < 0.3 {
		pickup = t.place()
	}
	opens := 7*hour + t.rng.Int64N(8*hour)
	width := hour + t.rng.Int64N(3*hour)
	r := routing.Request{
		Pickup:   routing.Stop{Place: pickup, Opens: 6 * hour, Closes: opens + width, ServiceSeconds: 5 * minute},
		Delivery: routing.Stop{Place: t.place(), Opens: opens, Closes: opens + width, ServiceSeconds: 5 * minute},
		Load:     routing.Load{1 + t.rng.Int32N(300_000), 1 + t.rng.Int32N(2_000)},
		Penalty:  routing.Planned << t.rng.IntN(3), Change: change,
	}
	if t.rng.Float64() < 0.1 {
		r.Needs = []int{t.rng.IntN(2)}
	}
	if t.rng.Float64() < 0.1 {
		r.VehicleType = 1 + t.rng.IntN(2)
	}
	return r
}

func (t *town) driver() routing.Shift {
	home := t.place()
	start := 6*hour + t.rng.Int64N(3*hour)
	s := routing.Shift{
		From: home, To: home, Start: start, End: start + 8*hour,
		Capacity: routing.Load{1_200_000, 9_000}, Serves: []int{1},
		Break: routing.Break{Earliest: start + 3*hour, Latest: start + 5*hour, Seconds: 30 * minute},
	}
	if t.rng.IntN(3) == 0 {
		s.Capacity, s.Serves = routing.Load{5_000_000, 30_000}, []int{1, 2}
	}
	for skill := range 2 {
		if t.rng.IntN(2) == 0 {
			s.Skills = append(s.Skills, skill)
		}
	}
	return s
}

// travel returns the calibrated model of driving in a town, with ten
// percent variation per leg, so that it is asymmetric.
func (t *town) travel() routing.Travel {
	n := len(t.points)
	travel := routing.Travel{Places: n, Legs: make([]routing.Leg, n*n)}
	for a, from := range t.points {
		for b, to := range t.points {
			if a == b {
				continue
			}
			km := math.Hypot(from.x-to.x, from.y-to.y)
			minutes := 1.5 + 2.31*km - 0.48*max(0, km-2) - 0.15*max(0, km-8)
			// The noise of a leg is independent of other legs.
			noise := 0.9 + 0.2*math.Abs(math.Mod(math.Sin(float64(a*7919+b*104729))*43758.5453, 1))
			travel.Legs[a*n+b] = routing.Leg{Seconds: int32(minutes * noise * minute), Meters: int32(1300 * km)}
		}
	}
	return travel
}
