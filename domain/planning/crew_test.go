package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/freight"
	"waybill/domain/order"
	"waybill/domain/planning"
)

// forTwo is a skill that takes two people.
const forTwo = 9

// crewed is a day of one order and one driver, with somebody who rides along.
func crewed(with *planning.CoDriver, change func(*planning.Order)) planning.Day {
	o, of := anOrder(1), aDriver(1)
	of.CoDriver = with
	if change != nil {
		change(&o)
	}
	day := aDay(6, []planning.Order{o}, of)
	day.ForTwo = []int64{forTwo}
	day.Crew()
	return day
}

func TestAShiftHasTheSkillsOfBothPeople(t *testing.T) {
	t.Parallel()
	needs := func(o *planning.Order) { o.Needs = []int64{7, 5, 11} } // of driver, vehicle and co-driver
	_, s := hauling(t, crewed(&planning.CoDriver{ID: 2, Skills: []int64{11}}, needs), 20)
	require.Len(t, s.Routes, 1)
	require.EqualValues(t, 2, s.Routes[0].CoDriverID)
	_, s = hauling(t, crewed(nil, needs), 20)
	require.Empty(t, s.Routes)
	require.Equal(t, planning.SkillMissing, s.Unplanned[0].Reasons[0].Code)
	require.EqualValues(t, 11, s.Unplanned[0].Reasons[0].SkillID)
	refuses := func(o *planning.Order) { o.Refuses = []int64{11} }
	_, s = hauling(t, crewed(&planning.CoDriver{ID: 2, Skills: []int64{11}}, refuses), 20)
	require.Equal(t, planning.SkillProhibited, s.Unplanned[0].Reasons[0].Code)
}

func TestASkillForTwoIsOfEveryShiftOfTwoAndOfNoOther(t *testing.T) {
	t.Parallel()
	needs := func(o *planning.Order) { o.Needs = []int64{forTwo} }
	_, s := hauling(t, crewed(&planning.CoDriver{ID: 2}, needs), 20)
	require.Len(t, s.Routes, 1)

	for _, has := range []func(*planning.Driver){
		func(*planning.Driver) {},
		func(d *planning.Driver) { d.Skills = append(d.Skills, forTwo) },
		func(d *planning.Driver) { d.Vehicle.Skills = append(d.Vehicle.Skills, forTwo) },
	} {
		o, of := anOrder(1), aDriver(1)
		needs(&o)
		has(&of)
		day := aDay(6, []planning.Order{o}, of)
		day.ForTwo = []int64{forTwo}
		day.Crew()
		_, s = hauling(t, day, 20)
		require.Empty(t, s.Routes, "one person does not make two, whatever a master record says")
		require.Equal(t, []planning.Why{{
			Code: planning.NeedsTwoPeople, SkillID: forTwo, Drivers: []int64{1}, Count: 1,
		}}, s.Unplanned[0].Reasons)
		require.Equal(t, planning.Proven, s.Unplanned[0].Certainty)
	}
}

func TestAnOrderRefusesAShiftIfItRefusesEitherPerson(t *testing.T) {
	t.Parallel()
	for _, person := range []int64{1, 2} {
		prohibits := func(o *planning.Order) { o.Prohibited = []int64{person} }
		_, s := hauling(t, crewed(&planning.CoDriver{ID: 2}, prohibits), 20)
		require.Empty(t, s.Routes)
		require.Equal(t, planning.ProhibitedDriver, s.Unplanned[0].Reasons[0].Code)
	}
	begun := crewed(&planning.CoDriver{ID: 2}, nil)
	_, s := hauling(t, begun, 20)
	commit(&begun, s)
	begun.Orders[0].Status, begun.Orders[0].Prohibited = order.PickedUp, []int64{2}
	require.Equal(t, []planning.Missed{{OrderID: 1, DriverID: 1, Rule: planning.ProhibitedDriver}}, begun.Draft().Missed())
}

func TestAShiftOfTwoPrefersWhomEitherPrefers(t *testing.T) {
	t.Parallel()
	oslo := freight.Area{Country: "NO", From: "0001", To: "1299"}
	drammen := freight.Area{Country: "NO", From: "3001", To: "3099"}
	of := aDriver(1)
	of.Preferences = driver.Preferences{Customers: []int64{3}, Territory: []freight.Area{oslo}}
	of.CoDriver = &planning.CoDriver{ID: 2, Preferences: driver.Preferences{
		Customers: []int64{2}, Locations: []int64{8}, Territory: []freight.Area{drammen},
	}}
	day := aDay(6, nil, of)
	day.Crew()
	require.Equal(t, driver.Preferences{
		Customers: []int64{2, 3}, Locations: []int64{8}, Territory: []freight.Area{oslo, drammen},
	}, day.Drivers[0].Preferences)
	of.Preferences.Territory = nil
	day = aDay(6, nil, of)
	day.Crew()
	require.Empty(t, day.Drivers[0].Preferences.Territory, "a driver without a territory goes anywhere")
}

// TestACoDriverHasNoOtherRoute leaves out those who ride along while they would work themselves.
func TestACoDriverHasNoOtherRoute(t *testing.T) {
	t.Parallel()
	noon := driver.Hours{Starts: 480, Ends: 720}
	for why, tc := range map[string]struct {
		rides *planning.Ride
		works bool
	}{
		"free":                   {nil, true},
		"at the same time":       {&planning.Ride{DriverID: 1, Hours: noon}, false},
		"before the own work":    {&planning.Ride{DriverID: 1, Hours: driver.Hours{Starts: 240, Ends: 420}}, true},
		"with a route of theirs": {&planning.Ride{DriverID: 1, Hours: noon, Begun: true}, true},
	} {
		one, two := aDriver(1), aDriver(2)
		one.Vehicle.ID, two.Vehicle.ID = 1, 2
		two.Rides = tc.rides
		day := aDay(6, []planning.Order{anOrder(1)}, one, two)
		day.Crew()
		works := day.Draft().Works(2)
		require.Equal(t, tc.works, works, why)
	}
	of := aDriver(1)
	of.CoDriver = &planning.CoDriver{ID: 2, Hours: &driver.Hours{Starts: 480, Ends: 720}, Begun: true}
	day := aDay(6, nil, of)
	day.Crew()
	require.Nil(t, day.Drivers[0].CoDriver, "whoever has begun a route of their own does not ride along")
}

// TestTheVehicleOfACoDriverIsFree lets a third driver have it.
func TestTheVehicleOfACoDriverIsFree(t *testing.T) {
	t.Parallel()
	two, three := aDriver(2), aDriver(3)
	two.Vehicle.ID, three.Vehicle.ID = 1, 1
	two.Rides = &planning.Ride{DriverID: 1, Hours: two.Hours}
	day := aDay(6, nil, two, three)
	day.Crew()
	draft := day.Draft()
	require.True(t, draft.Works(3))
	require.Empty(t, draft.LeftOut)
}

// TestTheRouteFollowsItsCrew writes a route again when somebody else rides along, though nothing else changes.
func TestTheRouteFollowsItsCrew(t *testing.T) {
	t.Parallel()
	day := crewed(&planning.CoDriver{ID: 2}, nil)
	_, s := hauling(t, day, 20)
	commit(&day, s)
	_, s = hauling(t, day, 20)
	diff := day.Difference(s)
	require.True(t, diff.Empty())
	day.Drivers[0].CoDriver = &planning.CoDriver{ID: 3, SharesDriving: true}
	_, s = hauling(t, day, 20)
	diff = day.Difference(s)
	require.Len(t, diff.Routes, 1)
	require.EqualValues(t, 3, diff.Routes[0].CoDriverID)
	require.True(t, diff.Routes[0].SharesDriving)
	require.Empty(t, diff.Stops)
}

// TestTwoWhoDriveInTurnsDriveTwiceAsLong has no breaks by driving time, because one rests while the other drives.
func TestTwoWhoDriveInTurnsDriveTwiceAsLong(t *testing.T) {
	t.Parallel()
	day := haulage()
	day.Drivers[0].Hours = driver.Hours{Starts: 300, Ends: 299}
	day.Orders[0].Delivery.Window.Latest = clock(28)
	_, s := hauling(t, day, 18*60)
	require.Empty(t, s.Routes, "nobody drives that alone")

	day.Drivers[0].CoDriver = &planning.CoDriver{ID: 2}
	_, s = hauling(t, day, 18*60)
	require.Empty(t, s.Routes, "nor with somebody who does not drive")

	day.Drivers[0].CoDriver.SharesDriving = true
	draft, s := hauling(t, day, 18*60)
	require.Len(t, s.Routes, 1)
	require.Equal(t, 18*time.Hour, s.Routes[0].Driving)
	require.Empty(t, s.Routes[0].Breaks)
	require.Equal(t, 2*time.Hour, *s.Routes[0].DrivingLeft, "ten hours each")
	require.EqualValues(t, 21*3600, draft.Problem.Shifts[0].MaxSeconds, "nine hours of rest within thirty")
}

// TestBothMustBeRested begins when both have rested, and ends before either must rest for the next day.
func TestBothMustBeRested(t *testing.T) {
	t.Parallel()
	day := haulage()
	was := date.AddDate(0, 0, -1)
	late := driver.Worked{
		Date: was, Driving: 9 * time.Hour, Starts: was.Add(12 * time.Hour), Ends: was.Add(23 * time.Hour),
	}
	day.Drivers[0].Next = clock(24 + 20)
	day.Drivers[0].CoDriver = &planning.CoDriver{
		ID: 2, SharesDriving: true, Worked: []driver.Worked{late}, Next: clock(24 + 5),
	}
	shift := day.Draft().Problem.Shifts[0]
	require.EqualValues(t, []int64{8 * 3600, 20 * 3600}, []int64{shift.Start, shift.End})
	day.Drivers[0].CoDriver.SharesDriving = false
	shift = day.Draft().Problem.Shifts[0]
	require.EqualValues(t, []int64{5 * 3600, 23 * 3600}, []int64{shift.Start, shift.End}, "the rule is the driver's")
}

// TestOneOfTwoMayDriveNoLonger ends the driving of both, who drive half each.
func TestOneOfTwoMayDriveNoLonger(t *testing.T) {
	t.Parallel()
	day := haulage()
	day.Date, day.Now = date.AddDate(0, 0, 6), day.Now.AddDate(0, 0, 6)
	day.Drivers[0].CoDriver = &planning.CoDriver{ID: 2, SharesDriving: true}
	for before := 6; before > 0; before-- {
		was := day.Date.AddDate(0, 0, -before)
		day.Drivers[0].CoDriver.Worked = append(day.Drivers[0].CoDriver.Worked, driver.Worked{
			Date: was, Driving: 9 * time.Hour, Starts: was.Add(5 * time.Hour), Ends: was.Add(16 * time.Hour),
		})
	}
	shift := day.Draft().Problem.Shifts[0]
	require.EqualValues(t, 4*3600, shift.MaxDriving, "two of fifty-six hours are left of the week")
}

func TestAForcedMoveSaysThatADriverIsAlone(t *testing.T) {
	t.Parallel()
	day := longDay(3)
	day.ForTwo = []int64{77}
	r, refusal := force(day, 4, func() bool { return false })
	require.Nil(t, refusal)
	require.Equal(t, []planning.Break{{OrderID: 4, DriverID: 1, Code: planning.NeedsTwoPeople, SkillID: 77}}, r.Breaks)
}
