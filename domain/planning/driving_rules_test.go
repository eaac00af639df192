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

// hauling returns the problem of a line-haul day: one order over so many minutes of driving, and a driver under
// EU 561 who is home wherever the route ends.
func hauling(t *testing.T, day planning.Day, driving int32) (*planning.Draft, planning.Solution) {
	t.Helper()
	draft := day.Draft()
	n := len(draft.Points)
	travel := routing.Travel{Places: n, Legs: make([]routing.Leg, n*n)}
	for from := range n {
		for to := range n {
			if draft.Points[from] != draft.Points[to] {
				travel.Legs[from*n+to] = routing.Leg{Seconds: 60 * driving, Meters: 1000 * driving}
			}
		}
	}
	for range draft.Profiles {
		draft.Problem.Travel = append(draft.Problem.Travel, travel)
	}
	require.NoError(t, draft.Problem.Validate())
	result, err := routing.Improve(&draft.Problem, draft.Present, routing.Options{Seed: 1, Spent: routing.Iterations(200)})
	require.NoError(t, err)
	require.Empty(t, routing.Broken(&draft.Problem, result.Plan), "Check accepts it")
	return draft, draft.Solution(result.Plan, time.Second)
}

func haulage() planning.Day {
	d := aDriver(1)
	d.Hours = driver.Hours{Starts: 300, Ends: 1380}
	d.Rule, d.Vehicle.MaxRouteKm = driver.DrivingRuleOf("EU_561_2006"), nil
	d.Vehicle.Home, d.End = nil, nil
	d.Start = &oslo
	o := anOrder(1)
	o.Pickup.Window = order.Window{Earliest: clock(5), Latest: clock(12)}
	o.Delivery.Window = order.Window{Earliest: clock(6), Latest: clock(23)}
	o.Delivery.Service = 20 * time.Minute
	return aDay(4, []planning.Order{o}, d)
}

// TestLineHaulDayRests drives nine hours to one place: an inspector reads the tachograph.
func TestLineHaulDayRests(t *testing.T) {
	t.Parallel()
	_, s := hauling(t, haulage(), 9*60)
	require.Len(t, s.Routes, 1)
	r := s.Routes[0]
	require.Equal(t, 9*time.Hour, r.Driving)
	require.Len(t, r.Breaks, 1, "twice four and a half hours")
	require.Equal(t, 45*time.Minute, r.Breaks[0].Ends.Sub(r.Breaks[0].Starts))
	left := r.Stops[0].Leaves
	require.LessOrEqual(t, r.Breaks[0].Starts.Sub(left), 4*time.Hour+30*time.Minute)
	require.LessOrEqual(t, r.Stops[1].Arrives.Sub(r.Breaks[0].Ends), 4*time.Hour+30*time.Minute)
	require.Equal(t, time.Hour, *r.DrivingLeft, "ten hours twice a week")
	require.Equal(t, r.Breaks[0].Starts, r.BreakStarts)
}

// TestDaysBeforeLeaveTooLittle leaves the order out after two long days in the same week, and says why.
func TestDaysBeforeLeaveTooLittle(t *testing.T) {
	t.Parallel()
	day := haulage()
	monday := date.AddDate(0, 0, -int(date.Weekday()+6)%7)
	require.Equal(t, date, monday, "the day is a Monday, so move it")
	day.Date, day.Now = date.AddDate(0, 0, 2), day.Now.AddDate(0, 0, 2)
	for i := range day.Orders {
		for _, w := range []*order.Window{&day.Orders[i].Pickup.Window, &day.Orders[i].Delivery.Window} {
			w.Earliest, w.Latest = w.Earliest.AddDate(0, 0, 2), w.Latest.AddDate(0, 0, 2)
		}
	}
	for _, before := range []int{2, 1} {
		was := day.Date.AddDate(0, 0, -before)
		day.Drivers[0].Worked = append(day.Drivers[0].Worked, driver.Worked{
			Date: was, Driving: 10 * time.Hour, Starts: was.Add(4 * time.Hour), Ends: was.Add(17 * time.Hour),
		})
	}
	_, s := hauling(t, day, 9*60+1)
	require.Empty(t, s.Routes)
	require.Len(t, s.Unplanned, 1)
	require.Equal(t, planning.DrivingTooLong, s.Unplanned[0].Reasons[0].Code)
	require.EqualValues(t, 60, s.Unplanned[0].Reasons[0].By)
	require.Equal(t, planning.Proven, s.Unplanned[0].Certainty)

	_, s = hauling(t, day, 9*60)
	require.Len(t, s.Routes, 1)
	require.Zero(t, *s.Routes[0].DrivingLeft)
}

// TestRestBeforeTheShift begins nine hours after a late evening, and not before.
func TestRestBeforeTheShift(t *testing.T) {
	t.Parallel()
	day := haulage()
	was := date.AddDate(0, 0, -1)
	day.Drivers[0].Worked = []driver.Worked{{
		Date: was, Driving: time.Hour, Starts: was.Add(12 * time.Hour), Ends: was.Add(23 * time.Hour),
	}}
	draft := day.Draft()
	require.EqualValues(t, 8*3600, draft.Problem.Shifts[0].Start)
	require.EqualValues(t, 15*3600, draft.Problem.Shifts[0].MaxSeconds)
	day.Drivers[0].Worked[0].Ends = clock(5) // after midnight, in a shift until six
	day.Nights = []planning.Night{{DriverID: 1, Ends: clock(6)}}
	draft = day.Draft()
	require.EqualValues(t, 14*3600, draft.Problem.Shifts[0].Start, "the rest begins with the end of the route")
}

// TestSixDaysEndTheWeekOfWork ends the shift of a seventh day where the week of work ends, and begins that of an
// eighth one after the weekly rest.
func TestSixDaysEndTheWeekOfWork(t *testing.T) {
	t.Parallel()
	day := haulage()
	for before := 6; before >= 1; before-- {
		was := date.AddDate(0, 0, -before)
		day.Drivers[0].Worked = append(day.Drivers[0].Worked, driver.Worked{
			Date: was, Driving: time.Hour, Starts: was.Add(10 * time.Hour), Ends: was.Add(19 * time.Hour),
		})
	}
	shift := day.Draft().Problem.Shifts[0]
	require.EqualValues(t, []int64{5 * 3600, 10 * 3600}, []int64{shift.Start, shift.End}, "six days from ten o'clock on")
	day.Drivers[0].Worked[0].Starts = date.AddDate(0, 0, -6).Add(4 * time.Hour)
	shift = day.Draft().Problem.Shifts[0]
	require.EqualValues(t, 19*3600, shift.Start, "a day of rest after seven in the evening")
}

// TestRestAfterANight ends a night early enough to rest before the next workday, and leaves out a driver for whom
// that is before it begins.
func TestRestAfterANight(t *testing.T) {
	t.Parallel()
	day := haulage()
	day.Drivers[0].Hours = driver.Hours{Starts: 1320, Ends: 360}
	day.Drivers[0].Next = clock(24 + 14)
	shift := day.Draft().Problem.Shifts[0]
	require.EqualValues(t, []int64{22 * 3600, 29 * 3600}, []int64{shift.Start, shift.End}, "nine hours before two")
	day.Drivers[0].Next = clock(24 + 6)
	_, s := hauling(t, day, 60)
	require.Empty(t, s.Routes)
	require.Len(t, s.Unplanned, 1)
}

// TestBreaksAreRemembered plans again on the way: what was driven before the break does not count, and what
// was driven after it does.
func TestBreaksAreRemembered(t *testing.T) {
	t.Parallel()
	day := haulage()
	_, s := hauling(t, day, 9*60)
	rest, arrives := s.Routes[0].Breaks[0], s.Routes[0].Stops[1].Arrives
	commit(&day, s)
	day.Now = rest.Ends.Add(time.Hour)
	draft := day.Draft()
	require.EqualValues(t, 4.5*3600, draft.Problem.Shifts[0].Rested.Driven, "after the leg, as planned")
	day.Orders[0].Status = order.PickedUp
	draft, s = hauling(t, day, 9*60)
	require.Len(t, s.Routes, 1)
	require.NotEmpty(t, s.Routes[0].Breaks)
	require.Equal(t, rest, s.Routes[0].Breaks[0], "it is over, and stays")
	require.Len(t, s.Routes[0].Breaks, 1)
	require.Equal(t, arrives, s.Routes[0].Stops[1].Arrives, "the break on the way is not planned twice")
	require.EqualValues(t, -4.5*3600, draft.Problem.Shifts[0].Rested.Driven, "on the leg")
}
