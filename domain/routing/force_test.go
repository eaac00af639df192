package routing_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// TestForceMinimizesLateness compares with trying every place, and every
// pair of moments until which the request may begin.
func TestForceMinimizesLateness(t *testing.T) {
	t.Parallel()
	forced, late := 0, 0
	for seed := range 4_000 {
		p, plan, k, r, closes, ok := toForce(seed)
		if !ok {
			continue
		}
		got, found := routing.Force(p, plan, k, r, closes)
		least := leastLate(p, plan.Routes[k], k, r, closes)
		require.Equal(t, least >= 0, found, "seed %d", seed)
		if !found {
			continue
		}
		forced++
		require.Equal(t, least, got.PickupLate+got.DeliveryLate, "seed %d: %v", seed, got)
		if least > 0 {
			late++
		}
		p.Requests[r].Pickup.Closes = min(p.Requests[r].Pickup.Closes, closes[0]+got.PickupLate)
		p.Requests[r].Delivery.Closes = min(p.Requests[r].Delivery.Closes, closes[1]+got.DeliveryLate)
		require.True(t, routing.Drivable(p, k, got.Visits), "seed %d: %v", seed, got)
	}
	require.Greater(t, forced, 400)
	require.Greater(t, late, 100)
}

// toForce is a plan and a request that is not in it, for a shift that may have it
// until long after its windows.
func toForce(seed int) (p *routing.Problem, plan routing.Plan, k, r int, closes [2]int64, ok bool) {
	rng := seeded(seed)
	p = routingtest.Small(rng, 5, 2)
	if seed%3 == 0 {
		routingtest.Owe(rng, p)
		drivable(p)
	}
	if seed%2 == 0 {
		routingtest.Visit(rng, p)
	}
	if seed%4 == 0 {
		routingtest.Maneuver(seeded(seed+1), p)
	}
	if len(p.Shifts) == 0 || len(p.Requests) == 0 {
		return p, plan, 0, 0, closes, false
	}
	k, r = rng.IntN(len(p.Shifts)), rng.IntN(len(p.Requests))
	request := &p.Requests[r]
	closes = [2]int64{request.Pickup.Closes, request.Delivery.Closes}
	all, err := routing.Improve(p, p.Before, routing.Options{Seed: 1, Spent: routing.Iterations(20)})
	if err != nil {
		return p, plan, k, r, closes, false
	}
	begun := slices.ContainsFunc(p.Shifts, func(s routing.Shift) bool { return slices.Contains(s.Begun(), r) })
	plan = all.Plan.Clone()
	for n := range plan.Routes {
		plan.Routes[n] = slices.DeleteFunc(plan.Routes[n], func(v routing.Visit) bool { return v.Request() == r })
	}
	request.Pickup.Closes, request.Delivery.Closes = closes[0]+300, closes[1]+300
	return p, plan, k, r, closes, !begun && request.Pickup.Place >= 0 && request.Delivery.Place >= 0 &&
		routing.Drivable(p, k, plan.Routes[k])
}

// leastLate tries all places in a route, each with all relevant pairs of
// delays; -1 means no place.
func leastLate(p *routing.Problem, route []routing.Visit, k, r int, closes [2]int64) int64 {
	least := int64(-1)
	for i := len(p.Shifts[k].Frozen); i <= len(route); i++ {
		for j := i; j <= len(route); j++ {
			if splitsLoading(p, k, route, r, i, j) {
				continue
			}
			visits := slices.Concat(
				route[:i],
				[]routing.Visit{routing.PickupOf(r)},
				route[i:j],
				[]routing.Visit{routing.DeliveryOf(r)},
				route[j:],
			)
			if !routing.Drivable(p, k, visits) {
				continue
			}
			for by := int64(0); by <= 600; by++ {
				if least >= 0 && by >= least {
					break
				}
				if lateInAll(p, k, r, visits, closes, by) {
					least = by
				}
			}
		}
	}
	return least
}

// lateInAll reports whether visits can be made with a request late by so much in all.
func lateInAll(p *routing.Problem, k, r int, visits []routing.Visit, closes [2]int64, by int64) bool {
	relaxed := p.Requests[r]
	defer func() { p.Requests[r] = relaxed }()
	for pickup := range by + 1 {
		p.Requests[r].Pickup.Closes = min(relaxed.Pickup.Closes, closes[0]+pickup)
		p.Requests[r].Delivery.Closes = min(relaxed.Delivery.Closes, closes[1]+by-pickup)
		if routing.Drivable(p, k, visits) {
			return true
		}
	}
	return false
}

// TestForceEvaluatesEachPlaceOnce counts the work on a route of 160 visits: at
// most two evaluations of each pair of places, with the break ahead and taken.
func TestForceEvaluatesEachPlaceOnce(t *testing.T) {
	t.Parallel()
	p, plan := longRoute(80)
	got, ok := routing.Force(p, plan, 0, 80, [2]int64{0, 0})
	require.True(t, ok)
	places := len(plan.Routes[0]) + 1
	require.Equal(t, 161, places)
	require.LessOrEqual(t, got.Looked, places*(places+1))
}

func BenchmarkForce(b *testing.B) {
	p, plan := longRoute(80)
	for b.Loop() {
		routing.Force(p, plan, 0, 80, [2]int64{0, 0})
	}
}

// longRoute is a route with so many requests, a break and a longest route, and a
// request more.
func longRoute(requests int) (*routing.Problem, routing.Plan) {
	p := &routing.Problem{Objective: routing.Objective{Shift: routing.FewestShifts, Second: 100, Meter: 1}}
	places := requests + 2
	travel := routing.Travel{Places: places}
	for a := range places {
		for b := range places {
			travel.Legs = append(
				travel.Legs,
				routing.Leg{Seconds: int32(120 * max(a-b, b-a)), Meters: int32(1000 * max(a-b, b-a))},
			)
		}
	}
	p.Travel = []routing.Travel{travel}
	var route []routing.Visit
	for r := range requests + 1 {
		p.Requests = append(p.Requests, routing.Request{
			Pickup:   routing.Stop{Place: r, Closes: 86_400, ServiceSeconds: 60},
			Delivery: routing.Stop{Place: r + 1, Closes: 86_400, ServiceSeconds: 60}, Penalty: routing.Planned,
		})
		if r < requests {
			route = append(route, routing.PickupOf(r), routing.DeliveryOf(r))
		}
	}
	p.Shifts = []routing.Shift{{
		End: 86_400, Capacity: routing.Load{10, 10, 10}, MaxSeconds: 80_000,
		Break: routing.Break{Earliest: 14_000, Latest: 20_000, Seconds: 1800},
	}}
	return p, routing.Plan{Routes: [][]routing.Visit{route}}
}
