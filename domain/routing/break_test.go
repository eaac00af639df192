package routing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
)

// TestBreakDoesNotDelayFrozenStops if it can as well be taken behind the stop.
func TestBreakDoesNotDelayFrozenStops(t *testing.T) {
	t.Parallel()
	p := line(600, 7200)
	shift := &p.Shifts[0]
	shift.End, shift.Owed = 36_000, nil
	shift.Break = routing.Break{Latest: 5400, Seconds: 1800}
	shift.Frozen = []routing.Visit{routing.DeliveryOf(0)}
	for r := range p.Requests {
		p.Requests[r].Delivery.ServiceSeconds = 3600
	}
	route := []routing.Visit{routing.DeliveryOf(0), routing.DeliveryOf(1)}
	at := p.Timetable(0, route)
	require.True(t, at.Holds)
	require.EqualValues(t, 60, at.Stops[0].Starts)
	require.EqualValues(t, 3660, at.BreakStarts)
	require.Empty(t, routing.Check(p, routing.Plan{Routes: [][]routing.Visit{route}}))
}
