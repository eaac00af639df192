package routing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// Skipping expensive candidates must not change the choice where legs are metric.
func TestChoicesAreTheCheapest(t *testing.T) {
	t.Parallel()
	for seed := range 4 {
		p := routingtest.Day(seeded(seed), 60, 15)
		p.Objective.Shift = 180_000
		shorten(&p.Travel[0])
		require.NoError(t, p.Validate())
		known, err := routing.Improve(p, routing.Frozen(p), routing.Options{Seed: 1, Spent: routing.Iterations(50)})
		require.NoError(t, err)
		p.Before = known.Plan
		choices := routing.Choices(p, known.Plan)
		require.Greater(t, len(choices), 100)
		for i, c := range choices {
			require.Equal(t, c.TrueBest, c.Best, "seed %d, choice %d", seed, i)
			require.Equal(t, c.TrueSecond, c.Second, "seed %d, choice %d", seed, i)
		}
	}
}

// shorten makes every leg the shortest way between its ends, so that no detour
// saves anything.
func shorten(travel *routing.Travel) {
	n := travel.Places
	for via := range n {
		for a := range n {
			for b := range n {
				first, second, whole := travel.Legs[a*n+via], travel.Legs[via*n+b], &travel.Legs[a*n+b]
				whole.Seconds = min(whole.Seconds, first.Seconds+second.Seconds)
				whole.Meters = min(whole.Meters, first.Meters+second.Meters)
			}
		}
	}
}
