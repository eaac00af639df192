package routing_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// costs are the rules of what a plan costs.
var costs = []func(*rand.Rand, *routing.Problem){
	routingtest.Rate, routingtest.WorkLonger, routingtest.Prefer, routingtest.Due, routingtest.Spread,
}

// TestThePriceOfAPlanIsItsBill compares the sums of the search with those of a clock that shares no rule with it.
func TestThePriceOfAPlanIsItsBill(t *testing.T) {
	t.Parallel()
	var sum routing.Terms
	for seed := range 4_000 {
		rng := seeded(seed)
		p := routingtest.Small(rng, 6, 3)
		if seed%2 == 0 {
			routingtest.Visit(rng, p)
		}
		if seed%4 == 0 {
			routingtest.Maneuver(seeded(seed+1), p)
		}
		if seed%5 == 0 {
			routingtest.Owe(rng, p)
			drivable(p)
		}
		if seed%3 > 0 {
			for _, rule := range costs {
				rule(rng, p)
			}
		}
		if seed%4 == 0 {
			routingtest.Rest(rng, p)
		}
		constant := routing.Constant(p)
		routing.Steps(p, p.Before, uint64(seed), 4, func(total int64, plan routing.Plan, _ bool) {
			bill := routing.Charge(p, plan)
			require.Equal(t, total+constant, bill.Total(), "seed %d", seed)
			price := routing.Price(p, plan)
			require.Equal(t, price.Total, bill.Total(), "seed %d", seed)
			require.Equal(t, price.Unplanned, bill.Left, "seed %d", seed)
			for k := range bill.Routes {
				of := &bill.Routes[k]
				sum.Shift, sum.Driving, sum.Setup = sum.Shift+of.Shift, sum.Driving+of.Driving, sum.Setup+of.Setup
				sum.Service, sum.Waiting = sum.Service+of.Service, sum.Waiting+of.Waiting
				sum.Distance, sum.Overtime = sum.Distance+of.Distance, sum.Overtime+of.Overtime
				sum.Balance += of.Balance
				sum.Lateness, sum.Change = sum.Lateness+of.Lateness, sum.Change+of.Change
				sum.Preference, sum.Territory = sum.Preference+of.Preference, sum.Territory+of.Territory
			}
		})
	}
	t.Logf("%+v", sum)
	for name, cost := range map[string]int64{
		"shift": sum.Shift, "driving": sum.Driving, "setup": sum.Setup, "service": sum.Service, "waiting": sum.Waiting,
		"balance": sum.Balance, "distance": sum.Distance, "overtime": sum.Overtime, "lateness": sum.Lateness,
		"change":     sum.Change,
		"preference": sum.Preference, "territory": sum.Territory,
	} {
		require.Positive(t, cost, name)
	}
}

func TestSmallProblemsWithRatesAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 500, func(seed int) *routing.Problem { return asking(seed, routingtest.Rate) })
}

func TestSmallProblemsWithOvertimeAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 500, func(seed int) *routing.Problem { return asking(seed, routingtest.WorkLonger) })
}

func TestSmallProblemsWithSurchargesAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 500, func(seed int) *routing.Problem { return asking(seed, routingtest.Prefer) })
}

func TestSmallProblemsWithBalanceAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 500, func(seed int) *routing.Problem { return asking(seed, routingtest.Spread) })
}

func TestSmallProblemsWithAllCostsAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 500, func(seed int) *routing.Problem { return asking(seed, costs...) })
}

// TestWorkIsSpreadOverShifts makes eight deliveries, each at a place of its own, with two vans. One of them may have
// worked already.
func TestWorkIsSpreadOverShifts(t *testing.T) {
	t.Parallel()
	spread := func(of routing.Balance, done int64) []int {
		p := terminal(8, 600, 30)
		p.Objective.Shift = 0
		van := p.Shifts[0]
		van.Balance = of
		p.Shifts = []routing.Shift{van, van}
		p.Shifts[0].Balance.Orders, p.Shifts[0].Balance.Seconds = done, done*900
		result, err := routing.Improve(p, routing.Frozen(p), routing.Options{Seed: 1, Spent: routing.Iterations(1_000)})
		require.NoError(t, err)
		require.Empty(t, routing.Broken(p, result.Plan))
		bill := routing.Charge(p, result.Plan)
		require.Equal(t, result.Cost.Total, bill.Total())
		return []int{len(result.Plan.Routes[0]) / 2, len(result.Plan.Routes[1]) / 2}
	}
	require.Contains(t, [][]int{{8, 0}, {0, 8}}, spread(routing.Balance{}, 0))
	require.Equal(t, []int{4, 4}, spread(routing.Balance{Order: 200_000}, 0))
	require.Equal(t, []int{3, 5}, spread(routing.Balance{Order: 200_000}, 2), "five each")
	require.Equal(t, []int{0, 8}, spread(routing.Balance{Order: 200_000}, 9))
	hours := spread(routing.Balance{Hour: 40_000_000}, 0)
	require.InDelta(t, 4, hours[0], 1, "hours are alike, the ways are not")
}
