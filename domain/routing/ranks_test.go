package routing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
)

// TestNeighborsAreThoseOfTheVehiclesThatMayServeThem has a bike for which
// places in a pedestrian zone are near, and trucks for which they are far. Only
// trucks may serve the orders.
func TestNeighborsAreThoseOfTheVehiclesThatMayServeThem(t *testing.T) {
	t.Parallel()
	const places, bike, truck = 4, 1, 2
	matrix := func(zone, road int32) routing.Travel {
		travel := routing.Travel{Places: places}
		for a := range places {
			for b := range places {
				leg := routing.Leg{Seconds: 9000}
				switch {
				case a == b:
					leg.Seconds = 0
				case a+b == 1+2: // through the zone
					leg.Seconds = zone
				case a+b == 1+3: // by road
					leg.Seconds = road
				}
				travel.Legs = append(travel.Legs, leg)
			}
		}
		return travel
	}
	p := &routing.Problem{
		Travel:    []routing.Travel{matrix(60, 5000), matrix(5000, 60)},
		Objective: routing.Objective{Shift: routing.FewestShifts, Second: 100},
	}
	for r := range 3 {
		p.Requests = append(p.Requests, routing.Request{
			Pickup: routing.Stop{Closes: 36_000}, Delivery: routing.Stop{Place: r + 1, Closes: 36_000},
			VehicleType: truck, Penalty: routing.Planned,
		})
	}
	p.Shifts = []routing.Shift{
		{Profile: 0, End: 36_000, Serves: []int{bike}, Capacity: routing.Load{10, 10, 10}},
		{Profile: 1, End: 36_000, Serves: []int{truck}, Capacity: routing.Load{10, 10, 10}},
	}
	require.NoError(t, p.Validate())
	near, like := routing.Nearest(p, 0)
	require.Equal(t, 2, near)
	require.Equal(t, 2, like)
}
