package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/planning"
)

// morning returns a day of one driver whose break begins by half past twelve. The morning's work ends at
// a time, and an order of two hours follows.
func morning(ends, now time.Time) planning.Day {
	done, comes := carried(1, order.Delivered, 59.91, 59.92), carried(2, order.Registered, 59.93, 60.5)
	done.Pickup.Standing = served(hm(10, 50), ends.Add(-15*time.Minute))
	done.Delivery.Standing = served(ends.Add(-5*time.Minute), ends)
	comes.DriverID, comes.Pickup.Window.Latest, comes.Delivery.Window.Latest = 0, clock(20), clock(20)
	d := aDriver(1)
	d.Hours.Ends = 1200
	day := aDay(0, []planning.Order{done, comes}, d)
	day.Now = now
	day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: ends, Stops: []planning.Placed{
		planned(&done, order.Pickup, hm(10, 50)), planned(&done, order.Delivery, ends.Add(-5*time.Minute)),
	}}}
	return day
}

// served is a stop at which a driver was for a while.
func served(arrived, ended time.Time) driving.StopStanding {
	return driving.StopStanding{Status: driving.StopCompleted, Arrived: arrived, Ended: ended}
}

// TestBreakStaysInThePlan although the morning was over before the break was due.
func TestBreakStaysInThePlan(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		why       string
		ends, now time.Time
		// first and last bound the start of the break; zero is no break.
		first, last time.Time
	}{
		{"within an hour of its window", hm(12, 25), hm(12, 40), hm(12, 40), hm(13, 30)},
		{"before anything else after that", hm(14, 0), hm(14, 10), hm(14, 10), hm(14, 10)},
		{"he had nothing to do since ten to twelve", hm(11, 50), hm(12, 40), time.Time{}, time.Time{}},
		{"he had nothing to do for long enough", hm(13, 45), hm(14, 16), time.Time{}, time.Time{}},
	} {
		day := morning(tc.ends, tc.now)
		for range 3 { // and it is not put off from plan to plan
			_, s := solve(t, day, 50)
			require.NotNil(t, of(s, 1, 2, order.Delivery), tc.why)
			if tc.first.IsZero() {
				require.Zero(t, s.Routes[0].BreakStarts, tc.why)
				continue
			}
			require.WithinRange(t, s.Routes[0].BreakStarts, tc.first, tc.last, tc.why)
			require.Equal(t, 30*time.Minute, s.Routes[0].BreakEnds.Sub(s.Routes[0].BreakStarts))
			commit(&day, s)
		}
	}
}

// TestShortOrdersDoNotPostponeABreak that come one after the other, each over within an hour.
func TestShortOrdersDoNotPostponeABreak(t *testing.T) {
	t.Parallel()
	day := morning(hm(12, 25), hm(12, 40))
	one := &day.Orders[1]
	at := *one.Pickup.Point
	one.Delivery.Point = &at
	_, s := solve(t, day, 50)
	require.Zero(t, s.Routes[0].BreakStarts, "all is over by half past one")
	commit(&day, s)
	one.Status, one.DriverID = order.Delivered, 1
	one.Pickup.Standing = was(driving.StopCompleted, hm(12, 50))
	one.Delivery.Standing = was(driving.StopCompleted, hm(13, 0))
	next := carried(3, order.Registered, 59.93, 59.93)
	next.DriverID, next.Pickup.Window.Latest, next.Delivery.Window.Latest = 0, clock(20), clock(20)
	day.Orders, day.Now = append(day.Orders, next), hm(13, 25)
	_, s = solve(t, day, 50)
	require.NotNil(t, of(s, 1, 3, order.Delivery))
	require.WithinRange(t, s.Routes[0].BreakStarts, hm(13, 25), hm(13, 30))
}

// TestWaitingAtAStopIsNotABreak: the plan has the break after a stop at which
// the driver still is.
func TestWaitingAtAStopIsNotABreak(t *testing.T) {
	t.Parallel()
	here, next := carried(1, order.AtDelivery, 59.91, 59.92), carried(2, order.Planned, 59.95, 60.5)
	here.Pickup.Standing = was(driving.StopCompleted, hm(11, 20))
	here.Delivery.Standing = driving.StopStanding{Status: driving.StopArrived, Arrived: hm(11, 40)}
	day := aDay(0, []planning.Order{here, next}, aDriver(1))
	day.Drivers[0].Hours.Ends = 1200
	route := planning.Route{
		DriverID: 1, Starts: clock(7), Ends: clock(15), BreakStarts: hm(11, 45), BreakEnds: hm(12, 15),
		Stops: []planning.Placed{
			planned(&here, order.Pickup, hm(11, 0)), planned(&here, order.Delivery, hm(11, 40)),
			planned(&next, order.Pickup, hm(12, 25)), planned(&next, order.Delivery, hm(14, 0)),
		},
	}
	day.Routes = []planning.Route{route}
	for _, now := range []time.Time{hm(11, 50), hm(12, 20), hm(12, 50), hm(13, 20)} {
		day.Now = now
		_, s := solve(t, day, 50)
		require.False(t, s.Routes[0].BreakStarts.Before(now), "at %s he has not had it", now.Format("15:04"))
		require.False(t, of(s, 1, 2, order.Pickup).Starts.Before(now), "and he has not left")
		commit(&day, s)
	}
	day.Orders[0].Status = order.Delivered
	day.Orders[0].Delivery.Standing = served(hm(11, 40), hm(13, 21))
	day.Now = hm(13, 22)
	_, s := solve(t, day, 50)
	require.False(t, s.Routes[0].BreakStarts.IsZero(), "it is still due")

	day.Routes = []planning.Route{route}
	_, s = solve(t, day, 50)
	require.False(t, s.Routes[0].BreakStarts.Before(day.Now), "also if no plan was made in the meantime")
}

// TestDriverAtAStopHasNotLeft checks this for a driver who should have left
// by now.
func TestDriverAtAStopHasNotLeft(t *testing.T) {
	t.Parallel()
	here, next := carried(1, order.AtDelivery, 59.91, 59.92), carried(2, order.Planned, 60.31, 60.32) // 72 minutes
	here.Pickup.Standing = was(driving.StopCompleted, hm(9, 0))
	here.Delivery.Standing = driving.StopStanding{Status: driving.StopArrived, Arrived: hm(9, 20)}
	day := aDay(10, []planning.Order{here, next}, unpaused(1))
	far := planned(&next, order.Pickup, hm(10, 37))
	far.Driving = 72 * time.Minute
	day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: clock(15), Stops: []planning.Placed{
		planned(&here, order.Pickup, hm(9, 0)), planned(&here, order.Delivery, hm(9, 20)), far,
		planned(&next, order.Delivery, hm(10, 50)),
	}}}
	day.Now = hm(10, 20)
	_, s := solve(t, day, 50)
	require.WithinDuration(t, hm(11, 32), of(s, 1, 2, order.Pickup).Starts, 3*time.Minute)
}

// TestNewOrderDoesNotPostponeABreak checks that an overdue break begins when the present
// plan has it.
func TestNewOrderDoesNotPostponeABreak(t *testing.T) {
	t.Parallel()
	day := morning(hm(12, 25), hm(12, 40))
	_, s := solve(t, day, 50)
	commit(&day, s)
	promised := hm(12, 45)
	day.Routes[0].BreakStarts, day.Routes[0].BreakEnds = promised, promised.Add(30*time.Minute)
	next := carried(3, order.Registered, 59.93, 59.93)
	next.DriverID, next.Pickup.Window.Latest, next.Delivery.Window.Latest = 0, hm(13, 10), hm(13, 15)
	day.Orders = append(day.Orders, next)
	_, s = solve(t, day, 50)
	require.False(t, s.Routes[0].BreakStarts.After(promised), "it begins at %s", s.Routes[0].BreakStarts)
}
