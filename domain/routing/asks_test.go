package routing_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// asks are the rules that orders may ask for, and vehicles that take longer to set up.
var asks = []func(*rand.Rand, *routing.Problem){
	routingtest.Due, routingtest.LimitAboard, routingtest.Part, routingtest.LoadMore, routingtest.Close,
	routingtest.Maneuver,
}

func asking(seed int, rules ...func(*rand.Rand, *routing.Problem)) *routing.Problem {
	rng := seeded(seed)
	p := routingtest.Small(rng, 4, 3)
	if seed%2 == 0 {
		routingtest.Visit(rng, p)
	}
	for _, rule := range rules {
		rule(rng, p)
	}
	return p
}

func TestSmallProblemsWithPricesOfLatenessAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 500, func(seed int) *routing.Problem { return asking(seed, routingtest.Due) })
}

func TestSmallProblemsWithTimesOnBoardAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 500, func(seed int) *routing.Problem { return asking(seed, routingtest.LimitAboard) })
}

func TestSmallProblemsWithGoodsApartAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 500, func(seed int) *routing.Problem { return asking(seed, routingtest.Part) })
}

func TestSmallProblemsWithFurtherLoadsAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 500, func(seed int) *routing.Problem { return asking(seed, routingtest.LoadMore) })
}

func TestSmallProblemsWithAllAsksAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 1_000, func(seed int) *routing.Problem { return asking(seed, asks...) })
}

// evenly is a shift with four deliveries, each a minute before it closes, and two requests that would have
// to be delivered first.
func evenly() (*routing.Problem, routing.Plan) {
	travel := routing.Travel{Places: 6, Legs: make([]routing.Leg, 36)}
	for i := range travel.Legs {
		if i%7 > 0 {
			travel.Legs[i].Seconds = 600
		}
	}
	p := &routing.Problem{
		Travel: []routing.Travel{travel}, Objective: routing.Objective{Shift: routing.FewestShifts, Second: 100},
		Shifts: []routing.Shift{{End: 80_000, Capacity: routing.Load{10}}},
	}
	add := func(place int, closes, service int64) {
		p.Requests = append(p.Requests, routing.Request{
			Delivery: routing.Stop{Place: place, Closes: closes, ServiceSeconds: service},
			Load:     routing.Load{1}, Penalty: routing.Planned,
		})
	}
	plan := routing.Plan{Routes: make([][]routing.Visit, 1)}
	for n := range 4 {
		add(n+1, 660+900*int64(n), 300)
		plan.Routes[0] = append(plan.Routes[0], routing.PickupOf(n))
	}
	for n := range 4 {
		plan.Routes[0] = append(plan.Routes[0], routing.DeliveryOf(n))
	}
	add(5, 650, 300)
	add(5, 650, 0)
	return p, plan
}

// TestMoreFitIfOthersAreLate finds out how late the others would be.
func TestMoreFitIfOthersAreLate(t *testing.T) {
	t.Parallel()
	p, plan := evenly()
	require.Empty(t, routing.Broken(p, plan))
	helps := map[routing.Change]routing.WhatIf{}
	for _, what := range routing.NewExplainer(p, plan).WhatIf(4, nil, nil) {
		helps[what.Change] = what
	}
	late := helps[routing.LateVisits]
	require.EqualValues(t, 840, late.Seconds)
	require.Equal(t, 2, late.Serves)
	require.Equal(t, 4, late.Late)
	require.Empty(t, late.Plan.Unplanned(6))
	require.Empty(t, routing.Broken(late.Problem, late.Plan))
}

// TestLatenessHasAPrice lets visits be late where that is cheaper than another way.
func TestLatenessHasAPrice(t *testing.T) {
	t.Parallel()
	for _, price := range []int64{1, 1_000} {
		p, plan := evenly()
		for r := range 4 {
			stop := &p.Requests[r].Delivery
			stop.Due, stop.LatePrice = stop.Closes, price
			stop.Closes += 900
		}
		p.Requests[4].Penalty, p.Requests[5].Penalty = 500_000, 500_000
		result, err := routing.Improve(p, plan, routing.Options{Seed: 1, Spent: routing.Iterations(300)})
		require.NoError(t, err)
		require.Empty(t, routing.Broken(p, result.Plan))
		require.Equal(t, routing.Price(p, result.Plan).Total, result.Cost.Total)
		if price == 1 {
			require.Empty(t, result.Plan.Unplanned(6), "four times 840 seconds cost little")
			require.EqualValues(t, 4*840, result.Cost.Lateness)
			continue
		}
		require.Len(t, result.Plan.Unplanned(6), 2, "nobody is late at that price")
		require.Zero(t, result.Cost.Lateness)
	}
}

// TestGoodsWaitToBePickedUp picks up late what may not be on board for long.
func TestGoodsWaitToBePickedUp(t *testing.T) {
	t.Parallel()
	p, _ := evenly()
	p.Requests = p.Requests[:1]
	p.Requests[0].Pickup = routing.Stop{Place: 0, Closes: 9_000, ServiceSeconds: 60}
	p.Requests[0].Delivery.Opens, p.Requests[0].Delivery.Closes = 5_000, 6_000
	p.Requests[0].MaxAboard = 900
	visits := []routing.Visit{routing.PickupOf(0), routing.DeliveryOf(0)}
	p.Shifts[0].MaxSeconds, p.Shifts[0].From = 0, 1
	at := p.Timetable(0, visits)
	require.True(t, at.Holds)
	require.LessOrEqual(t, at.Stops[1].Starts-at.Stops[0].Leaves, int64(900))
	p.Requests[0].MaxAboard = 599
	require.False(t, p.Timetable(0, visits).Holds)
	broken := routing.Broken(p, routing.Plan{Routes: [][]routing.Visit{visits}})
	require.Len(t, broken, 1)
	require.Equal(t, routing.TooLongAboard, broken[0].Code)
	why := routing.NewExplainer(p, routing.Frozen(p)).Why(0)
	require.True(t, why.Proven)
	require.Equal(t, routing.TooLongAboard, why.Shifts[0].Code)
}
