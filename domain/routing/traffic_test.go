package routing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// TestCheckAgreesWithTheSearchInTraffic compares Check, which steps through traffic, with the arithmetic of the search.
func TestCheckAgreesWithTheSearchInTraffic(t *testing.T) {
	t.Parallel()
	held, refused := 0, 0
	for seed := range 10_000 {
		rng := seeded(seed)
		p := routingtest.Small(rng, 5, 2)
		if seed%3 == 0 {
			routingtest.Visit(rng, p)
		}
		if rule := seed % (2 * len(asks)); rule < len(asks) {
			asks[rule](rng, p)
		}
		if seed%4 == 0 {
			routingtest.Limit(rng, p)
		}
		if seed%5 == 0 {
			routingtest.Rest(rng, p)
		}
		routingtest.Rush(rng, p)
		if len(p.Shifts) == 0 || len(p.Requests) == 0 {
			continue
		}
		require.NoError(t, p.Validate(), "seed %d", seed)
		k := rng.IntN(len(p.Shifts))
		visits := shuffled(rng, p, k)
		for _, r := range p.Shifts[k].OnBoard {
			visits = append(visits, routing.DeliveryOf(r))
		}
		if len(visits) == 0 || someNowhere(p, visits) || p.Travel[p.Shifts[k].Profile].Traffic == nil {
			continue
		}
		holds, cost := routing.Measured(p, k, visits)
		at := p.Timetable(k, visits)
		accepted := routing.Drivable(p, k, visits)
		require.Equal(t, inOrder(p, k, visits) && routing.Allowed(p, k, visits) && holds, accepted, "seed %d", seed)
		if !accepted {
			refused++
			continue
		}
		held++
		require.True(t, at.Holds, "seed %d", seed)
		require.Equal(t, routing.Clocked(p, k, visits), cost, "seed %d", seed)
		require.Equal(t, p.PriceOf(k, &at)+at.Lateness, cost, "seed %d", seed)
	}
	t.Logf("%d held, %d refused", held, refused)
	require.Greater(t, held, 500)
	require.Greater(t, refused, 1_000)
}

func someNowhere(p *routing.Problem, visits []routing.Visit) bool {
	for _, v := range visits {
		if stopOf(p, v).Place == routing.Anywhere {
			return true
		}
	}
	return false
}

func TestSmallProblemsInTrafficAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 300, func(seed int) *routing.Problem { return asking(seed, routingtest.Rush) })
}

func TestSmallProblemsWithDrivingRulesInTrafficAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 40, func(seed int) *routing.Problem {
		p := resting(seed)
		routingtest.Rush(seeded(seed), p)
		return p
	})
}

// TestEveryStepInTrafficHasTheCostOfItsPlan compares what the search adds up with the bill of the plan.
func TestEveryStepInTrafficHasTheCostOfItsPlan(t *testing.T) {
	t.Parallel()
	for seed := range 60 {
		rng := seeded(seed)
		p := routingtest.Small(rng, 12, 5)
		if seed%2 == 0 {
			routingtest.Visit(rng, p)
		}
		if seed%3 == 0 {
			asks[seed/3%len(asks)](rng, p)
		}
		if seed%5 == 0 {
			routingtest.Owe(rng, p)
			drivable(p)
		}
		if seed%6 == 1 {
			routingtest.Rest(rng, p)
		}
		routingtest.Rush(rng, p)
		constant, steps := routing.Constant(p), 0
		routing.Steps(p, p.Before, uint64(seed), 12, func(total int64, plan routing.Plan, measured bool) {
			steps++
			require.Empty(t, routing.Broken(p, plan), "seed %d, step %d", seed, steps)
			bill := routing.Charge(p, plan)
			require.Equal(t, bill.Total(), total+constant, "seed %d, step %d", seed, steps)
			require.Equal(t, bill.Total(), routing.Price(p, plan).Total, "seed %d, step %d", seed, steps)
			require.True(t, measured, "seed %d, step %d", seed, steps)
		})
	}
}

// TestOneRequestInTrafficIsInsertedWhereItCostsLeast compares Insert with all places.
func TestOneRequestInTrafficIsInsertedWhereItCostsLeast(t *testing.T) {
	t.Parallel()
	placed := 0
	for seed := range 1_000 {
		rng := seeded(seed)
		p := routingtest.Small(rng, 6, 3)
		if seed%2 == 0 {
			routingtest.Visit(rng, p)
		}
		routingtest.Rush(rng, p)
		if len(p.Requests) == 0 {
			continue
		}
		full, err := routing.Improve(p, routing.Frozen(p), routing.Options{Seed: 1, Spent: routing.Iterations(50)})
		require.NoError(t, err)
		r := rng.IntN(len(p.Requests))
		plan := routing.Repair(p, without(full.Plan, r))
		if plan.ShiftOf(len(p.Requests))[r] >= 0 || noTraffic(p) {
			continue
		}
		least, possible := cheapestInsertion(p, plan, r)
		got, ok := routing.Insert(p, plan, r)
		require.Equal(t, possible, ok, "seed %d", seed)
		if ok {
			placed++
			require.Empty(t, routing.Broken(p, got), "seed %d", seed)
			require.Equal(t, least, routing.Price(p, got).Total, "seed %d", seed)
		}
	}
	require.Greater(t, placed, 100)
}

// noTraffic reports whether some matrix has no traffic: there, the waiting that a request uses up is not looked at.
func noTraffic(p *routing.Problem) bool {
	for i := range p.Travel {
		if len(p.Travel[i].Traffic) == 0 {
			return true
		}
	}
	return false
}
