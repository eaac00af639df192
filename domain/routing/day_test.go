package routing_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// TestDaysInMotionStayWhole plans days, advances them to some hour, and plans
// them again with what is frozen, locked and on board then.
func TestDaysInMotionStayWhole(t *testing.T) {
	t.Parallel()
	frozen, aboard := 0, 0
	for seed := range 1_000 {
		rng := seeded(seed)
		p := routingtest.Day(rng, 10+rng.IntN(30), 2+rng.IntN(6))
		if seed%2 == 0 {
			routingtest.Visit(rng, p)
		}
		if seed%4 == 0 {
			routingtest.Maneuver(seeded(seed+1), p)
		}
		plan := improved(t, p, routing.Frozen(p), 40)
		now := int64(6 * 3600)
		for range 2 {
			now += (1 + rng.Int64N(5)) * 3600
			p, plan = routingtest.Advance(p, plan, now)
			for _, shift := range p.Shifts {
				frozen += len(shift.Frozen)
				aboard += len(shift.OnBoard)
			}
			require.Empty(t, routing.Broken(p, plan), "seed %d: the plan as it was driven", seed)
			plan = improved(t, p, damaged(rng, plan), 40)
		}
	}
	require.Greater(t, frozen, 1_000)
	require.Greater(t, aboard, 1_000)
}

func improved(t *testing.T, p *routing.Problem, plan routing.Plan, steps int) routing.Plan {
	t.Helper()
	require.NoError(t, p.Validate())
	result, err := routing.Improve(p, plan, routing.Options{Seed: 1, Spent: routing.Iterations(steps)})
	require.NoError(t, err)
	require.Empty(t, routing.Broken(p, result.Plan))
	require.Equal(t, routing.Price(p, result.Plan), result.Cost)
	return result.Plan
}

// damaged returns a plan in which some visits changed places, as if the data
// had changed since.
func damaged(rng *rand.Rand, plan routing.Plan) routing.Plan {
	plan = plan.Clone()
	for _, route := range plan.Routes {
		if len(route) > 1 && rng.IntN(3) == 0 {
			i, j := rng.IntN(len(route)), rng.IntN(len(route))
			route[i], route[j] = route[j], route[i]
		}
	}
	return plan
}

// TestLockedAndForbiddenDriversAreKept has requests that only a lock or a
// prohibition decides.
func TestLockedAndForbiddenDriversAreKept(t *testing.T) {
	t.Parallel()
	for seed := range 200 {
		p := routingtest.Day(seeded(seed), 20, 4)
		for r := range p.Requests {
			p.Requests[r].VehicleType, p.Requests[r].Needs = 0, nil
			p.Requests[r].Only, p.Requests[r].Never = []int{r % 4}, nil
			if r%2 == 0 {
				p.Requests[r].Only, p.Requests[r].Never = nil, []int{r % 4, (r + 1) % 4}
			}
		}
		plan := improved(t, p, routing.Frozen(p), 100)
		for r, k := range plan.ShiftOf(len(p.Requests)) {
			if k >= 0 && r%2 == 1 {
				require.Equal(t, r%4, k)
			}
			if k >= 0 && r%2 == 0 {
				require.NotContains(t, []int{r % 4, (r + 1) % 4}, k)
			}
		}
	}
}

// TestTheSameDriverIsKeptForItsPrice improves a plan with and without a price.
func TestTheSameDriverIsKeptForItsPrice(t *testing.T) {
	t.Parallel()
	free, priced := 0, 0
	for seed := range 6 {
		p := routingtest.Day(seeded(seed), 60, 8)
		p.Objective.Shift = 0
		p.Before = improved(t, p, routing.Frozen(p), 300)
		for _, change := range []int64{0, 60_000} {
			for r := range p.Requests {
				p.Requests[r].Change = change
			}
			changed := routing.Price(p, improved(t, p, p.Before, 3_000)).Changed
			if change == 0 {
				free += changed
			} else {
				priced += changed
			}
		}
	}
	t.Logf("%d changed for nothing, %d for a price", free, priced)
	require.Less(t, 2*priced, free)
}

// TestLargePlansAreImprovedInParts improves a known plan that is too large to
// be improved as a whole.
func TestLargePlansAreImprovedInParts(t *testing.T) {
	t.Parallel()
	p := routingtest.Day(seeded(3), 330, 40)
	p.Before = improved(t, p, routing.Frozen(p), 0)
	before := routing.Price(p, p.Before)
	after := routing.Price(p, improved(t, p, p.Before, 4_000))
	require.Less(t, after.Total, before.Total)
	require.LessOrEqual(t, after.Left, before.Left)
}

// TestAPlanIsImprovedAroundSomeRequests improves a large known plan around one request. Routes that
// are far from it stay.
func TestAPlanIsImprovedAroundSomeRequests(t *testing.T) {
	t.Parallel()
	p := routingtest.Day(seeded(3), 330, 40)
	p.Before = improved(t, p, routing.Frozen(p), 0)
	changed := func(around []int) (routes int) {
		options := routing.Options{Seed: 1, Around: around, Spent: routing.Iterations(2_000)}
		result, err := routing.Improve(p, p.Before, options)
		require.NoError(t, err)
		require.Less(t, result.Cost.Total, routing.Price(p, p.Before).Total)
		for k, route := range result.Plan.Routes {
			if !slices.Equal(route, p.Before.Routes[k]) {
				routes++
			}
		}
		return routes
	}
	everywhere, nearby := changed(nil), changed([]int{7})
	t.Logf("%d routes changed around one request, %d everywhere", nearby, everywhere)
	require.Less(t, 3*nearby, 2*everywhere)
}
