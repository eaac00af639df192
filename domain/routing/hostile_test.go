package routing_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// FuzzHostileProblems changes a number of a small problem. The result must be
// refused, or end in a valid plan.
func FuzzHostileProblems(f *testing.F) {
	for field := range uint8(24) {
		f.Add(uint64(field), field, int64(math.MaxInt64))
		f.Add(uint64(field)+100, field, int64(-1))
		f.Add(uint64(field)+200, field, int64(routing.MaxTime))
		f.Add(uint64(field)+300, field, int64(0))
	}
	f.Fuzz(func(t *testing.T, seed uint64, field uint8, value int64) {
		rng := rand.New(rand.NewPCG(seed, 2))
		p := routingtest.Small(rng, 5, 3)
		if len(p.Requests) > 0 && len(p.Shifts) > 0 {
			bend(p, rng, field, value)
		}
		result, err := routing.Improve(p, p.Before, routing.Options{Seed: seed, Spent: routing.Iterations(30)})
		if err != nil {
			require.Error(t, p.Validate())
			return
		}
		require.Empty(t, routing.Broken(p, result.Plan))
		require.GreaterOrEqual(t, result.Cost.Total, int64(0))
		explainer := routing.NewExplainer(p, result.Plan)
		for _, r := range result.Plan.Unplanned(len(p.Requests)) {
			why := explainer.Why(r)
			require.True(t, why.General != "" || len(why.Shifts) > 0, "%v", why)
			explainer.WhatIf(r, nil, nil)
		}
	})
}

func bend(p *routing.Problem, rng *rand.Rand, field uint8, value int64) {
	r, s := &p.Requests[rng.IntN(len(p.Requests))], &p.Shifts[rng.IntN(len(p.Shifts))]
	numbers := []*int64{
		&r.Pickup.Opens, &r.Pickup.Closes, &r.Pickup.ServiceSeconds, &r.Delivery.Opens, &r.Delivery.Closes,
		&r.Delivery.ServiceSeconds, &r.Penalty, &r.Change, &s.Start, &s.End, &s.Break.Earliest, &s.Break.Latest,
		&s.Break.Seconds, &s.MaxSeconds, &s.MaxMeters, &p.Objective.Shift, &p.Objective.Second, &p.Objective.Meter,
		&p.Objective.Waiting,
	}
	if int(field) < len(numbers) {
		*numbers[field] = value
		return
	}
	switch field {
	case 19:
		r.Load[0], s.Capacity[0] = int32(value), int32(value>>1)
	case 20:
		r.Pickup.Place = int(value)
	case 21:
		s.Frozen = append(s.Frozen, routing.Visit(int32(value)))
	case 22:
		s.OnBoard = append(s.OnBoard, int(value))
	default:
		for i := range p.Travel[0].Legs {
			p.Travel[0].Legs[i] = routing.Leg{Seconds: int32(value), Meters: int32(value)}
		}
	}
}

func TestEmptyProblemsHaveEmptyPlans(t *testing.T) {
	t.Parallel()
	one := routing.Problem{
		Travel:   []routing.Travel{{Places: 1, Legs: make([]routing.Leg, 1)}},
		Requests: []routing.Request{{Penalty: routing.Planned}},
	}
	for _, p := range []routing.Problem{{}, one, {Travel: one.Travel, Shifts: make([]routing.Shift, 2)}} {
		result, err := routing.Improve(&p, routing.Plan{}, routing.Options{Spent: routing.Iterations(10)})
		require.NoError(t, err)
		require.Empty(t, routing.Broken(&p, result.Plan))
		require.Equal(t, len(p.Requests), result.Cost.Left)
	}
	require.Equal(t, routing.NoShift, routing.NewExplainer(&one, routing.Plan{}).Why(0).General)
}

// TestImproveStopsOnRequest stops it at the first call of Spent, and in the
// middle.
func TestImproveStopsOnRequest(t *testing.T) {
	t.Parallel()
	p := routingtest.Day(seeded(1), 40, 6)
	for _, stop := range []int{0, 160, 1_000} {
		asked, last := 0, 0
		result, err := routing.Improve(p, routing.Frozen(p), routing.Options{Spent: func(iterations int) float64 {
			require.LessOrEqual(t, iterations-last, 16, "it must ask every few steps")
			last = iterations
			asked++
			if iterations >= stop {
				return 1
			}
			return 0.5
		}})
		require.NoError(t, err)
		require.LessOrEqual(t, result.Iterations, stop+16)
		require.Positive(t, asked)
		require.Empty(t, routing.Broken(p, result.Plan))
		require.Less(t, result.Cost.Left, 20, "what there is room for is planned at once")
	}
}

// TestImproveStopsAfterAllItsCycles has a budget for as many as there may be.
func TestImproveStopsAfterAllItsCycles(t *testing.T) {
	t.Parallel()
	for _, price := range []int64{routing.FewestShifts, 100_000} {
		p := routingtest.Day(seeded(1), 12, 6)
		p.Objective.Shift = price
		for steps := 100; steps < 40_000; steps = steps*3/2 + 7 {
			improve(t, p, steps)
		}
	}
}

func improve(t *testing.T, p *routing.Problem, steps int) {
	t.Helper()
	result, err := routing.Improve(p, routing.Frozen(p), routing.Options{Spent: func(done int) float64 {
		require.LessOrEqual(t, done, steps+16)
		return float64(done) / float64(steps)
	}})
	require.NoError(t, err)
	require.Empty(t, routing.Broken(p, result.Plan))
}

func TestImproveReportsProgress(t *testing.T) {
	t.Parallel()
	p := routingtest.Day(seeded(2), 40, 6)
	var seen []routing.Progress
	result, err := routing.Improve(p, routing.Frozen(p), routing.Options{
		Spent: routing.Iterations(5_000), Report: func(at routing.Progress) { seen = append(seen, at) },
	})
	require.NoError(t, err)
	require.NotEmpty(t, seen)
	for i, at := range seen {
		require.True(t, i == 0 || at.Total <= seen[i-1].Total && at.Iterations >= seen[i-1].Iterations)
	}
	last := seen[len(seen)-1]
	require.Equal(t, last.Shifts, result.Cost.Shifts)
	require.Equal(t, last.Unplanned, result.Cost.Left)
}
