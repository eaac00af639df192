package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/domain/planning"
)

// deliveries are so many orders from one depot to one place, at which each takes half an hour.
func deliveries(count int) []planning.Order {
	var all []planning.Order
	for id := range count {
		o := anOrder(int64(id + 1))
		o.Pickup.Service, o.Delivery.Service = 0, 30*time.Minute
		o.Load = planning.LoadOf(1, 0.001, 1)
		all = append(all, o)
	}
	return all
}

// ordersOf counts the orders of each route.
func ordersOf(s planning.Solution) (counts []int) {
	for i := range s.Routes {
		counts = append(counts, len(s.Routes[i].Stops)/2)
	}
	return counts
}

// TestWorkIsSpreadOverDrivers has the example of the guide.
func TestWorkIsSpreadOverDrivers(t *testing.T) {
	t.Parallel()
	day := aDay(6, deliveries(6), aDriver(1), aDriver(2))
	_, s := paid(t, day)
	require.Equal(t, []int{6}, ordersOf(s), "as few shifts as possible")
	require.Zero(t, s.Routes[0].Costs.Balance)

	day.Costs.BalanceHoursPrice = amount(5)
	draft, s := paid(t, day)
	require.Zero(t, draft.Problem.Objective.Shift)
	require.Equal(t, []int{3, 3}, ordersOf(s))
	for i := range s.Routes {
		require.Equal(t, 100*time.Minute, s.Routes[i].Ends.Sub(s.Routes[i].Starts))
		require.EqualValues(t, 833, s.Routes[i].Costs.Balance)
	}

	day.Costs.BalanceHoursPrice = amount(0.1)
	_, s = paid(t, day)
	require.Equal(t, []int{6}, ordersOf(s), "the way of another driver costs more")

	day.Costs.BalanceHoursPrice, day.Costs.BalanceOrdersPrice = nil, amount(2)
	_, s = paid(t, day)
	require.Equal(t, []int{3, 3}, ordersOf(s))
	require.EqualValues(t, 2*60*3*3, s.Routes[0].Costs.Balance)

	day.Costs.PerHour = amount(540)
	_, s = paid(t, day)
	require.Equal(t, []int{3, 3}, ordersOf(s))
	require.EqualValues(t, 100*9*2*3*3, s.Routes[0].Costs.Balance, "a minute is worth 9.00")
}

// TestWorkThatIsDoneCounts gives the next order to the driver who has done less.
func TestWorkThatIsDoneCounts(t *testing.T) {
	t.Parallel()
	day := aDay(6, deliveries(2), aDriver(1), aDriver(2))
	day.Costs.BalanceOrdersPrice, day.Costs.BalanceHoursPrice = amount(20), amount(1)
	day.Drivers = day.Drivers[:1]
	_, s := paid(t, day)
	require.Equal(t, []int{2}, ordersOf(s))
	was := *s.Routes[0].Costs
	commit(&day, s)
	for i := range s.Routes[0].Stops {
		stop := &s.Routes[0].Stops[i]
		for n := range day.Orders {
			if o := &day.Orders[n]; o.ID == stop.OrderID && stop.Kind == order.Pickup {
				o.Status, o.Pickup.Standing = order.PickedUp, served(stop.Arrives, stop.Leaves)
			} else if o.ID == stop.OrderID {
				o.Status, o.Delivery.Standing = order.Delivered, served(stop.Arrives, stop.Leaves)
			}
		}
	}
	last := s.Routes[0].Stops[3]
	more := deliveries(3)[2]
	more.Delivery.Window.Latest = clock(15)
	more.Pickup.Point = &lillestrom // where the first one is
	more.Pickup.Window = order.Window{Earliest: last.Leaves, Latest: clock(14)}
	day.Now, day.Orders = last.Leaves, append(day.Orders, more)
	day.Routes[0].Costs = nil
	_, s = paid(t, day)
	require.Len(t, s.Routes, 1)
	require.Len(t, s.Routes[0].Stops, 6)
	require.Greater(t, s.Routes[0].Costs.Balance, was.Balance)
	hours := s.Routes[0].Ends.Sub(s.Routes[0].Starts).Hours()
	require.InDelta(t, 60*(20*3*3+hours*hours), s.Routes[0].Costs.Balance, 1, "the whole day")

	day.Drivers, day.Costs.BalanceHoursPrice = append(day.Drivers, aDriver(2)), nil
	_, s = paid(t, day)
	require.Equal(t, []int{2, 1}, ordersOf(s), "the other one has had nothing to do")
}
