package routing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/routing"
)

// onALine is a problem with places on a line, a second and a meter apart: two vehicles at 0, and an order at each of
// some places, which is on board at no time.
func onALine(places int, orders ...int) *routing.Problem {
	legs := make([]routing.Leg, places*places)
	for a := range places {
		for b := range places {
			far := int32(max(a-b, b-a))
			legs[a*places+b] = routing.Leg{Seconds: far, Meters: far}
		}
	}
	p := &routing.Problem{Travel: []routing.Travel{{Places: places, Legs: legs}}}
	p.Objective = routing.Objective{Shift: routing.FewestShifts, Second: 1}
	for range 2 {
		p.Shifts = append(p.Shifts, routing.Shift{End: 1 << 20, Capacity: routing.Load{100, 100, 100}})
	}
	for _, at := range orders {
		stop := routing.Stop{Place: at, Closes: 1 << 20}
		p.Requests = append(p.Requests, routing.Request{Pickup: stop, Delivery: stop, Penalty: routing.Planned})
	}
	return p
}

// routes are visits of whole requests, one route a shift.
func routes(of ...[]int) (plan routing.Plan) {
	for _, requests := range of {
		var route []routing.Visit
		for _, r := range requests {
			route = append(route, routing.PickupOf(r), routing.DeliveryOf(r))
		}
		plan.Routes = append(plan.Routes, route)
	}
	return plan
}

func TestWorthwhileKeepsWhatSavesTooLittle(t *testing.T) {
	t.Parallel()
	p := onALine(11, 2, 4, 10)
	kept, better := routes([]int{1, 0, 2}, nil), routes([]int{0, 1, 2}, nil) // 4 seconds less
	p.Before = kept
	require.Equal(t, better, routing.Worthwhile(p, kept, better, 4))
	require.Equal(t, kept, routing.Worthwhile(p, kept, better, 5))
	require.Equal(t, better, routing.Worthwhile(p, better, kept, 0), "a longer way is not worth it")
}

func TestWorthwhileJudgesRoutesThatExchangeRequestsTogether(t *testing.T) {
	t.Parallel()
	p := onALine(11, 2, 10, 9, 3)
	kept, better := routes([]int{0, 1}, []int{2, 3}), routes([]int{0, 3}, []int{2, 1}) // 14 seconds less, and 2 more
	p.Before = kept
	require.Equal(t, better, routing.Worthwhile(p, kept, better, 12))
	require.Equal(t, kept, routing.Worthwhile(p, kept, better, 13))
}

func TestWorthwhilePlansMore(t *testing.T) {
	t.Parallel()
	p := onALine(11, 2, 10)
	one, both := routes([]int{0}, nil), routes([]int{1, 0}, nil)
	p.Before = one
	require.Equal(t, both, routing.Worthwhile(p, one, both, 1<<40))
	require.Equal(t, both, routing.Worthwhile(p, both, one, 0))
}

func TestWorthwhileDoesNotCountShiftsThatHaveARoute(t *testing.T) {
	t.Parallel()
	p := onALine(11, 10, 9)
	two, one := routes([]int{0}, []int{1}), routes([]int{0, 1}, nil) // 18 seconds less
	p.Before = two
	require.Equal(t, one, routing.Worthwhile(p, two, one, 18))
	require.Equal(t, two, routing.Worthwhile(p, two, one, 19), "a driver less is no saving")
	p.Before = routes([]int{0}, nil)
	require.Equal(t, one, routing.Worthwhile(p, two, one, 1<<30), "the other driver was not announced")
}
