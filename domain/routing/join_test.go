package routing_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// TestJoinedRequestsBreakNothing has requests join the routes of many small problems, and
// compares with inserting them one at a time.
func TestJoinedRequestsBreakNothing(t *testing.T) {
	t.Parallel()
	joined := 0
	for seed := range 2_000 {
		p, plan, k, r, _, ok := toForce(seed)
		if !ok {
			continue
		}
		p.Requests[r].Only = []int{k}
		before := plan.Routes[k]
		route, left, err := routing.Join(p, k, before, []int{r}, routing.Options{Seed: 1, Spent: routing.Iterations(50)})
		require.NoError(t, err)
		_, fits := routing.Insert(p, plan, r)
		undelivered := slices.ContainsFunc(p.Shifts[k].Begun(), func(r int) bool {
			return !slices.Contains(before, routing.DeliveryOf(r))
		})
		if fits && !undelivered { // which comes first
			require.Empty(t, left, "seed %d", seed)
		}
		after := plan.Clone()
		after.Routes[k] = route
		for _, broken := range routing.Broken(p, after) {
			require.NotEqual(t, k, broken.Shift, "seed %d: %v", seed, broken)
		}
		for _, v := range before {
			require.Contains(t, route, v, "seed %d: what was on the route stays", seed)
		}
		require.Equal(t, len(left) == 0, slices.Contains(route, routing.DeliveryOf(r)))
		if len(left) == 0 {
			joined++
		}
	}
	require.Greater(t, joined, 100)
}

// TestJoinedRequestsOfOnePlaceAreLoadedTogether has five requests of one place join an
// empty route.
func TestJoinedRequestsOfOnePlaceAreLoadedTogether(t *testing.T) {
	t.Parallel()
	const far, near = 600, 20
	p := &routing.Problem{Objective: routing.Objective{Shift: routing.FewestShifts, Second: 100}}
	p.Travel = []routing.Travel{{Places: 6}}
	for a := range 6 {
		for b := range 6 {
			leg := routing.Leg{Seconds: int32(near * max(a-b, b-a))}
			if (a == 0) != (b == 0) {
				leg.Seconds += far
			}
			p.Travel[0].Legs = append(p.Travel[0].Legs, leg)
		}
	}
	p.Shifts = []routing.Shift{{End: 36_000, Capacity: routing.Load{9, 9, 9}}}
	var all []int
	for r := range 5 {
		p.Requests = append(p.Requests, routing.Request{
			Pickup:   routing.Stop{Place: 0, Closes: 36_000, ServiceSeconds: 300},
			Delivery: routing.Stop{Place: 1 + r, Closes: 36_000, ServiceSeconds: 300},
			Load:     routing.Load{1, 1, 1}, Penalty: routing.Planned,
		})
		all = append(all, r)
	}
	route, left, err := routing.Join(p, 0, nil, all, routing.Options{Seed: 1, Spent: routing.Iterations(300)})
	require.NoError(t, err)
	require.Empty(t, left)
	for i, v := range route {
		require.Equal(t, i >= 5, v.Delivers(), "all are loaded first: %v", route)
	}
	require.Equal(t, int64(2*far+2*near*5), p.Timetable(0, route).Driving)

	p.Shifts[0].Capacity = routing.Load{3, 9, 9}
	p.Shifts[0].End = 5*600 + 2*far + 200
	route, left, err = routing.Join(p, 0, nil, all, routing.Options{Seed: 1, Spent: routing.Iterations(300)})
	require.NoError(t, err)
	require.Len(t, left, 2, "there is no time to load again")
	require.Len(t, route, 6)
	for _, r := range left {
		require.Less(t, r, 5)
	}
}

func BenchmarkJoin(b *testing.B) {
	p := routingtest.Day(seeded(1), 100, 1)
	var all []int
	for r := range p.Requests {
		all = append(all, r)
	}
	for b.Loop() {
		_, _, err := routing.Join(p, 0, nil, all, routing.Options{Seed: 1, Spent: routing.Iterations(1000)})
		require.NoError(b, err)
	}
}
