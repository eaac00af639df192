package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

// longDay is a driver with a route of so many orders, and an order that requires a
// skill that they lack.
func longDay(orders int) planning.Day {
	var all []planning.Order
	route := planning.Route{DriverID: 1, Starts: clock(7), Ends: clock(15)}
	for i := range orders {
		o := carried(int64(i+1), order.Planned, 59.9+float64(i)/1000, 59.901+float64(i)/1000)
		o.Pickup.Service, o.Delivery.Service = time.Minute, time.Minute
		o.Load = routing.Load{1, 1, 1}
		at := hm(9, 0).Add(time.Duration(i) * 3 * time.Minute)
		route.Stops = append(route.Stops, planned(&o, order.Pickup, at), planned(&o, order.Delivery, at.Add(time.Minute)))
		all = append(all, o)
	}
	asks := carried(int64(orders+1), order.Registered, 59.92, 59.93)
	asks.DriverID, asks.Needs, asks.Load = 0, []int64{77}, routing.Load{1, 1, 1}
	day := aDay(6, append(all, asks), aDriver(1))
	day.Routes, day.Version = []planning.Route{route}, 1
	return day
}

func force(day planning.Day, order int64, ended func() bool) (planning.Rearranged, *planning.Refusal) {
	moves := []planning.Move{{OrderID: order, DriverID: 1}}
	draft := day.Locked(moves, nil).Draft()
	for range draft.Profiles {
		draft.Problem.Travel = append(draft.Problem.Travel, roads(draft.Points))
	}
	return draft.Move(moves, &day, ended)
}

func TestAnOrderIsForcedOntoALongRoute(t *testing.T) {
	t.Parallel()
	day := longDay(80)
	r, refusal := force(day, 81, func() bool { return false })
	require.Nil(t, refusal)
	require.Len(t, r.Plan.Routes[0], 162)
	require.Equal(t, []planning.Break{{OrderID: 81, DriverID: 1, Code: planning.SkillMissing, SkillID: 77}}, r.Breaks)
}

func TestOverrideAppliesToOneDriver(t *testing.T) {
	t.Parallel()
	day := longDay(3)
	moved := &day.Orders[3]
	moved.Prohibited, moved.LockedTo = []int64{1}, 2
	moved.Accept(planning.Accepted{Anyhow: true, DeliveryUntil: hm(20, 0)})
	require.Empty(t, moved.Needs)
	r, refusal := force(day, 4, func() bool { return false })
	require.Nil(t, refusal)
	require.ElementsMatch(t, []planning.Break{
		{OrderID: 4, DriverID: 1, Code: planning.ProhibitedDriver},
		{OrderID: 4, DriverID: 1, Code: planning.SkillMissing, SkillID: 77},
	}, r.Breaks)
	require.Equal(t, planning.Accepted{Anyhow: true}, r.Accepted[4])
	require.Empty(t, moved.Needs, "the day stays as it was")
}

func TestMovesEndWhenTheirTimeIsOver(t *testing.T) {
	t.Parallel()
	_, refusal := force(longDay(3), 4, func() bool { return true })
	require.Equal(t, planning.TooLong, refusal.Reason)
}

func BenchmarkForcedMove(b *testing.B) {
	day := longDay(80)
	for b.Loop() {
		force(day, 81, func() bool { return false })
	}
}
