package routing_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
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
