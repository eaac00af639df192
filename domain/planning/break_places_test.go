package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/routing"
)

// canteen is the location where the driver of inTheCanteen has breaks.
const canteen = 77

// inTheCanteen is a day with an order in the morning and one in the afternoon, and a break of half an hour between
// eleven and one, some kilometers farther of the way.
func inTheCanteen(farther float64) planning.Day {
	var orders []planning.Order
	for i, hour := range []int{9, 14} {
		o := carried(int64(i+1), order.Registered, 59.91, 59.92)
		o.DriverID = 0
		o.Pickup.Window = order.Window{Earliest: hm(hour, 0), Latest: hm(hour, 20)}
		o.Delivery.Window = order.Window{Earliest: hm(hour, 30), Latest: hm(hour+1, 0)}
		orders = append(orders, o)
	}
	d := aDriver(1)
	d.Hours.Break.LocationID = canteen
	d.BreakPlaces = map[int64]*planning.Point{canteen: {Latitude: 59.92 + farther, Longitude: oslo.Longitude}}
	return aDay(6, orders, d)
}

// TestABreakAtAPlaceLeadsThere has the way there and back in the times and meters of the route.
func TestABreakAtAPlaceLeadsThere(t *testing.T) {
	t.Parallel()
	day := inTheCanteen(0.03)
	draft, s := solve(t, day, 50)
	require.Empty(t, s.Unplanned)
	r := &s.Routes[0]
	require.Len(t, r.Breaks, 1)
	at := r.Breaks[0].Place
	require.EqualValues(t, canteen, at.LocationID)
	require.Positive(t, at.DrivingSeconds)
	require.Positive(t, at.Meters)
	require.WithinRange(t, r.Breaks[0].Starts, hm(11, 0), hm(12, 30))
	require.Equal(t, r.Breaks[0].Starts, r.BreakStarts)
	require.Contains(t, draft.Points, planning.Point{Latitude: at.Latitude, Longitude: at.Longitude})

	sum, meters := at.Driving(), at.Meters
	for i := range r.Stops {
		sum, meters = sum+r.Stops[i].Driving, meters+r.Stops[i].Meters
	}
	timetable := draft.Problem.Timetable(0, []routing.Visit{0, 1, 2, 3})
	require.EqualValues(t, timetable.Driving, r.Driving/time.Second)
	require.Equal(t, timetable.Meters, r.Meters)
	require.Less(t, sum, r.Driving, "the way home follows")
	require.Less(t, meters, r.Meters)

	anywhere := inTheCanteen(0.03)
	anywhere.Drivers[0].BreakPlaces = nil // a location without a position is nowhere to go to
	_, s = solve(t, anywhere, 50)
	require.Less(t, s.Routes[0].Meters, r.Meters)
	require.Zero(t, s.Routes[0].Breaks)
}

// TestABreakTooFarAwayIsNamed leaves out the orders for which the driver could not have the break, and says so.
func TestABreakTooFarAwayIsNamed(t *testing.T) {
	t.Parallel()
	day := inTheCanteen(3)
	_, s := solve(t, day, 50)
	require.NotEmpty(t, s.Unplanned)
	for _, u := range s.Unplanned {
		require.Equal(t, planning.NoTimeForBreak, u.Reasons[0].Code)
	}
}

// servedInTheMorning has the driver report the stops of the morning as planned.
func servedInTheMorning(day *planning.Day) {
	o, r := &day.Orders[0], &day.Routes[0]
	o.Status = order.Delivered
	o.Pickup.Standing = served(r.Stops[0].Starts, r.Stops[0].Leaves)
	o.Delivery.Standing = served(r.Stops[1].Starts, r.Stops[1].Leaves)
}

// TestADriverGoesOnFromThePlaceOfABreak plans again during the break and after it, with reports and without.
func TestADriverGoesOnFromThePlaceOfABreak(t *testing.T) {
	t.Parallel()
	for _, reports := range []bool{true, false} {
		day := inTheCanteen(0.03)
		_, s := solve(t, day, 50)
		commit(&day, s)
		was := s.Routes[0]
		rest := was.Breaks[0]
		if reports {
			servedInTheMorning(&day)
		}
		for _, now := range []time.Time{rest.Starts.Add(10 * time.Minute), rest.Ends.Add(time.Minute)} {
			day.Now = now
			draft, s := solve(t, day, 50)
			shift := &draft.Problem.Shifts[0]
			require.Zero(t, shift.Break.Seconds, "the break is over, or under way")
			if reports {
				at := planning.Point{Latitude: rest.Place.Latitude, Longitude: rest.Place.Longitude}
				require.Equal(t, at, draft.Points[shift.From])
				require.GreaterOrEqual(t, shift.Start, int64(rest.Ends.Sub(date)/time.Second))
			}
			r := &s.Routes[0]
			require.Equal(t, []planning.Rest{rest}, r.Breaks)
			require.Equal(t, was.Meters, r.Meters, now)
			require.Equal(t, was.Driving, r.Driving, now)
			require.WithinDuration(t, was.Ends, r.Ends, time.Minute, now)
		}
	}
}

// TestABreakAtAPlaceIsDriven counts the way to a break that is over for the limits of the shift.
func TestABreakAtAPlaceIsDriven(t *testing.T) {
	t.Parallel()
	day := inTheCanteen(0.03)
	_, s := solve(t, day, 50)
	commit(&day, s)
	servedInTheMorning(&day)
	r := &s.Routes[0]
	day.Now = r.Breaks[0].Ends.Add(time.Minute)
	km := float64(r.Meters)/1000 + 1
	day.Drivers[0].Vehicle.MaxRouteKm = &km
	day.Drivers[0].Limits.DrivingMinutes = 600
	draft, _ := solve(t, day, 50)
	driven := r.Stops[0].Meters + r.Stops[1].Meters + r.Breaks[0].Place.Meters
	require.Equal(t, int64(km*1000)-driven, draft.Problem.Shifts[0].MaxMeters)
	driving := r.Stops[0].Driving + r.Stops[1].Driving + r.Breaks[0].Place.Driving()
	require.EqualValues(t, (10*time.Hour-driving)/time.Second, draft.Problem.Shifts[0].MaxDriving)
}

// TestTheWayToABreakCountsForTheRule takes a break that is too short for the rule of driving time.
func TestTheWayToABreakCountsForTheRule(t *testing.T) {
	t.Parallel()
	day := inTheCanteen(0.03)
	day.Drivers[0].Rule = &driver.DrivingRule{Driving: 270, Break: 45, Day: 540, Week: 3360, Fortnight: 5400, Rest: 660}
	_, s := solve(t, day, 50)
	commit(&day, s)
	servedInTheMorning(&day)
	r := &s.Routes[0]
	require.NotEmpty(t, r.Breaks)
	day.Now = r.Breaks[0].Ends.Add(time.Minute)
	draft, _ := solve(t, day, 50)
	driving := r.Stops[0].Driving + r.Stops[1].Driving + r.Breaks[0].Place.Driving()
	require.EqualValues(t, driving/time.Second, draft.Problem.Shifts[0].Rested.Driven)
}
