package planning_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

// tightDay returns a day with more orders than its drivers can carry out, some of
// them impossible.
func tightDay(rng *rand.Rand, orders, drivers int) planning.Day {
	var all []planning.Order
	for i := range orders {
		o := anOrder(int64(i + 1))
		o.Pickup, o.Delivery = spot(59.8+rng.Float64()/4), spot(59.8+rng.Float64()/2)
		o.Delivery.Window.Latest = clock(9 + rng.IntN(6))
		o.Pickup.Window = order.Window{Earliest: clock(7), Latest: clock(8 + rng.IntN(3))}
		if rng.IntN(4) == 0 {
			o.Needs = []int64{3}
		}
		all = append(all, o)
	}
	var who []planning.Driver
	for k := range drivers {
		d := aDriver(int64(k + 1))
		d.Hours.Ends = order.Clock(600 + rng.IntN(300))
		who = append(who, d)
	}
	return aDay(6, all, who...)
}

// drafted is a draft with travel times that keeps reasons.
func drafted(day planning.Day, keep *planning.Reasons) *planning.Draft {
	draft := day.Draft()
	draft.Reasons = keep
	for range draft.Profiles {
		draft.Problem.Travel = append(draft.Problem.Travel, roads(draft.Points))
	}
	draft.Hasten()
	return draft
}

// TestCachedReasonsEqualComputedOnes changes a day and its plan step by
// step and compares the remembered reasons with fresh ones.
func TestCachedReasonsEqualComputedOnes(t *testing.T) {
	t.Parallel()
	left := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 7))
		day, keep := tightDay(rng, 40, 3), planning.NewReasons()
		keep.Budget = time.Hour
		for range 6 {
			draft := drafted(day, keep)
			r, err := routing.Improve(&draft.Problem, draft.Present, routing.Options{Seed: seed, Spent: routing.Iterations(10)})
			require.NoError(t, err)
			kept := draft.Solution(r.Plan, time.Second)
			draft.Reasons = planning.NewReasons()
			draft.Reasons.Budget = time.Hour
			require.Equal(t, draft.Solution(r.Plan, time.Second), kept, "seed %d", seed)
			left += len(kept.Unplanned)
			day.Routes, day.Unplanned = kept.Routes, kept.Unplanned
			change(rng, &day)
		}
	}
	require.Greater(t, left, 500)
}

// change alters an order, a driver, or the hour.
func change(rng *rand.Rand, day *planning.Day) {
	o, d := &day.Orders[rng.IntN(len(day.Orders))], &day.Drivers[rng.IntN(len(day.Drivers))]
	switch rng.IntN(6) {
	case 0:
		o.Delivery.Window.Latest = o.Delivery.Window.Latest.Add(time.Hour)
	case 1:
		o.Needs = []int64{99}
	case 2:
		d.Hours.Ends += 30
	case 3:
		o.Prohibited = []int64{d.ID}
	case 4:
		day.Now = day.Now.Add(20 * time.Minute)
	case 5:
		d.Pace = randomPace(rng)
	}
}

// TestReasonsAreComputedOnce counts the questions.
func TestReasonsAreComputedOnce(t *testing.T) {
	t.Parallel()
	day, keep := tightDay(rand.New(rand.NewPCG(1, 7)), 60, 3), planning.NewReasons()
	draft := drafted(day, keep)
	r, err := routing.Improve(&draft.Problem, draft.Present, routing.Options{Seed: 1, Spent: routing.Iterations(10)})
	require.NoError(t, err)
	s := draft.Solution(r.Plan, time.Second)
	first, left := keep.Asked, len(s.Unplanned)
	require.Greater(t, left, 10)
	require.GreaterOrEqual(t, first, 3*left)
	draft.Solution(r.Plan, time.Second)
	drafted(day, keep).Solution(r.Plan, time.Second)
	require.Equal(t, first, keep.Asked, "nothing has changed")
	day.Drivers[0].Hours.Ends += 10
	draft = drafted(day, keep)
	draft.Solution(r.Plan, time.Second)
	require.LessOrEqual(t, keep.Asked-first, 2*left, "one driver, and proofs")
}
