package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

// was is a stop at which a driver was.
func was(status driving.StopStatus, at time.Time) driving.StopStanding {
	return driving.StopStanding{Status: status, Arrived: at, Ended: at}
}

// starts is where the shift of the first driver begins.
func starts(draft *planning.Draft) planning.Point { return draft.Points[draft.Problem.Shifts[0].From] }

// TestFailedPickupRemovesTheDeliveryFromTheRoute checks that the delivery adds no
// place, no kilometers, and no finished stop.
func TestFailedPickupRemovesTheDeliveryFromTheRoute(t *testing.T) {
	t.Parallel()
	a, b := carried(1, order.Failed, 59.91, 60.31), carried(2, order.Planned, 59.92, 59.93) // 44 km north
	a.Pickup.Standing = was(driving.StopFailed, hm(8, 5))
	a.Delivery.Standing = driving.StopStanding{Status: driving.StopDropped}
	day := aDay(8, []planning.Order{a, b}, unpaused(1))
	day.Now = hm(8, 10)
	day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: clock(12), Stops: []planning.Placed{
		planned(&a, order.Pickup, hm(8, 0)), planned(&b, order.Pickup, hm(8, 30)),
		planned(&b, order.Delivery, hm(8, 50)), planned(&a, order.Delivery, hm(10, 0)),
	}}}
	draft, s := solve(t, day, 100)
	require.Equal(t, *a.Pickup.Point, starts(draft))
	require.EqualValues(t, 250_000-6_000, draft.Problem.Shifts[0].MaxMeters, "what was driven counts")
	require.Nil(t, of(s, 1, 1, order.Delivery))
	require.NotNil(t, of(s, 1, 1, order.Pickup), "he was there")
	require.Less(t, of(s, 1, 2, order.Pickup).Starts.Sub(day.Now), 5*time.Minute)
	diff := day.Difference(s)
	require.Equal(t, []int64{1}, diff.GoneStops)
	for _, c := range diff.Orders {
		require.NotEqual(t, int64(1), c.OrderID, "nobody hears of it")
	}
	commit(&day, s)
	_, again := solve(t, day, 100)
	require.Equal(t, s.Routes[0].Stops[0], again.Routes[0].Stops[0])
}

// outOfSequence is a driver who delivered the second order first, far away, and the
// first one after that.
func outOfSequence() planning.Day {
	a, b := carried(1, order.Delivered, 59.91, 59.92), carried(2, order.Delivered, 59.91, 60.31)
	c := carried(3, order.PickedUp, 59.91, 59.93)
	for i, o := range []*planning.Order{&a, &b, &c} {
		o.Pickup.Standing = was(driving.StopCompleted, hm(8, 5*i))
	}
	a.Delivery.Standing, b.Delivery.Standing = was(driving.StopCompleted, hm(10, 5)), was(driving.StopCompleted, hm(9, 0))
	day := aDay(10, []planning.Order{a, b, c}, unpaused(1))
	day.Now = hm(10, 10)
	day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: clock(12), Stops: []planning.Placed{
		planned(&a, order.Pickup, hm(8, 0)), planned(&b, order.Pickup, hm(8, 5)), planned(&c, order.Pickup, hm(8, 10)),
		planned(&a, order.Delivery, hm(8, 50)), planned(&b, order.Delivery, hm(9, 40)),
		planned(&c, order.Delivery, hm(11, 0)),
	}}}
	return day
}

// TestLastVisitedStopCounts checks that the last stop visited counts, not
// the last one planned.
func TestLastVisitedStopCounts(t *testing.T) {
	t.Parallel()
	day := outOfSequence()
	draft, s := solve(t, day, 100)
	require.Equal(t, *day.Orders[0].Delivery.Point, starts(draft))
	stops := s.Routes[0].Stops
	require.Equal(t, []int64{1, 2, 3, 2, 1, 3}, []int64{
		stops[0].OrderID, stops[1].OrderID, stops[2].OrderID, stops[3].OrderID, stops[4].OrderID, stops[5].OrderID,
	})
	require.Less(t, stops[5].Driving, 3*time.Minute)
	require.InDelta(t, 44_500*1.3, stops[3].Meters, 1_000, "the way that he drove, as far as anybody can say")
	require.InDelta(t, 43_400*1.3, stops[4].Meters, 1_000)
	commit(&day, s)
	_, again := solve(t, day, 100)
	require.Equal(t, stops[:5], again.Routes[0].Stops[:5], "it is said once")
}

// TestLaterPositionOfDriverCounts checks that a later position counts when the driver is
// heading for no open stop.
func TestLaterPositionOfDriverCounts(t *testing.T) {
	t.Parallel()
	day := outOfSequence()
	day.Orders[2].Status, day.Orders[2].DriverID = order.Delivered, 1
	day.Orders[2].Delivery.Standing = was(driving.StopCompleted, hm(10, 6))
	day.Routes[0].Seen = driving.Where{Latitude: 59.97, Longitude: 10.75, At: hm(10, 9)}
	draft, _ := solve(t, day, 10)
	require.Equal(t, planning.Point{Latitude: 59.97, Longitude: 10.75}, starts(draft))
	day.Routes[0].Seen.At = hm(10, 4)
	draft, _ = solve(t, day, 10)
	require.Equal(t, *day.Orders[2].Delivery.Point, starts(draft), "he has been somewhere since")
	day.Routes[0].Seen.At, day.Now = hm(10, 9), hm(11, 0)
	draft, _ = solve(t, day, 10)
	require.Equal(t, *day.Orders[2].Delivery.Point, starts(draft), "that was long ago")
}

// TestGoodsOfACancelledOrderAreStillOnBoard, and its pickup is where the driver was.
func TestGoodsOfACancelledOrderAreStillOnBoard(t *testing.T) {
	t.Parallel()
	a, b := carried(1, order.Cancelled, 60.3, 60.31), carried(2, order.Registered, 59.91, 59.92)
	a.Away, b.DriverID = true, 0
	a.Load, b.Load = routing.Load{1_000_000, 0, 0}, routing.Load{300_000, 0, 0}
	a.Pickup.Standing = was(driving.StopCompleted, hm(8, 5))
	day := aDay(8, []planning.Order{a, b}, unpaused(1)) // whose vehicle takes 1,200 kg
	day.Now = hm(8, 10)
	day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: clock(12), Stops: []planning.Placed{
		planned(&a, order.Pickup, hm(8, 0)), planned(&a, order.Delivery, hm(9, 0)),
	}}}
	for range 2 {
		draft, s := solve(t, day, 50)
		require.Equal(t, *a.Pickup.Point, starts(draft))
		require.EqualValues(t, 200_000, draft.Problem.Shifts[0].Capacity[0])
		require.Nil(t, of(s, 1, 1, order.Delivery), "nobody goes there")
		require.NotNil(t, of(s, 1, 1, order.Pickup))
		require.Len(t, s.Unplanned, 1)
		require.Equal(t, planning.TooHeavy, s.Unplanned[0].Reasons[0].Code)
		commit(&day, s)
		require.EqualValues(t, 1, day.Orders[0].DriverID, "he has it")
	}
	day.Orders[0].Pickup.Standing.Status = driving.StopPending
	day.Orders[0].Pickup.Standing.Arrived, day.Orders[0].Pickup.Standing.Ended = time.Time{}, time.Time{}
	draft, _ := solve(t, day, 10)
	require.EqualValues(t, 1_200_000, draft.Problem.Shifts[0].Capacity[0], "nobody has picked it up")
}
