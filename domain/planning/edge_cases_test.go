package planning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

// TestExcessiveWeightDoesNotPreventPlanning checks that the load on board counts at most as the
// vehicle's capacity, and that an order too heavy for every vehicle is reported.
func TestExcessiveWeightDoesNotPreventPlanning(t *testing.T) {
	t.Parallel()
	one := unpaused(1)
	one.Vehicle.MaxWeightKg = nil
	a, b := carried(1, order.PickedUp, 59.91, 59.92), carried(2, order.PickedUp, 59.91, 59.93)
	c := carried(3, order.Registered, 59.91, 59.94)
	absurd := carried(4, order.Registered, 59.91, 59.92)
	a.Load, b.Load = planning.LoadOf(800_000, 0, 1), planning.LoadOf(800_000, 0, 1) // grams as kilograms
	absurd.Load = planning.LoadOf(1e12, 0, 1)
	c.DriverID, absurd.DriverID = 0, 0
	_, s := solve(t, aDay(8, []planning.Order{a, b, c, absurd}, one), 50)
	for id := range int64(3) {
		require.NotNil(t, of(s, 1, id+1, order.Delivery))
	}
	require.Len(t, s.Unplanned, 1)
	require.Equal(t, planning.LoadOutOfRange, s.Unplanned[0].Reasons[0].Code)
}

// TestOrderBegunElsewhereIsReported, and the rest is planned.
func TestOrderBegunElsewhereIsReported(t *testing.T) {
	t.Parallel()
	by, elsewhere := carried(1, order.PickedUp, 59.91, 59.92), carried(2, order.AtPickup, 59.91, 59.93)
	open := carried(3, order.Registered, 59.91, 59.94)
	by.DriverID, elsewhere.DriverID, open.DriverID = 0, 99, 0
	day := aDay(8, []planning.Order{by, elsewhere, open}, unpaused(1))
	_, s := solve(t, day, 50)
	require.NotNil(t, of(s, 1, 3, order.Delivery))
	why := map[int64]planning.Reason{}
	for _, u := range s.Unplanned {
		require.Equal(t, planning.Unplannable, u.State)
		why[u.OrderID] = u.Reasons[0].Code
	}
	require.Equal(t, map[int64]planning.Reason{1: planning.NoDriver, 2: planning.BegunElsewhere}, why)
	for _, c := range day.Difference(s).Orders {
		require.EqualValues(t, 3, c.OrderID, "their status is what somebody said")
	}
}

// TestOrderMovedWhileOnBoardStaysWithItsDriver checks this for orders moved to
// another day or area.
func TestOrderMovedWhileOnBoardStaysWithItsDriver(t *testing.T) {
	t.Parallel()
	o := carried(1, order.PickedUp, 59.91, 59.92)
	o.Away = true
	day := aDay(8, []planning.Order{o}, unpaused(1))
	day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: clock(12), Stops: []planning.Placed{
		planned(&o, order.Pickup, hm(7, 30)), planned(&o, order.Delivery, hm(8, 30)),
	}}}
	_, s := solve(t, day, 50)
	require.NotNil(t, of(s, 1, 1, order.Delivery))
}

// TestManyCriticalOrdersMatterMore checks that many critical orders still
// matter more than low ones.
func TestManyCriticalOrdersMatterMore(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1_000, 1_100, 1_900} {
		var orders []planning.Order
		for i := range int64(n) {
			o := anOrder(i + 1)
			o.Delivery.Priority = order.PriorityCritical
			orders = append(orders, o)
		}
		low := anOrder(int64(n) + 1)
		low.Pickup.Priority, low.Delivery.Priority = order.PriorityLow, order.PriorityLow
		draft := aDay(6, append(orders, low), aDriver(1)).Draft()
		sum := int64(0)
		for _, r := range draft.Problem.Requests {
			sum += r.Penalty
		}
		require.LessOrEqual(t, sum, int64(1)<<60)
		require.Equal(t, 64*draft.Problem.Requests[n].Penalty, draft.Problem.Requests[0].Penalty)
		require.Greater(t, draft.Problem.Requests[n].Penalty, 200*routing.FewestShifts, "nobody is left out to save shifts")
	}
}

// TestOneVehicleDrivesOneRouteAtATime checks that of two drivers with the same
// vehicle, one is left out, but not the one who has begun.
func TestOneVehicleDrivesOneRouteAtATime(t *testing.T) {
	t.Parallel()
	one, two := unpaused(1), unpaused(2)
	one.Vehicle.ID, two.Vehicle.ID = 9, 9
	var orders []planning.Order
	for i := range int64(8) {
		o := carried(i+1, order.Registered, 59.91, 59.8+float64(i)*0.05)
		o.DriverID = 0
		o.Pickup.Window.Latest, o.Delivery.Window.Latest = clock(9), clock(9)
		orders = append(orders, o)
	}
	day := aDay(6, orders, one, two)
	require.Equal(t, map[int64]int64{2: 1}, day.Twice())
	_, s := solve(t, day, 200)
	require.Len(t, s.Routes, 1)
	require.EqualValues(t, 1, s.Routes[0].DriverID)

	day.Now = clock(8)
	day.Orders[0].Status, day.Orders[0].DriverID = order.PickedUp, 2
	day.Orders[0].Pickup.Standing = was(driving.StopCompleted, hm(7, 50))
	day.Routes = []planning.Route{{DriverID: 2, VehicleID: 9, Starts: clock(7), Ends: clock(12), Stops: []planning.Placed{
		planned(&day.Orders[0], order.Pickup, hm(7, 50)), planned(&day.Orders[0], order.Delivery, hm(8, 30)),
	}}}
	require.Equal(t, map[int64]int64{1: 2}, day.Twice())
	late := two
	late.Hours.Starts, late.Hours.Ends = 900, 1320
	shifts := aDay(6, nil, one, late)
	require.Empty(t, shifts.Twice(), "one after the other")
	day.Drivers = []planning.Driver{one}
	require.Empty(t, day.Twice())
}

// TestOrderWithAPlaceIsNotUnplanned checks that a plan that lacks new orders does not report them
// wrongly.
func TestOrderWithAPlaceIsNotUnplanned(t *testing.T) {
	t.Parallel()
	comes, never := carried(1, order.Registered, 59.91, 59.95), carried(2, order.Registered, 59.91, 59.95)
	comes.DriverID, never.DriverID, never.Needs = 0, 0, []int64{99}
	for _, drivers := range [][]planning.Driver{{unpaused(1)}, {unpaused(1), short(2)}} {
		draft := drafted(aDay(6, []planning.Order{comes, never}, drivers...), nil)
		s := draft.Solution(draft.Present, 0)
		require.Len(t, s.Unplanned, 1, "the other one waits for its plan")
		require.EqualValues(t, 2, s.Unplanned[0].OrderID)
		require.Equal(t, planning.SkillMissing, s.Unplanned[0].Reasons[0].Code)
	}
}

// short is a driver who works for a quarter of an hour.
func short(id int64) planning.Driver {
	d := unpaused(id)
	d.Hours.Ends = d.Hours.Starts + 15
	return d
}
