package routing_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// TestCheckAgreesOnAsksOfShiftsThatRest compares Check and the search where orders ask for something of shifts with
// driving rules: what each accepts, and what it costs.
func TestCheckAgreesOnAsksOfShiftsThatRest(t *testing.T) {
	t.Parallel()
	mustAgreeOnAsks(t, resting)
}

func mustAgreeOnAsks(t *testing.T, problem func(seed int) *routing.Problem) {
	t.Helper()
	held, refused := 0, 0
	for seed := range 8_000 {
		p, rng := problem(seed), seeded(seed)
		for n, rule := range asks {
			if seed%(n+2) == 0 {
				rule(rng, p)
			}
		}
		if len(p.Shifts) == 0 || len(p.Requests) == 0 {
			continue
		}
		require.NoError(t, p.Validate(), "seed %d", seed)
		k := rng.IntN(len(p.Shifts))
		visits := shuffled(rng, p, k)
		nowhere := func(v routing.Visit) bool { return stopOf(p, v).Place == routing.Anywhere }
		if len(visits) == 0 || slices.ContainsFunc(visits, nowhere) || !routing.Rests(p, k) {
			continue
		}
		holds, cost := routing.Measured(p, k, visits)
		accepted := routing.Drivable(p, k, visits)
		require.Equal(t, inOrder(p, k, visits) && routing.Allowed(p, k, visits) && holds, accepted, "seed %d", seed)
		if !accepted {
			refused++
			continue
		}
		held++
		require.Equal(t, routing.Clocked(p, k, visits), cost, "seed %d", seed)
	}
	t.Logf("%d held, %d refused", held, refused)
	require.Greater(t, held, 300)
	require.Greater(t, refused, 1_000)
}

func TestSmallProblemsWithAsksAndDrivingRulesAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 300, func(seed int) *routing.Problem {
		p, rng := resting(seed), seeded(seed)
		asks[seed%len(asks)](rng, p)
		return p
	})
}

// TestBreaksAreTakenWhereGoodsAreNotOnBoardForLong has problems in which a route can be driven in several ways that end
// at the same time, and only some of them keep the limits of the time on board.
func TestBreaksAreTakenWhereGoodsAreNotOnBoardForLong(t *testing.T) {
	t.Parallel()
	for _, seed := range []int{114, 272, 362, 578} {
		rng := seeded(seed)
		p := routingtest.Small(rng, 12, 4)
		routingtest.Rest(rng, p)
		routingtest.LimitAboard(rng, p)
		if seed%2 == 0 {
			routingtest.Due(rng, p)
		}
		found, err := routing.Search(p, routing.Frozen(p), routing.Options{Seed: 1, Spent: routing.Iterations(100)})
		require.NoError(t, err)
		require.Empty(t, routing.Broken(p, found.Plan), "seed %d", seed)
	}
}

// TestWhatCheckRefusesIsNotPlanned takes requests out of a plan because of which Check refuses it.
func TestWhatCheckRefusesIsNotPlanned(t *testing.T) {
	t.Parallel()
	p, plan := evenly()
	p.Requests[0].Pickup.Closes = 1
	p.Requests[0].MaxAboard = 10
	require.NotEmpty(t, routing.Broken(p, plan))
	accepted := routing.Accepted(p, plan)
	require.Empty(t, routing.Broken(p, accepted))
	require.Contains(t, accepted.Unplanned(len(p.Requests)), 0)
	require.NotContains(t, accepted.Unplanned(len(p.Requests)), 1)
	require.Len(t, plan.Routes[0], 8, "the plan itself stays")
}
