package routing_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// TestOwedVisitsStayOnTheirRoute checks that no step of a search drops owed visits,
// in problems where many of them are late.
func TestOwedVisitsStayOnTheirRoute(t *testing.T) {
	t.Parallel()
	owed, late := 0, 0
	for seed := range 1_500 {
		rng := seeded(seed)
		p := routingtest.Small(rng, 10, 4)
		routingtest.Owe(rng, p)
		drivable(p)
		if seed%3 == 0 {
			routingtest.Visit(rng, p)
		}
		if seed%6 == 0 {
			routingtest.Maneuver(seeded(seed+1), p)
		}
		require.NoError(t, p.Validate(), "seed %d", seed)
		constant := routing.Constant(p)
		for _, known := range []routing.Plan{p.Before, {}} {
			routing.Steps(p, known, uint64(seed), 25, func(total int64, plan routing.Plan, measured bool) {
				require.Empty(t, routing.Broken(p, plan), "seed %d", seed)
				require.Equal(t, routing.Price(p, plan).Total, total+constant, "seed %d", seed)
				require.True(t, measured, "seed %d", seed)
			})
		}
		result, err := routing.Improve(p, p.Before, routing.Options{Seed: 1, Spent: routing.Iterations(30)})
		require.NoError(t, err)
		require.Empty(t, routing.Broken(p, result.Plan), "seed %d", seed)
		for k, shift := range p.Shifts {
			owed += len(shift.Owed)
			for _, v := range shift.Owed {
				require.Contains(t, result.Plan.Routes[k], v, "seed %d", seed)
			}
		}
		for _, v := range routing.Check(p, result.Plan) {
			if v.Code == routing.Late && !slices.Contains(p.Shifts[v.Shift].Frozen, routing.DeliveryOf(v.Request)) {
				late++
			}
		}
	}
	require.Greater(t, owed, 500)
	require.Greater(t, late, 100)
}

// drivable limits every leg to an hour and a half, because unreachable visits
// cannot be owed.
func drivable(p *routing.Problem) {
	for _, travel := range p.Travel {
		for i := range travel.Legs {
			travel.Legs[i].Seconds = min(travel.Legs[i].Seconds, 5400)
		}
	}
}

// line is a problem with a shift that has requests on board, and places a minute
// apart on a line.
func line(closes ...int64) *routing.Problem {
	p := &routing.Problem{Objective: routing.Objective{Shift: routing.FewestShifts, Second: 100}}
	places := len(closes) + 1
	travel := routing.Travel{Places: places}
	for a := range places {
		for b := range places {
			travel.Legs = append(travel.Legs, routing.Leg{Seconds: int32(60 * max(a-b, b-a))})
		}
	}
	p.Travel = []routing.Travel{travel}
	shift := routing.Shift{End: 3600, Capacity: routing.Load{10, 10, 10}}
	for r, latest := range closes {
		p.Requests = append(p.Requests, routing.Request{
			Pickup: routing.Stop{Closes: 3600}, Delivery: routing.Stop{Place: r + 1, Closes: latest}, Penalty: routing.Planned,
		})
		shift.OnBoard = append(shift.OnBoard, r)
		shift.Owed = append(shift.Owed, routing.DeliveryOf(r))
	}
	p.Shifts = []routing.Shift{shift}
	return p
}

// TestLatenessOfOwedVisitsHasAPrice checks that late owed visits stay with the
// least delay, and that no other visit increases it.
func TestLatenessOfOwedVisitsHasAPrice(t *testing.T) {
	t.Parallel()
	p := line(3600, 30)
	p.Requests = append(p.Requests, routing.Request{
		Pickup:   routing.Stop{Place: 1, Closes: 100},
		Delivery: routing.Stop{Place: 1, Closes: 3600}, Penalty: routing.Planned,
	})
	result, err := routing.Improve(p, routing.Plan{}, routing.Options{Seed: 1, Spent: routing.Iterations(200)})
	require.NoError(t, err)
	require.Contains(t, result.Plan.Routes[0], routing.DeliveryOf(1))
	late := []routing.Violation{{Code: routing.Late, Shift: 0, Request: 1, By: 90}}
	require.Equal(t, late, routing.Check(p, result.Plan),
		"it is reached after two minutes whatever comes first")
	require.Empty(t, routing.Broken(p, result.Plan))
}

// TestFinishedShiftDeliversItsLoad checks that the shift's end is extended for
// goods on board, and for nothing else.
func TestFinishedShiftDeliversItsLoad(t *testing.T) {
	t.Parallel()
	p := line(3600)
	p.Shifts[0].Start, p.Shifts[0].End = 4000, 3600
	p.Requests = append(p.Requests, routing.Request{
		Pickup:   routing.Stop{Place: 0, Closes: 9000, ServiceSeconds: 60},
		Delivery: routing.Stop{Place: 1, Closes: 9000}, Penalty: routing.Planned,
	})
	result, err := routing.Improve(p, routing.Plan{}, routing.Options{Seed: 1, Spent: routing.Iterations(200)})
	require.NoError(t, err)
	require.Equal(t, [][]routing.Visit{{routing.DeliveryOf(0)}}, result.Plan.Routes)
	require.Empty(t, routing.Broken(p, result.Plan))
	require.Equal(t, []routing.Violation{{Code: routing.NotDelivered, Shift: 0, Request: 0}},
		routing.Broken(p, routing.Plan{Routes: [][]routing.Visit{nil}}), "it cannot be left out")
}
