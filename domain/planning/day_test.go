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

var (
	oslo, lillestrom = at(59.91, 10.75), at(59.96, 11.05)
	date             = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
)

// clock is a moment of the day, in UTC.
func clock(hour int) time.Time { return date.Add(time.Duration(hour) * time.Hour) }

func anOrder(id int64) planning.Order {
	return planning.Order{
		ID: id, Status: order.Registered, VehicleTypeID: 2, Load: planning.LoadOf(80, 0.5, 3),
		Pickup: planning.Stop{
			Point: &oslo, Window: order.Window{Earliest: clock(8), Latest: clock(10)}, Service: time.Minute,
		},
		Delivery: planning.Stop{Point: &lillestrom, Window: order.Window{Earliest: clock(9), Latest: clock(14)}},
	}
}

func aDriver(id int64) planning.Driver {
	weight, route := 1200.0, 250.0
	return planning.Driver{
		ID: id, Skills: []int64{7, 3},
		Hours: driver.Hours{Starts: 420, Ends: 900, Break: driver.Break{Minutes: 30, Earliest: 660, Latest: 780}},
		Vehicle: planning.Vehicle{
			TypeID: 4, AlsoServes: []int64{2}, Profile: planning.Truck, MaxWeightKg: &weight, MaxRouteKm: &route,
			Skills: []int64{3, 5}, Home: &oslo,
		},
	}
}

func aDay(hour int, orders []planning.Order, drivers ...planning.Driver) planning.Day {
	return planning.Day{
		Clock: planning.Clock{Date: date, Zone: time.UTC}, Now: clock(hour), Orders: orders, Drivers: drivers,
	}
}

func TestOnlyOpenOrdersArePlanned(t *testing.T) {
	t.Parallel()
	var orders []planning.Order
	for status := order.Registered; status <= order.Cancelled; status++ {
		o := anOrder(int64(status))
		o.Status = status
		orders = append(orders, o)
	}
	exported := anOrder(99)
	exported.Exported = true
	orders = append(orders, exported)
	require.Equal(t, planning.Elsewhere, exported.Standing())
	require.Equal(t, planning.Started, orders[order.PickedUp-1].Standing())
	require.Equal(t, planning.Ended, orders[order.Failed-1].Standing())
	draft := aDay(6, orders, aDriver(1)).Draft()
	require.Equal(t, []int64{int64(order.Registered), int64(order.Planned)}, draft.Orders)
	nobody := planning.NoDriver
	require.Equal(t, map[int64]planning.Reason{3: nobody, 4: nobody}, draft.Unplannable, "and those in the air say so")
}

func TestADayBecomesAProblem(t *testing.T) {
	t.Parallel()
	o, d := anOrder(1), aDriver(17)
	o.Needs, o.Refuses, o.Prohibited = []int64{3}, []int64{9}, []int64{18}
	o.Delivery.Priority = order.PriorityHigh
	end := lillestrom
	other := aDriver(18)
	other.Vehicle = planning.Vehicle{TypeID: 2, Profile: planning.Bike}
	other.Hours, other.End = driver.Hours{Starts: 1320, Ends: 360}, &end
	draft := aDay(6, []planning.Order{o}, d, other).Draft()

	require.Equal(t, []int64{17, 18}, draft.Drivers)
	require.Equal(t, []planning.Point{oslo, lillestrom}, draft.Points)
	require.Equal(t, []planning.Profile{planning.Truck, planning.Bike}, draft.Profiles)
	require.Equal(t, []routing.Request{{
		Pickup:      routing.Stop{Place: 0, Opens: 8 * 3600, Closes: 10 * 3600, ServiceSeconds: 60, Site: 1},
		Delivery:    routing.Stop{Place: 1, Opens: 9 * 3600, Closes: 14 * 3600, Site: 2},
		Load:        routing.Load{80_000, 500, 3},
		VehicleType: 2, Needs: []int{3}, Refuses: []int{9}, Never: []int{1}, Penalty: 8 * routing.Planned,
	}}, draft.Problem.Requests)
	require.Equal(t, []routing.Shift{
		{
			Start: 7 * 3600, End: 15 * 3600, Capacity: routing.Load{1_200_000, 1 << 30, 1 << 30},
			Serves: []int{4, 2}, Skills: []int{3, 5, 7}, MaxMeters: 250_000,
			Break: routing.Break{Earliest: 11 * 3600, Latest: 12*3600 + 1800, Seconds: 1800},
		},
		{
			Profile: 1, From: routing.Anywhere, To: 1, Start: 22 * 3600, End: 30 * 3600,
			Capacity: routing.Load{1 << 30, 1 << 30, 1 << 30}, Serves: []int{2}, Skills: []int{3, 7},
		},
	}, draft.Problem.Shifts)
}

// fiveMinutes is a matrix in which every leg takes as long.
func fiveMinutes(places int) routing.Travel {
	legs := make([]routing.Leg, places*places)
	for i := range legs {
		if i%(places+1) != 0 {
			legs[i] = routing.Leg{Seconds: 300, Meters: 3000}
		}
	}
	return routing.Travel{Places: places, Legs: legs}
}

func TestADraftWithTravelTimesIsAProblemThatCanBeSolved(t *testing.T) {
	t.Parallel()
	early, heavy := anOrder(2), anOrder(3)
	early.Pickup.Window.Earliest = clock(-5)
	heavy.Load = planning.LoadOf(1e12, 0, 0)
	over := anOrder(4)
	over.Pickup.Window.Latest = clock(-1)
	day := aDay(-9, []planning.Order{anOrder(1), early, heavy, over}, aDriver(17))
	draft := day.Draft()
	require.Equal(t, map[int64]planning.Reason{3: planning.LoadOutOfRange, 4: planning.WindowInThePast}, draft.Unplannable)
	draft.Problem.Travel = []routing.Travel{fiveMinutes(len(draft.Points))}
	draft.Problem.Objective = routing.Objective{Shift: routing.FewestShifts, Second: 1}
	require.NoError(t, draft.Problem.Validate())
	plan := routing.Plan{Routes: make([][]routing.Visit, 1)}
	for r, planned := range []bool{true, true} {
		next, fits := routing.Insert(&draft.Problem, plan, r)
		require.Equal(t, planned, fits, "order %d", draft.Orders[r])
		if fits {
			plan = next
		}
	}
	require.Empty(t, routing.Broken(&draft.Problem, plan))
	require.Empty(t, plan.Unplanned(2))
}

func TestFinishedWorkIsNotPlanned(t *testing.T) {
	t.Parallel()
	draft := aDay(15, nil, aDriver(1)).Draft()
	require.Empty(t, draft.Drivers, "work ends at three")
	draft = aDay(14, nil, aDriver(1)).Draft()
	require.EqualValues(t, 14*3600, draft.Problem.Shifts[0].Start)
	require.Zero(t, draft.Problem.Shifts[0].Break, "the break is over")
	draft = aDay(12, nil, aDriver(1)).Draft()
	require.EqualValues(t, 12*3600, draft.Problem.Shifts[0].Break.Earliest)
}

func TestUnplannableOrdersHaveReasons(t *testing.T) {
	t.Parallel()
	nowhere, past, apart, locked, free := anOrder(1), anOrder(2), anOrder(3), anOrder(4), anOrder(5)
	nowhere.Delivery.Point = nil
	past.Pickup.Window.Latest = clock(5)
	apart.Pickup.Window.Earliest = clock(14)
	locked.LockedTo, free.LockedTo = 18, 17
	draft := aDay(6, []planning.Order{nowhere, past, apart, locked, free}, aDriver(17)).Draft()
	require.Equal(t, map[int64]planning.Reason{
		1: planning.NoCoordinates, 2: planning.WindowInThePast, 3: planning.WindowsContradict, 4: planning.LockedDriverOff,
	}, draft.Unplannable)
	require.Equal(t, []int64{5}, draft.Orders)
	require.Equal(t, []int{0}, draft.Problem.Requests[0].Only)
	require.Equal(t, map[int64]planning.Reason{5: planning.NoWorkday},
		aDay(6, []planning.Order{free}).Draft().Unplannable)
	require.Equal(t, planning.WindowsContradict, free.Impossible(clock(6), 6*time.Hour))
	require.Empty(t, free.Impossible(clock(6), 5*time.Hour))
}

func TestLoadsRoundUpAndLimitsRoundDown(t *testing.T) {
	t.Parallel()
	require.Equal(t, routing.Load{1001, 1, 2}, planning.LoadOf(1.0001, 0.0001, 2))
	require.Equal(t, routing.Load{64100, 300, 0}, planning.LoadOf(64.1, 0.1+0.2, 0), "but for the noise of decimals")
	require.Equal(t, routing.Load{1 << 30, 0, 0}, planning.LoadOf(1e12, -1, 0))
	d := aDriver(1)
	weight := 0.0015
	d.Vehicle.MaxWeightKg = &weight
	require.EqualValues(t, 1, aDay(6, nil, d).Draft().Problem.Shifts[0].Capacity[0])
}

// The clocks of Oslo are turned forward on 29 March 2026.
func TestHoursAreThoseOfTheZone(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	c := planning.Clock{Date: time.Date(2026, 3, 28, 0, 0, 0, 0, time.UTC), Zone: zone}
	starts, ends := c.Work(driver.Hours{Starts: 1320, Ends: 360})
	require.Equal(t, 7*time.Hour, ends.Sub(starts), "one hour of the night is missing")
	night := driver.Hours{Starts: 1320, Ends: 360, Break: driver.Break{Minutes: 30, Earliest: 1430, Latest: 60}}
	earliest, latest := c.Break(night)
	require.Equal(t, "28T23:50 29T00:30", earliest.Format("02T15:04 ")+latest.Format("02T15:04"))
}
