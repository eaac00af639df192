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

// leftOver returns a day with one order without a route, for a driver who works from 7 to 15.
func leftOver(change func(o *planning.Order, d *planning.Driver)) planning.Day {
	o := carried(4, order.Registered, 59.91, 59.95)
	o.DriverID = 0
	o.Pickup.Window = order.Window{Earliest: hm(8, 0), Latest: hm(12, 0)}
	o.Delivery.Window = order.Window{Earliest: hm(8, 0), Latest: hm(14, 0)}
	d := unpaused(1)
	d.Vehicle.MaxRouteKm = nil
	change(&o, &d)
	day := aDay(6, []planning.Order{o}, d)
	day.Unplanned = []planning.Unplanned{{OrderID: 4}}
	return day
}

// helps returns the changes that help the order of the day, by their kind.
func helps(t *testing.T, day planning.Day) map[planning.HelpChange]planning.Help {
	t.Helper()
	found := map[planning.HelpChange]planning.Help{}
	for _, help := range drafted(day, nil).Helper().Help(4, nil).Changes {
		found[help.Change] = help
	}
	require.NotEmpty(t, found)
	return found
}

// openingAt has both stops open at an hour at which the driver is off.
func openingAt(hour int) func(*planning.Order, *planning.Driver) {
	return func(o *planning.Order, _ *planning.Driver) {
		o.Pickup.Window = order.Window{Earliest: hm(hour, 0), Latest: hm(hour, 30)}
		o.Delivery.Window = order.Window{Earliest: hm(hour, 0), Latest: hm(hour+1, 30)}
	}
}

func TestHelpKeepsToWorkingTime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		opens int
		hours driver.Hours
		next  time.Time
		helps bool
	}{
		"three hours longer":              {opens: 17, hours: driver.Hours{Starts: 7 * 60, Ends: 15 * 60}, helps: true},
		"more than four hours longer":     {opens: 19, hours: driver.Hours{Starts: 7 * 60, Ends: 15 * 60}},
		"a workday of more than 13 hours": {opens: 17, hours: driver.Hours{Starts: 4 * 60, Ends: 15 * 60}},
		"into another day":                {opens: 24, hours: driver.Hours{Starts: 15 * 60, Ends: 22 * 60}},
		"rest enough": {
			opens: 17, hours: driver.Hours{Starts: 7 * 60, Ends: 15 * 60}, next: hm(24+6, 0), helps: true,
		},
		"too little rest": {opens: 17, hours: driver.Hours{Starts: 7 * 60, Ends: 15 * 60}, next: hm(24+4, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := helps(t, leftOver(func(o *planning.Order, d *planning.Driver) {
				openingAt(c.opens)(o, d)
				d.Hours, d.Next = c.hours, c.next
			}))
			help, isLonger := found[planning.LongerWorkday]
			require.Equal(t, c.helps, isLonger, "%v", found)
			if c.helps {
				require.LessOrEqual(t, help.Seconds, int64(4*time.Hour/time.Second))
				return
			}
			if c.opens == 24 {
				require.Equal(t, planning.Help{Change: planning.NothingHelps, Why: planning.BeyondWorkingTime},
					found[planning.NothingHelps])
				return
			}
			extra := found[planning.ExtraDriver]
			require.False(t, extra.Starts.After(hm(c.opens, 30)), "somebody could work at these hours: %v", found)
			require.True(t, extra.Ends.Before(hm(24, 0)))
		})
	}
}

func TestHelpKeepsToNineHoursOfDriving(t *testing.T) {
	t.Parallel()
	day := leftOver(func(o *planning.Order, _ *planning.Driver) {
		*o.Delivery.Point = planning.Point{Latitude: 61.53, Longitude: 10.75}
		o.Delivery.Window.Latest = hm(20, 0)
	})
	draft := drafted(day, nil)
	longer := draft.Problem
	longer.Shifts = append([]routing.Shift(nil), longer.Shifts...)
	longer.Shifts[0].End += 4 * 3600
	plan, fits := routing.Insert(&longer, draft.Present, 0)
	require.True(t, fits, "four hours longer are enough for the way")
	require.Greater(t, longer.Timetable(0, plan.Routes[0]).Driving, int64(9*3600))
	require.Equal(t, planning.Help{Change: planning.NothingHelps, Why: planning.BeyondWorkingTime},
		helps(t, day)[planning.NothingHelps])
}

// TestHelpLeavesWindowsOnTheirDay has an order whose delivery closes before a driver could come
// from the pickup: two hours away, more than four hours away, and at midnight.
func TestHelpLeavesWindowsOnTheirDay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		opens    int
		latitude float64
		helps    bool
	}{
		"two hours later":            {opens: 8, latitude: 60.56, helps: true},
		"more than four hours later": {opens: 8, latitude: 61.27},
		"the next day":               {opens: 23, latitude: 60.56},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := helps(t, leftOver(func(o *planning.Order, d *planning.Driver) {
				o.Pickup.Window = order.Window{Earliest: hm(c.opens, 0), Latest: hm(c.opens, 30)}
				o.Delivery.Window = order.Window{Earliest: hm(c.opens, 0), Latest: hm(c.opens, 10)}
				o.Delivery.Point = &planning.Point{Latitude: c.latitude, Longitude: 10.75}
				d.Hours = driver.Hours{Starts: order.Clock(c.opens * 60), Ends: order.Clock((c.opens + 11) % 24 * 60)}
			}))
			_, isLater := found[planning.LaterDelivery]
			require.Equal(t, c.helps, isLater, "%v", found)
			if !c.helps {
				require.Equal(t, planning.Help{Change: planning.NothingHelps, Why: planning.BeyondWindow},
					found[planning.NothingHelps])
			}
		})
	}
}

// TestHelpNamesWhatNobodyHas has orders that ask for a skill, a vehicle type and room that no
// driver of the day has.
func TestHelpNamesWhatNobodyHas(t *testing.T) {
	t.Parallel()
	skilled := helps(t, leftOver(func(o *planning.Order, _ *planning.Driver) { o.Needs = []int64{99} }))
	require.Equal(t, []int64{99}, skilled[planning.ExtraDriver].SkillIDs)
	require.Equal(t, int64(4), skilled[planning.ExtraDriver].VehicleTypeID, "like the driver of the day")
	require.NotContains(t, skilled, planning.OtherVehicle)

	other := helps(t, leftOver(func(o *planning.Order, _ *planning.Driver) { o.VehicleTypeID = 8 }))
	require.Equal(t, planning.Help{Change: planning.OtherVehicle, DriverID: 1, VehicleTypeID: 8},
		other[planning.OtherVehicle])
	require.Equal(t, int64(8), other[planning.ExtraDriver].VehicleTypeID)

	heavy := helps(t, leftOver(func(o *planning.Order, _ *planning.Driver) { o.Load = routing.Load{2_000_000, 10, 4} }))
	require.Equal(t, planning.Help{Change: planning.SplitOrder, Parts: 2}, heavy[planning.SplitOrder])

	whole := helps(t, leftOver(func(o *planning.Order, _ *planning.Driver) { o.Load = routing.Load{2_000_000, 10, 1} }))
	require.Equal(t, planning.Help{Change: planning.NothingHelps, Why: planning.BeyondPlan},
		whole[planning.NothingHelps], "one colli stays whole")
}
