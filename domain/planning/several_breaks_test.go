package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/order"
	"waybill/domain/planning"
)

// threeBreaks is a day from seven to seven with an order about every three hours, and breaks of 15, 30 and 15 minutes.
func threeBreaks() planning.Day {
	var orders []planning.Order
	for i, hour := range []int{8, 11, 14, 17} {
		o := carried(int64(i+1), order.Registered, 59.91, 59.92)
		o.DriverID = 0
		o.Pickup.Window = order.Window{Earliest: hm(hour, 0), Latest: hm(hour, 20)}
		o.Delivery.Window = order.Window{Earliest: hm(hour, 30), Latest: hm(hour+1, 0)}
		orders = append(orders, o)
	}
	d := aDriver(1)
	d.Hours = driver.Hours{
		Starts: 420, Ends: 1140, Break: driver.Break{Minutes: 15, Earliest: 540, Latest: 600},
		More: [2]driver.Break{{Minutes: 30, Earliest: 720, Latest: 810}, {Minutes: 15, Earliest: 900, Latest: 960}},
	}
	return aDay(6, orders, d)
}

// lasting are the lengths of the breaks of a route.
func lasting(r *planning.Route) (all []time.Duration) {
	for _, rest := range r.Breaks {
		all = append(all, rest.Ends.Sub(rest.Starts))
	}
	return all
}

// TestADriverHasSeveralBreaks plans each within its window, and keeps those that are over.
func TestADriverHasSeveralBreaks(t *testing.T) {
	t.Parallel()
	day := threeBreaks()
	three := []time.Duration{15 * time.Minute, 30 * time.Minute, 15 * time.Minute}
	for _, now := range []time.Time{clock(6), hm(9, 55), hm(13, 5), hm(15, 50)} {
		day.Now = now
		_, s := solve(t, day, 50)
		require.Empty(t, s.Unplanned, now)
		r := &s.Routes[0]
		require.Equal(t, three, lasting(r), now)
		for i, window := range [][2]time.Time{{hm(9, 0), hm(9, 45)}, {hm(12, 0), hm(13, 0)}, {hm(15, 0), hm(15, 45)}} {
			require.WithinRange(t, r.Breaks[i].Starts, window[0], window[1], "%v: break %d", now, i)
			if i < 2 && !r.Breaks[i].Ends.After(now) {
				require.NotEqual(t, r.Breaks[i].Starts, r.BreakStarts, "it is over at %v, so another one is next", now)
			}
		}
		commit(&day, s)
	}
}

// TestABreakThatWasMissedIsDueBeforeTheNext has a driver who was at a stop until after the second break.
func TestABreakThatWasMissedIsDueBeforeTheNext(t *testing.T) {
	t.Parallel()
	day := threeBreaks()
	_, s := solve(t, day, 50)
	commit(&day, s)
	for i := range 2 {
		o := &day.Orders[i]
		o.Status = order.Delivered
		o.Pickup.Standing = served(hm(8+3*i, 0), hm(8+3*i, 10))
		o.Delivery.Standing = served(hm(8+3*i, 30), hm(8+3*i, 40))
	}
	day.Orders[1].Delivery.Standing = served(hm(11, 40), hm(13, 40))
	day.Now = hm(13, 45)
	draft, s := solve(t, day, 50)
	shift := draft.Problem.Shifts[0]
	require.EqualValues(t, 30*60, shift.Break.Seconds, "the second break is still to be taken")
	require.Len(t, shift.Breaks, 1)
	require.GreaterOrEqual(t, shift.Breaks[0].Earliest, shift.Break.Latest+shift.Break.Seconds)
	r := &s.Routes[0]
	require.Equal(t, []time.Duration{15 * time.Minute, 30 * time.Minute, 15 * time.Minute}, lasting(r))
	require.WithinRange(t, r.Breaks[1].Starts, hm(13, 45), hm(14, 0))
	require.Equal(t, r.Breaks[1].Starts, r.BreakStarts)
}

// TestADriverInABreakIsFreeAfterIt plans again in the middle of the second break.
func TestADriverInABreakIsFreeAfterIt(t *testing.T) {
	t.Parallel()
	day := threeBreaks()
	_, s := solve(t, day, 50)
	commit(&day, s)
	second := day.Routes[0].Breaks[1]
	day.Now = second.Starts.Add(10 * time.Minute)
	draft, s := solve(t, day, 50)
	require.GreaterOrEqual(t, draft.Problem.Shifts[0].Start, int64(second.Ends.Sub(date)/time.Second))
	require.Equal(t, second, s.Routes[0].Breaks[1])
}
