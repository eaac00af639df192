package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
	"waybill/store"
)

// night is Nora's shift in Oslo from ten in the evening until six in the morning, with a break after one. Nobody else
// works.
type night struct {
	*operationstest.Road

	day time.Time
}

func newNight(t *testing.T, day time.Time) *night {
	t.Helper()
	n := &night{Road: &operationstest.Road{Dispatch: operationstest.NewDispatch(t,
		`starts: "07:00", ends: "16:00", break: {minutes: 30, earliest: "10:30", latest: "13:00"}`,
		`starts: "22:00", ends: "06:00", break: {minutes: 30, earliest: "01:00", latest: "03:00"}`)}, day: day}
	n.Do("update drivers set is_active = false where org_id = $1 and external_id <> 'nora'", n.Org)
	n.Nora = driverID(n.Dispatch, "Nora")
	n.Now = n.at(6, 0)
	return n
}

// at is a moment by the clocks of Oslo; 25 hours are one in the morning of the next day.
func (n *night) at(hour, minute int) time.Time {
	oslo, err := time.LoadLocation("Europe/Oslo")
	require.NoError(n.T, err)
	return time.Date(n.day.Year(), n.day.Month(), n.day.Day(), hour, minute, 0, 0, oslo)
}

// gives adds an order of the day from the terminal, in hours of the clock, so many days later.
func (n *night) gives(number, to string, days, pickup, delivery, lasts int) {
	n.T.Helper()
	within := func(l *order.LocationRequest, hour int) {
		l.Earliest, l.Latest = n.at(hour, 0).Format(time.RFC3339), n.at(hour+lasts, 0).Format(time.RFC3339)
	}
	n.Load(number, to, func(r *order.Request) {
		r.Date = n.day.AddDate(0, 0, days).Format(time.DateOnly)
		within(r.Pickup, pickup)
		within(r.Delivery, delivery)
	})
	n.Do("update orders set created_at = $2 where org_id = $1", n.Org, n.day)
}

// plans plans a day, so many days later, and returns it with its plan.
func (n *night) plans(days int) (planningops.PlannedDay, planning.Day) {
	n.T.Helper()
	area := planning.Area{Date: n.day.AddDate(0, 0, days)}
	done, err := n.Planning.PlanDay(n.T.Context(), caller.Service(n.Org, "plan/test"), planningops.PlanningSlice{Area: area})
	require.NoError(n.T, err)
	day, err := n.Store.PlanningDay(n.T.Context(), n.Org, area, n.Now)
	require.NoError(n.T, err)
	return done, day
}

// works sets the hours of a driver on the day after the night, with the vehicle of another one.
func (n *night) works(name, vehicleOf string, starts, ends int) {
	n.T.Helper()
	n.Do(`insert into driver_workdays (org_id, driver_id, date, works, starts, ends, vehicle_id)
		select d.org_id, d.id, $2::date, true, $3, $4, v.vehicle_id from drivers d
		join drivers v on v.org_id = d.org_id and v.name = $6 where d.org_id = $1 and d.name = $5`,
		n.Org, n.day.AddDate(0, 0, 1), starts, ends, name, vehicleOf)
}

// off gives a driver a day off, so many days later.
func (n *night) off(name string, days int) {
	n.T.Helper()
	n.Do(`insert into driver_workdays (org_id, driver_id, date, works, starts, ends)
		select org_id, id, $2::date, false, 0, 0 from drivers where org_id = $1 and name = $3`,
		n.Org, n.day.AddDate(0, 0, days), name)
}

func (n *night) stop(number, kind string) int64 {
	n.T.Helper()
	return operationstest.One[int64](n.Office, `select s.id from order_stops s join orders o on o.org_id = s.org_id and o.id = s.order_id
		where s.org_id = $1 and o.number = $2 and s.kind = $3`, n.Org, number, kind)
}

// expected is the live ETA of a delivery.
func (n *night) expected(number string) time.Time {
	n.T.Helper()
	return operationstest.One[time.Time](n.Office, `select e.eta from live_etas e join orders o on o.org_id = e.org_id and o.id = e.order_id
		where e.org_id = $1 and o.number = $2 and e.kind = 'delivery'`, n.Org, number)
}

// nights are an ordinary one, and those in which the clocks are turned.
var nights = map[string]time.Time{
	"Usual":   operationstest.PlannedOn,
	"Forward": time.Date(2026, 3, 28, 0, 0, 0, 0, time.UTC),
	"Back":    time.Date(2026, 10, 24, 0, 0, 0, 0, time.UTC),
}

// TestANightIsPlannedAndDriven plans two orders after midnight in the shift of the day before, drives them, and plans
// a third one on the way.
func TestANightIsPlannedAndDriven(t *testing.T) {
	t.Parallel()
	for name, day := range nights {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNight(t, day)
			n.gives("A-1", "D-1", 0, 24, 24, 2)
			n.gives("A-2", "D-3", 0, 24, 27, 2)
			done, planned := n.plans(0)
			require.Equal(t, 2, done.Planned, done.Why)
			require.Len(t, planned.Routes, 1)
			route := planned.Routes[0]
			require.False(t, route.Starts.Before(n.at(22, 0)))
			require.False(t, route.Ends.After(n.at(30, 0)))
			require.False(t, route.BreakStarts.Before(n.at(25, 0)), "the break is after midnight")
			require.False(t, route.BreakEnds.After(n.at(27, 0)))
			for _, s := range route.Stops {
				require.False(t, s.Starts.Before(n.at(24, 0)), "the stops are after midnight")
			}
			require.False(t, of(route, "delivery", 1).Starts.Before(n.at(27, 0)))
			require.Equal(t, n.at(30, 0).UTC(), done.Wake.UTC(), "the day lasts until the shift is over")

			n.drives(t)
		})
	}
}

// of is the nth stop of a kind on a route.
func of(r planning.Route, kind order.StopKind, nth int) planning.Placed {
	for _, s := range r.Stops {
		if s.Kind == kind {
			if nth--; nth < 0 {
				return s
			}
		}
	}
	return planning.Placed{}
}

// drives takes Nora through the night: she picks up after midnight, an order comes in, and she is late.
func (n *night) drives(t *testing.T) {
	t.Helper()
	days := func() string {
		return operationstest.One[string](n.Office, `select coalesce(string_agg(day::text, ' ' order by day), '')
			from driver_days where org_id = $1`, n.Org)
	}
	n.Now = n.at(23, 45)
	n.Says(driving.StartRoute, 0)
	require.Equal(t, n.day.Format(time.DateOnly), days())
	n.Now = n.at(24, 20)
	n.Says(driving.PickUp, n.stop("A-1", "pickup"))
	n.Says(driving.PickUp, n.stop("A-2", "pickup"))
	require.True(t, n.expected("A-1").After(n.Now), "live ETAs move")
	require.True(t, n.expected("A-1").Before(n.at(26, 0)))

	n.Now = n.at(24, 30)
	n.gives("A-3", "D-2", 0, 25, 25, 5)
	done, planned := n.plans(0)
	require.Equal(t, planning.DayPlanned, done.State, "the plan of yesterday goes on")
	require.Equal(t, 3, done.Planned, done.Why)
	require.Equal(t, "Nora", n.DriverOf("A-3"))
	require.False(t, planned.Routes[0].Ends.After(n.at(30, 0)))

	for minute := 35; minute < 50; minute += 5 {
		n.Now = n.at(24, minute)
		n.Was(driving.Position{At: n.Now, Latitude: 59.92 + float64(minute)/10_000, Longitude: 10.80})
	}
	n.Now = n.at(26, 10)
	n.watches(t, driving.DaySilent, "LATE_STOP")
	n.Says(driving.Deliver, n.stop("A-1", "delivery"))
	n.watches(t, driving.DayUnderWay, "LATE_STOP OVER system")
	n.Now = n.at(29, 0)
	for _, number := range []string{"A-2", "A-3"} {
		if number == "A-3" {
			n.Says(driving.PickUp, n.stop(number, "pickup"))
		}
		n.Says(driving.Deliver, n.stop(number, "delivery"))
	}
	n.Says(driving.EndRoute, 0)
	n.watches(t, driving.DayOver, "")
	_, err := n.Driving.MatchDrive(t.Context(), caller.Service(n.Org, "drive/test"), driveDay(n))
	require.NoError(t, err)
	require.Equal(t, n.day.Format(time.DateOnly), operationstest.One[string](n.Office, `
		select string_agg(distinct day::text, ' ') from driven_legs where org_id = $1 and positions >= 3`, n.Org))
	require.Equal(t, n.day.Format(time.DateOnly), days(), "all of it is of one day")
	n.Now = n.at(30, 0)
	done, _ = n.plans(0)
	require.Equal(t, planning.DayOver, done.State)
}

// TestPeopleDecideAfterMidnight moves, holds, previews and releases at one in the morning.
func TestPeopleDecideAfterMidnight(t *testing.T) {
	t.Parallel()
	n := newNight(t, operationstest.PlannedOn)
	n.Do("update drivers set is_active = true where org_id = $1 and name = 'Jens'", n.Org)
	for i, to := range []string{"D-1", "D-2", "D-3"} {
		n.gives(operationstest.Numbered(i), to, 0, 24, 26, 4)
	}
	n.plans(0)
	nora, jens := "Nora", "Jens"
	if n.DriverOf("A-0") == jens {
		nora, jens = jens, nora
	}
	n.Now = n.at(24, 10)
	by := person(n.Dispatch)
	ranked, err := n.Planning.RankDrivers(t.Context(), by, operationstest.Area, moves(n.Dispatch, jens, "A-0").Moves[0].OrderID)
	require.NoError(t, err)
	require.Len(t, ranked.Drivers, 2)
	moved, err := n.Planning.MoveOrders(t.Context(), by, moves(n.Dispatch, jens, "A-0"))
	require.NoError(t, err)
	require.True(t, moved.Applied)
	require.Equal(t, jens, n.DriverOf("A-0"))
	held, err := n.Planning.HoldRoute(t.Context(), by, planningops.PlanHold{
		Area: operationstest.Area, Seen: versionOf(n.Road), DriverID: driverID(n.Dispatch, jens), Closed: true,
	})
	require.NoError(t, err)
	require.True(t, held.Applied)
	tried, err := n.Planning.PreviewPlan(t.Context(), by, planningops.PlanPreview{
		Area: operationstest.Area, Length: 200 * time.Millisecond,
		Scenario: planning.Scenario{Off: []int64{driverID(n.Dispatch, nora)}},
	})
	require.NoError(t, err)
	require.Equal(t, 2, tried.Before.Drivers)
	require.Equal(t, 1, tried.After.Drivers)
	_, err = n.Planning.ReleasePlan(t.Context(), by, operationstest.Area)
	require.NoError(t, err)
	require.Equal(t, 6, operationstest.One[int](n.Office, "select count(*) from plan_released_stops where org_id = $1", n.Org))
	done, _ := n.plans(0)
	require.Equal(t, planning.DayPlanned, done.State)
	require.Equal(t, 3, done.Planned)
}

// TestAnOrderLeftOverInTheNightNeedsAttention counts it after midnight until nobody can fetch it any more.
func TestAnOrderLeftOverInTheNightNeedsAttention(t *testing.T) {
	t.Parallel()
	n := newNight(t, operationstest.PlannedOn)
	n.gives("A-1", "D-4", 0, 24, 26, 2) // nobody knows where that is
	done, _ := n.plans(0)
	require.Equal(t, 1, done.Unplanned)
	n.Do("update plan_unplanned set since = $2 where org_id = $1", n.Org, n.at(8, 0))
	for hour, counted := range map[int]int64{8: 0, 23: 1, 25: 1, 26: 0, 49: 0} {
		waits, err := n.Store.NeedsAttention(t.Context(), n.at(hour, 0))
		require.NoError(t, err)
		require.Equal(t, counted, waits["order_left_over"], "at %d", hour)
	}
}

// watches looks at the night, which has such an exception.
func (n *night) watches(t *testing.T, state driving.DayState, exception string) {
	t.Helper()
	looked, err := n.Driving.LookAtDrive(t.Context(), caller.Service(n.Org, "drive/test"), driveDay(n))
	require.NoError(t, err)
	require.Equal(t, state, looked.State)
	if exception != "" {
		require.Equal(t, exception, operationstest.One[string](n.Office, `select concat_ws(' ', kind, resolution, resolved_by)
			from exceptions where org_id = $1 and day = $2 and kind = 'LATE_STOP'`, n.Org, n.day))
	}
}

// TestTheNextDayBeginsAfterTheNight plans nothing for Nora before six, and nothing for another driver with her van.
func TestTheNextDayBeginsAfterTheNight(t *testing.T) {
	t.Parallel()
	for name, day := range nights {
		for _, driver := range []string{"Nora", "Jens"} {
			t.Run(name+driver, func(t *testing.T) {
				t.Parallel()
				n := newNight(t, day)
				n.Do("update drivers set is_active = true where org_id = $1 and name = $2", n.Org, driver)
				if driver == "Jens" { // off in the night
					n.off("Jens", 0)
					n.off("Nora", 1)
				}
				n.works(driver, "Nora", 4*60, 14*60)
				n.gives("B-1", "D-1", 1, 28, 28, 8)
				done, planned := n.plans(1)
				require.Equal(t, 1, done.Planned, done.Why)
				require.Equal(t, driver, n.DriverOf("B-1"))
				require.False(t, planned.Routes[0].Starts.Before(n.at(30, 0)))
				require.True(t, planned.Routes[0].Starts.Before(n.at(31, 0)))

				n.Do("update driver_workday_rules set ends = 1400 where org_id = $1", n.Org)
				n.Do("delete from plan_stops where org_id = $1", n.Org)
				n.Do("delete from plan_routes where org_id = $1", n.Org)
				_, planned = n.plans(1)
				require.True(t, planned.Routes[0].Starts.Before(n.at(29, 0)), "without the night, it begins at four")
			})
		}
	}
}

func driveDay(n *night) store.DriveDay { return store.DriveDay{DriverID: n.Nora, Day: n.day} }
