package routing

import "slices"

// Worthwhile returns a plan that was found, but the routes of a kept one where what was found saves less
// than a price. Routes that exchange requests change together or not at all. A change that plans more
// is worth it, and one that plans less is not. Fewer shifts save nothing, but each that the kept plan
// uses in addition to the announced one costs its price. Both plans must be valid; least is in the units of
// the objective.
func Worthwhile(p *Problem, kept, found Plan, least int64) Plan {
	out := found.Clone()
	for _, group := range exchanging(p, kept, found) {
		if !worthwhile(p, group, kept, found, least) {
			for _, k := range group {
				out.Routes[k] = slices.Clone(kept.Routes[k])
			}
		}
	}
	return out
}

// exchanging are the shifts with other visits in two plans, in groups that exchange requests.
func exchanging(p *Problem, a, b Plan) [][]int {
	leads := make([]int, len(p.Shifts))
	for k := range leads {
		leads[k] = k
	}
	lead := func(k int) int {
		for leads[k] != k {
			k = leads[k]
		}
		return k
	}
	inB := b.ShiftOf(len(p.Requests))
	for r, k := range a.ShiftOf(len(p.Requests)) {
		if k >= 0 && inB[r] >= 0 {
			leads[lead(k)] = lead(inB[r])
		}
	}
	var groups [][]int
	at := map[int]int{}
	for k := range p.Shifts {
		if slices.Equal(a.Routes[k], b.Routes[k]) {
			continue
		}
		n, known := at[lead(k)]
		if !known {
			n, groups = len(groups), append(groups, nil)
			at[lead(k)] = n
		}
		groups[n] = append(groups[n], k)
	}
	return groups
}

// worthwhile reports whether it pays to change a group of shifts.
func worthwhile(p *Problem, group []int, kept, found Plan, least int64) bool {
	was, is := p.part(group, kept), p.part(group, found)
	if planned := is.planned - was.planned; planned != 0 {
		return planned > 0
	}
	return was.cost-is.cost >= least
}

// partCost is what some shifts of a plan cost, and what leaving out their requests would.
type partCost struct{ planned, cost int64 }

func (p *Problem) part(group []int, plan Plan) (sum partCost) {
	for _, k := range group {
		route := plan.Routes[k]
		if len(route) == 0 {
			continue
		}
		for _, v := range route {
			if v.Delivers() {
				sum.planned += p.Requests[v.Request()].Penalty
			}
		}
		t := p.Timetable(k, route)
		sum.cost += p.PriceOf(k, &t)
		for _, v := range route {
			if v.Delivers() {
				sum.cost += p.Requests[v.Request()].Surcharge(k)
			}
		}
		if len(p.Before.Routes) <= k || len(p.Before.Routes[k]) == 0 {
			sum.cost += p.Objective.Shift + p.Shifts[k].Fee
		}
	}
	return sum
}
