package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/order"
	"waybill/domain/planning"
)

// TestNightsByTheClockOnTheWall covers the nights in which the clocks of Oslo are turned forward, on 29 March 2026 at
// two, and back, on 25 October at three.
func TestNightsByTheClockOnTheWall(t *testing.T) {
	t.Parallel()
	oslo, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		date         string
		starts, ends string
		works        string
		lasts        time.Duration
	}{
		"Usual":                 {"2026-06-10", "22:00", "06:00", "2026-06-10T20:00Z 2026-06-11T04:00Z", 8 * time.Hour},
		"UntilMidnight":         {"2026-06-10", "14:00", "00:00", "2026-06-10T12:00Z 2026-06-10T22:00Z", 10 * time.Hour},
		"AllDay":                {"2026-06-10", "00:00", "24:00", "2026-06-09T22:00Z 2026-06-10T22:00Z", 24 * time.Hour},
		"FromMidnight":          {"2026-06-10", "24:00", "06:00", "2026-06-10T22:00Z 2026-06-11T04:00Z", 6 * time.Hour},
		"Longest":               {"2026-06-10", "06:00", "05:59", "2026-06-10T04:00Z 2026-06-11T03:59Z", 1439 * time.Minute},
		"Forward":               {"2026-03-28", "22:00", "06:00", "2026-03-28T21:00Z 2026-03-29T04:00Z", 7 * time.Hour},
		"ForwardUntilLostHour":  {"2026-03-28", "22:00", "02:30", "2026-03-28T21:00Z 2026-03-29T01:30Z", 270 * time.Minute},
		"ForwardWithinLostHour": {"2026-03-29", "02:15", "03:05", "2026-03-29T01:15Z 2026-03-29T02:05Z", 50 * time.Minute},
		"Back":                  {"2026-10-24", "22:00", "06:00", "2026-10-24T20:00Z 2026-10-25T05:00Z", 9 * time.Hour},
		"BackUntilTwiceHour":    {"2026-10-24", "22:00", "02:30", "2026-10-24T20:00Z 2026-10-25T01:30Z", 330 * time.Minute},
	} {
		date, err := time.Parse(time.DateOnly, c.date)
		require.NoError(t, err)
		from, isClock := order.ParseClock(c.starts)
		require.True(t, isClock, name)
		until, isClock := order.ParseClock(c.ends)
		require.True(t, isClock, name)
		h := driver.Hours{Starts: from, Ends: until}
		field, _ := h.Problem()
		require.Empty(t, field, name)
		starts, ends := planning.Clock{Date: date, Zone: oslo}.Work(h)
		require.Equal(t, c.works, starts.UTC().Format("2006-01-02T15:04Z ")+ends.UTC().Format("2006-01-02T15:04Z"), name)
		require.Equal(t, c.lasts, ends.Sub(starts), name)
	}
}

// TestBreaksAfterMidnight has breaks on both sides of midnight, also in the night that is an hour shorter.
func TestBreaksAfterMidnight(t *testing.T) {
	t.Parallel()
	oslo, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	h := driver.Hours{Starts: 1320, Ends: 360, Break: driver.Break{Minutes: 30, Earliest: 0, Latest: 240}}
	field, _ := h.Problem()
	require.Empty(t, field)
	c := planning.Clock{Date: time.Date(2026, 3, 28, 0, 0, 0, 0, time.UTC), Zone: oslo}
	earliest, latest := c.Break(h)
	require.Equal(t, "29T00:00 29T03:30", earliest.Format("02T15:04 ")+latest.Format("02T15:04"))
	require.Equal(t, 150*time.Minute, latest.Sub(earliest), "an hour of the night is missing")
}

// TestNightBeforeKeepsDriverAndVehicle begins the work of a driver, and of another one with the vehicle, when the
// night of the day before is over.
func TestNightBeforeKeepsDriverAndVehicle(t *testing.T) {
	t.Parallel()
	mine, other := unpaused(1), unpaused(2)
	mine.Hours, other.Hours = driver.Hours{Starts: 240, Ends: 840}, driver.Hours{Starts: 240, Ends: 840}
	mine.Vehicle.ID, other.Vehicle.ID = 11, 12
	for name, c := range map[string]struct {
		now    int
		night  planning.Night
		starts []int64
	}{
		"None":           {0, planning.Night{}, []int64{4, 4}},
		"OfTheDriver":    {0, planning.Night{DriverID: 1, VehicleID: 13, Ends: clock(6)}, []int64{6, 4}},
		"OfTheVehicle":   {0, planning.Night{DriverID: 3, VehicleID: 12, Ends: clock(6)}, []int64{4, 6}},
		"WithoutVehicle": {0, planning.Night{DriverID: 3, Ends: clock(6)}, []int64{4, 4}},
		"OverBefore":     {0, planning.Night{DriverID: 1, Ends: clock(3)}, []int64{4, 4}},
		"OverByNow":      {7, planning.Night{DriverID: 1, Ends: clock(6)}, []int64{7, 7}},
		"AllOfTheWork":   {0, planning.Night{DriverID: 1, Ends: clock(14)}, []int64{4}},
	} {
		day := aDay(c.now, nil, mine, other)
		day.Nights = []planning.Night{c.night}
		draft := day.Draft()
		var starts []int64
		for _, shift := range draft.Problem.Shifts {
			starts = append(starts, shift.Start/3600)
		}
		require.Equal(t, c.starts, starts, name)
	}
}

// TestNightBeforeWakesThePlan looks again when the night is over, which may last longer than its shift.
func TestNightBeforeWakesThePlan(t *testing.T) {
	t.Parallel()
	of := unpaused(1)
	of.Hours = driver.Hours{Starts: 240, Ends: 840}
	day := aDay(0, nil, of)
	require.Equal(t, clock(24), day.Wake(planning.Solution{}))
	day.Nights = []planning.Night{{DriverID: 1, Ends: clock(6)}}
	require.Equal(t, clock(6), day.Wake(planning.Solution{}))
	day.Now = clock(6)
	require.Equal(t, clock(24), day.Wake(planning.Solution{}))
	day.Now, day.Nights[0].Ends = clock(0), clock(4)
	require.Equal(t, clock(24), day.Wake(planning.Solution{}), "that night keeps nobody from beginning")
}

// TestBegunWorkIsNotKeptByTheNightBefore leaves a driver where they are who has begun the next day.
func TestBegunWorkIsNotKeptByTheNightBefore(t *testing.T) {
	t.Parallel()
	o := carried(1, order.PickedUp, 59.91, 59.95)
	day := aDay(8, []planning.Order{o}, unpaused(1))
	day.Nights = []planning.Night{{DriverID: 1, Ends: clock(9)}}
	day.Routes = []planning.Route{{DriverID: 1, Starts: clock(7), Ends: clock(12), Stops: []planning.Placed{
		planned(&o, order.Pickup, hm(7, 30)), planned(&o, order.Delivery, hm(8, 30)),
	}}}
	_, s := solve(t, day, 100)
	delivery := of(s, 1, 1, order.Delivery)
	require.NotNil(t, delivery)
	require.True(t, delivery.Starts.Before(clock(9)))
}

// TestVehicleOfTheNightIsNotLoadedBefore loads a vehicle before the shift unless it is out until then.
func TestVehicleOfTheNightIsNotLoadedBefore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		night  planning.Night
		before bool
	}{
		"InTheYard":      {planning.Night{DriverID: 3, VehicleID: 11, Ends: clock(6)}, true},
		"OutUntilThen":   {planning.Night{DriverID: 3, VehicleID: 11, Ends: clock(7)}, false},
		"AnotherVehicle": {planning.Night{DriverID: 1, VehicleID: 12, Ends: clock(7)}, true},
	} {
		of, o, minutes := unpaused(1), anOrder(1), 15*time.Minute
		of.Vehicle.ID = 11
		day := aDay(0, []planning.Order{o}, of)
		day.Loading, day.Nights = &minutes, []planning.Night{c.night}
		require.Equal(t, c.before, day.Draft().Problem.Shifts[0].Loading.Site > 0, name)
	}
}
