package routing_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// TestRoadsEqualTheirMatrix grows roads place by place, including unused places,
// and compares the results of the search and its explanations.
func TestRoadsEqualTheirMatrix(t *testing.T) {
	t.Parallel()
	left := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 5))
		p := routingtest.Small(rng, 2+rng.IntN(8), 1+rng.IntN(3))
		if seed%10 == 0 {
			p = routingtest.Day(rng, 30, 4)
		}
		for i := range p.Travel {
			for n := range p.Travel[i].Legs { // Roads have no places that cannot be reached
				leg := &p.Travel[i].Legs[n]
				leg.Seconds = min(leg.Seconds, 10_000)
			}
		}
		require.NoError(t, p.Validate())
		on := *p
		on.Travel = nil
		for i := range p.Travel {
			var roads routing.Roads
			dense := p.Travel[i]
			leg := func(from, to int) routing.Leg {
				if from >= dense.Places || to >= dense.Places {
					return routing.Leg{Seconds: 1, Meters: 1} // a short cut outside the problem
				}
				return dense.Leg(from, to)
			}
			var before routing.Travel
			for n := 1; n < dense.Places; n += 1 + int(seed%7) {
				roads.Grow(n, leg)
				before = roads.Travel()
			}
			roads.Grow(dense.Places, leg)
			roads.Grow(dense.Places+40, leg)
			for a := range before.Places {
				for b := range before.Places {
					require.Equal(t, dense.Leg(a, b), before.Leg(a, b), "what was taken before stays")
				}
			}
			on.Travel = append(on.Travel, roads.Travel())
		}
		require.NoError(t, on.Validate())
		options := routing.Options{Seed: seed, Spent: routing.Iterations(60)}
		want, err := routing.Improve(p, routing.Plan{Routes: make([][]routing.Visit, len(p.Shifts))}, options)
		require.NoError(t, err)
		got, err := routing.Improve(&on, routing.Plan{Routes: make([][]routing.Visit, len(p.Shifts))}, options)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, routing.Repair(p, want.Plan), routing.Repair(&on, got.Plan))
		explained, same := routing.NewExplainer(p, want.Plan), routing.NewExplainer(&on, got.Plan)
		for _, r := range want.Plan.Unplanned(len(p.Requests)) {
			left++
			require.Equal(t, explained.Why(r), same.Why(r))
		}
	}
	require.Greater(t, left, 50)
}
