package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/domain/pricing"
	"waybill/domain/routing"
)

func amount(v float64) *float64 { return &v }

var inKroner = pricing.Costs{PerShift: amount(400), PerHour: amount(540), PerKm: amount(4.5)}

// lorry is a driver whose vehicle costs more than others.
func lorry(id int64) planning.Driver {
	d := aDriver(id)
	d.Vehicle.ID, d.Vehicle.Costs = id, pricing.OfVehicle{
		CostPerShift: amount(900), CostPerHour: amount(800), CostPerKm: amount(9),
	}
	return d
}

// paid plans a day with legs of five minutes and three kilometers.
func paid(t *testing.T, day planning.Day) (*planning.Draft, planning.Solution) {
	t.Helper()
	draft := day.Draft()
	for range draft.Profiles {
		draft.Problem.Travel = append(draft.Problem.Travel, fiveMinutes(len(draft.Points)))
	}
	require.NoError(t, draft.Problem.Validate())
	r, err := routing.Improve(&draft.Problem, draft.Present, routing.Options{Seed: 1, Spent: routing.Iterations(200)})
	require.NoError(t, err)
	require.Empty(t, routing.Broken(&draft.Problem, r.Plan))
	bill := routing.Charge(&draft.Problem, r.Plan)
	require.Equal(t, r.Cost.Total, bill.Total())
	return draft, draft.Solution(r.Plan, time.Second)
}

// TestWithoutPricesPlansUseAsFewShiftsAsPossible whatever vehicles cost.
func TestWithoutPricesPlansUseAsFewShiftsAsPossible(t *testing.T) {
	t.Parallel()
	draft, s := paid(t, aDay(6, []planning.Order{anOrder(1)}, lorry(1)))
	usual := routing.Objective{Shift: routing.FewestShifts, Second: 100, Meter: 1, Waiting: 10}
	require.Equal(t, usual, draft.Problem.Objective)
	shift := draft.Problem.Shifts[0]
	require.Nil(t, shift.Rates)
	require.Zero(t, shift.Fee)
	require.Zero(t, shift.Overtime)
	require.Equal(t, &planning.Costs{
		Unit: planning.DrivingSeconds, Total: 660, Driving: 600, Distance: 60,
	}, s.Routes[0].Costs, "six kilometers cost as much as a minute")
}

// TestRoutesCostWhatTheirVehiclesDo has the amounts of the example in the guide.
func TestRoutesCostWhatTheirVehiclesDo(t *testing.T) {
	t.Parallel()
	day := aDay(6, []planning.Order{anOrder(1)}, aDriver(1))
	day.Costs = inKroner
	_, s := paid(t, day)
	require.Equal(t, &planning.Costs{
		Unit: planning.Hundredths, Total: 52600, Shift: 40000, Driving: 9000, Service: 900, Distance: 2700,
	}, s.Routes[0].Costs)

	day.Drivers = []planning.Driver{lorry(1)}
	_, s = paid(t, day)
	require.Equal(t, &planning.Costs{
		Unit: planning.Hundredths, Total: 110066, Shift: 90000, Driving: 13333, Service: 1333, Distance: 5400,
	}, s.Routes[0].Costs)

	day.Drivers = []planning.Driver{lorry(1), aDriver(2)}
	_, s = paid(t, day)
	require.EqualValues(t, 2, s.Routes[0].DriverID, "the van is cheaper")
}

// TestTwoShiftsMayBeCheaperThanOne saves hours of waiting with a second driver. Without prices, one waits.
func TestTwoShiftsMayBeCheaperThanOne(t *testing.T) {
	t.Parallel()
	late := anOrder(2)
	late.Pickup.Window = order.Window{Earliest: clock(13), Latest: clock(14)}
	day := aDay(6, []planning.Order{anOrder(1), late}, aDriver(1), aDriver(2))
	_, s := paid(t, day)
	require.Len(t, s.Routes, 1)
	day.Costs = inKroner
	_, s = paid(t, day)
	require.Len(t, s.Routes, 2, "hours of waiting cost more than a shift")
	day.Costs.PerShift = amount(40_000)
	_, s = paid(t, day)
	require.Len(t, s.Routes, 1, "which a shift outweighs again")
	require.Positive(t, s.Routes[0].Costs.Waiting)
}

// TestCostsAreOfTheWholeDay compares a route before the day with that of a driver who is on the road.
func TestCostsAreOfTheWholeDay(t *testing.T) {
	t.Parallel()
	day := aDay(6, []planning.Order{anOrder(1)}, aDriver(1))
	day.Costs = inKroner
	_, s := paid(t, day)
	was := *s.Routes[0].Costs
	commit(&day, s)
	stop := s.Routes[0].Stops[0]
	day.Orders[0].Status, day.Orders[0].Pickup.Standing = order.PickedUp, served(stop.Arrives, stop.Leaves)
	day.Now, day.Routes[0].Costs = stop.Leaves, nil // so that it is priced again
	_, s = paid(t, day)
	require.Len(t, s.Routes[0].Stops, 2)
	require.Equal(t, was, *s.Routes[0].Costs)

	commit(&day, s)
	day.Costs.PerKm = amount(9)
	_, s = paid(t, day)
	require.Equal(t, was.Distance*2, s.Routes[0].Costs.Distance, "another price shows, although the route stays")
}

// TestOvertimeHasAPrice plans what ends five minutes late, where that is allowed.
func TestOvertimeHasAPrice(t *testing.T) {
	t.Parallel()
	o := anOrder(1)
	o.Delivery.Window = order.Window{Earliest: clock(15), Latest: clock(16)}
	day := aDay(6, []planning.Order{o}, aDriver(1))
	_, s := paid(t, day)
	require.Empty(t, s.Routes)
	require.Equal(t, planning.CannotBeHome, s.Unplanned[0].Reasons[0].Code)
	require.EqualValues(t, 300, s.Unplanned[0].Reasons[0].By)

	day.Costs.OvertimeMinutes = amount(4)
	_, s = paid(t, day)
	require.Empty(t, s.Routes)
	require.EqualValues(t, 60, s.Unplanned[0].Reasons[0].By, "a minute beyond the limit")

	day.Costs.OvertimeMinutes = amount(5)
	_, s = paid(t, day)
	require.EqualValues(t, 600, s.Routes[0].Costs.Overtime, "two minutes of driving for each of five")
	day.Costs.OvertimePrice = amount(0.5)
	_, s = paid(t, day)
	require.EqualValues(t, 150, s.Routes[0].Costs.Overtime)

	early := aDriver(2)
	early.Hours.Ends = 960
	day.Drivers = append(day.Drivers, early)
	_, s = paid(t, day)
	require.EqualValues(t, 2, s.Routes[0].DriverID, "who works until four needs no overtime")
	require.Zero(t, s.Routes[0].Costs.Overtime)
}

// TestOvertimeLeavesTheRestOfTheDriver ends it where the rest before the next day begins.
func TestOvertimeLeavesTheRestOfTheDriver(t *testing.T) {
	t.Parallel()
	d := aDriver(1)
	d.Rule = driver.DrivingRuleOf("EU_561_2006")
	day := aDay(6, []planning.Order{anOrder(1)}, d)
	day.Costs.OvertimeMinutes = amount(120)
	require.Equal(t, routing.Overtime{Seconds: 7200, Price: 200}, day.Draft().Problem.Shifts[0].Overtime)
	day.Drivers[0].Next = clock(24 + 1)
	shift := day.Draft().Problem.Shifts[0]
	require.EqualValues(t, 15*3600, shift.End)
	require.Less(t, shift.Overtime.Seconds, int64(7200))
	over := date.Add(time.Duration(shift.End+shift.Overtime.Seconds) * time.Second)
	require.Equal(t, day.Drivers[0].Rule.RestNeeded(date, nil), clock(25).Sub(over))
}
