package routing_test

import (
	"math"
	"slices"

	"waybill/domain/routing"
)

// oracle tries all plans of a small problem.
type oracle struct {
	p *routing.Problem
	// free is the problem without breaks and limits of shifts, or nil: then all routes are tried. left is how many
	// may still be.
	free   *routing.Problem
	left   int
	before []int
	// best has the cheapest way of each shift for each set of requests, and its visits.
	best []map[int]way
	// holder is the shift that has begun a request, or -1; done are those that a
	// frozen visit delivers.
	holder []int
	done   []bool
}

type way struct {
	cost   int64
	visits []routing.Visit
}

func newOracle(p *routing.Problem) *oracle { return consult(&oracle{p: p, left: math.MaxInt}) }

// boundedOracle is an oracle that leaves out what begins hopelessly. It knows nothing if it has to try more than so
// many routes.
func boundedOracle(p *routing.Problem, most int) (o *oracle, knows bool) {
	free := *p
	free.Shifts = slices.Clone(p.Shifts)
	for k := range free.Shifts {
		s := &free.Shifts[k]
		s.Break, s.Breaks, s.Rule, s.Rested = routing.Break{}, nil, routing.DrivingRule{}, routing.Rested{}
		s.MaxSeconds, s.MaxMeters, s.MaxStops, s.MaxDriving = 0, 0, 0, 0
		s.To, s.End = routing.Anywhere, routing.MaxTime
	}
	o = consult(&oracle{p: p, free: &free, left: most})
	return o, o.left >= 0
}

func consult(o *oracle) *oracle {
	p := o.p
	o.before, o.best = p.Before.ShiftOf(len(p.Requests)), make([]map[int]way, len(p.Shifts))
	o.holder, o.done = make([]int, len(p.Requests)), make([]bool, len(p.Requests))
	for r := range o.holder {
		o.holder[r] = -1
	}
	for k, shift := range p.Shifts {
		for _, r := range shift.OnBoard {
			o.holder[r] = k
		}
		for _, v := range shift.Frozen {
			o.holder[v.Request()] = k
			o.done[v.Request()] = o.done[v.Request()] || v.Delivers()
		}
	}
	for k := range p.Shifts {
		o.best[k] = map[int]way{}
		o.extend(k, slices.Clone(p.Shifts[k].Frozen), 0, 0)
	}
	return o
}

// extend tries a route unchanged, and then with each further visit. started are
// the requests that are picked up, set those that are delivered, beyond the
// frozen ones.
func (o *oracle) extend(k int, visits []routing.Visit, started, set int) {
	if o.left--; o.left < 0 {
		return
	}
	if started == set {
		o.consider(k, visits, set)
	}
	if o.free != nil && routing.Hopeless(o.p, o.free, k, visits) {
		return
	}
	for r := range o.p.Requests {
		bit := 1 << r
		switch {
		case o.done[r] || set&bit != 0 || o.p.Requests[r].Delivery.Place == routing.Anywhere:
		case o.holder[r] == k:
			o.extend(k, append(slices.Clone(visits), routing.DeliveryOf(r)), started|bit, set|bit)
		case o.holder[r] >= 0 || o.p.Requests[r].Pickup.Place == routing.Anywhere:
		case started&bit == 0:
			o.extend(k, append(slices.Clone(visits), routing.PickupOf(r)), started|bit, set)
		default:
			o.extend(k, append(slices.Clone(visits), routing.DeliveryOf(r)), started, set|bit)
		}
	}
}

func (o *oracle) consider(k int, visits []routing.Visit, set int) {
	if !routing.Drivable(o.p, k, visits) {
		return
	}
	cost := o.wayOf(k, visits)
	for r := range o.p.Requests {
		if set&(1<<r) != 0 && o.before[r] >= 0 && o.before[r] != k {
			cost += o.p.Requests[r].Change
		}
		if set&(1<<r) != 0 {
			cost += surcharge(o.p, r, k)
		}
	}
	if known, ok := o.best[k][set]; !ok || cost < known.cost {
		o.best[k][set] = way{cost, visits}
	}
}

func (o *oracle) wayOf(k int, visits []routing.Visit) int64 {
	if len(visits) == 0 {
		return 0
	}
	return o.p.Objective.Shift + o.p.Shifts[k].Fee + routing.Clocked(o.p, k, visits)
}

func surcharge(p *routing.Problem, r, k int) int64 {
	if len(p.Requests[r].Surcharges) == 0 {
		return 0
	}
	return p.Requests[r].Surcharges[k].Preference + p.Requests[r].Surcharges[k].Territory
}

// cheapest returns the least total cost of any plan.
func (o *oracle) cheapest() int64 {
	all := 1<<len(o.p.Requests) - 1
	costs := map[int]int64{0: 0}
	for k := range o.p.Shifts {
		next := map[int]int64{}
		for have, cost := range costs {
			for set, way := range o.best[k] {
				if have&set != 0 {
					continue
				}
				if known, ok := next[have|set]; !ok || cost+way.cost < known {
					next[have|set] = cost + way.cost
				}
			}
		}
		costs = next
	}
	least := int64(math.MaxInt64)
	for have, cost := range costs {
		for r := range o.p.Requests {
			switch {
			case o.done[r]:
				if b := o.before[r]; b >= 0 && b != o.holder[r] {
					cost += o.p.Requests[r].Change
				}
				cost += surcharge(o.p, r, o.holder[r])
			case (all&^have)&(1<<r) != 0:
				cost += o.p.Requests[r].Penalty
			}
		}
		least = min(least, cost)
	}
	return least
}
