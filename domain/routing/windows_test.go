package routing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// TestSmallProblemsWithSpansAreSolvedOptimally has stops where no service begins for a while.
func TestSmallProblemsWithSpansAreSolvedOptimally(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 500, func(seed int) *routing.Problem {
		rng := seeded(seed)
		p := routingtest.Small(rng, 4, 3)
		if seed%2 == 0 {
			routingtest.Visit(rng, p)
		}
		routingtest.Close(rng, p)
		return p
	})
}

// lunch is a route of two deliveries, of which the second is closed from 12:00 until 13:00.
func lunch() *routing.Problem {
	const minute, hour = 60, 3_600
	travel := routing.Travel{Places: 3, Legs: make([]routing.Leg, 9)}
	for i := range travel.Legs {
		if i%4 > 0 {
			travel.Legs[i] = routing.Leg{Seconds: 20 * minute, Meters: 15_000}
		}
	}
	deliver := func(place int, opens, closes int64, closed ...routing.Span) routing.Request {
		return routing.Request{
			Pickup:   routing.Stop{Place: 0, Closes: 20 * hour, ServiceSeconds: 5 * minute},
			Delivery: routing.Stop{Place: place, Opens: opens, Closes: closes, ServiceSeconds: 10 * minute, Closed: closed},
			Load:     routing.Load{1}, Penalty: routing.Planned,
		}
	}
	return &routing.Problem{
		Travel: []routing.Travel{travel}, Objective: routing.Objective{Shift: routing.FewestShifts, Second: 100, Waiting: 10},
		Requests: []routing.Request{
			deliver(1, 11*hour+30*minute, 12*hour+30*minute),
			deliver(2, 8*hour, 16*hour, routing.Span{From: 12 * hour, Until: 13 * hour}),
		},
		Shifts: []routing.Shift{{Start: 11*hour + 10*minute, End: 17 * hour, Capacity: routing.Load{5}}},
	}
}

// TestNoServiceBeginsInASpan waits until lunch is over, and would rather not.
func TestNoServiceBeginsInASpan(t *testing.T) {
	t.Parallel()
	p := lunch()
	behind := []routing.Visit{routing.PickupOf(0), routing.PickupOf(1), routing.DeliveryOf(0), routing.DeliveryOf(1)}
	waits := p.Timetable(0, behind).Stops[3]
	require.EqualValues(t, 13*3_600, waits.Starts, "the driver arrives at ten past twelve, and waits")
	result, err := routing.Improve(p, routing.Frozen(p), routing.Options{Seed: 1, Spent: routing.Iterations(200)})
	require.NoError(t, err)
	require.Empty(t, routing.Check(p, result.Plan))
	at := p.Timetable(0, result.Plan.Routes[0])
	require.Equal(t, routing.DeliveryOf(1), at.Stops[2].Visit, "lunch is avoided")
	require.Zero(t, at.Waiting)
	require.LessOrEqual(t, at.Stops[2].Starts, int64(12*3_600))
	require.LessOrEqual(t, at.Stops[2].Starts+at.Stops[2].Slack, int64(12*3_600), "slack ends where lunch begins")
}

// TestSpansAreWithinTheWindow refuses spans that overlap or leave the window.
func TestSpansAreWithinTheWindow(t *testing.T) {
	t.Parallel()
	for _, closed := range [][]routing.Span{
		{{From: 10, Until: 10}},
		{{From: 5, Until: 12}},
		{{From: 15, Until: 31}},
		{{From: 20, Until: 25}, {From: 24, Until: 28}},
		make([]routing.Span, routing.MostClosed+1),
	} {
		p := lunch()
		p.Requests[0].Delivery.Opens, p.Requests[0].Delivery.Closes, p.Requests[0].Delivery.Closed = 10, 30, closed
		require.Error(t, p.Validate(), "%v", closed)
	}
}
