package planning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/visit"
	"waybill/operations/operationstest"
)

// TestLimitsAndDrivingRulesArePlanned reads the limits of a shift from where they are set, the narrowest of them, and
// the rule with what the driver did on the days before; and keeps what it plans.
func TestLimitsAndDrivingRulesArePlanned(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	d.Do("update organizations set max_stops = 30 where id = $1", d.Org)
	d.Do("update vehicle_types set max_stops = 20, max_driving_minutes = 400, driving_rule = 'EU_561_2006' where org_id = $1", d.Org)
	d.Do("update vehicle_types set extra_setup_seconds = 180 where org_id = $1", d.Org)
	d.Do(`insert into driver_workdays (org_id, driver_id, date, works, starts, ends, max_stops)
		select org_id, id, $2::date, true, 420, 900, 25 from drivers where org_id = $1
		on conflict (org_id, driver_id, date) do update set max_stops = 25`, d.Org, operationstest.Area.Date)
	yesterday := operationstest.Area.Date.AddDate(0, 0, -1)
	d.Do(`with earlier as (insert into plans (org_id, day) values ($1, $2) returning id)
		insert into plan_routes (org_id, plan_id, driver_id, starts_at, ends_at, driving_seconds, waiting_seconds, meters,
			weight_kg, volume_m3)
		select v.org_id, e.id, v.id, $2::timestamptz + interval '8 hours', $2::timestamptz + interval '20 hours', 36000, 0, 1, 0, 0
		from drivers v, earlier e where v.org_id = $1`, d.Org, yesterday)
	d.Load(operationstest.Numbered(1), "D-1")
	require.Equal(t, 1, d.Plan().Planned)

	day, err := d.Store.PlanningDay(t.Context(), d.Org, operationstest.Area, d.Now)
	require.NoError(t, err)
	require.NotEmpty(t, day.Drivers)
	for i := range day.Drivers {
		of := &day.Drivers[i]
		require.Equal(t, 20, of.Limits.Stops, "the narrowest")
		require.Equal(t, 400, of.Limits.DrivingMinutes)
		require.Equal(t, 3*time.Minute, of.Vehicle.ExtraSetup)
		require.NotNil(t, of.Rule)
		require.Equal(t, 45, of.Rule.Break)
		require.Len(t, of.Worked, 1)
		require.Equal(t, 10*time.Hour, of.Worked[0].Driving)
		require.Equal(t, yesterday, of.Worked[0].Date)
	}
	require.Len(t, day.Routes, 1)
	route := day.Routes[0]
	require.Equal(t, visit.UsualSetup+3*time.Minute, route.Stops[1].Setup)
	require.NotNil(t, route.DrivingLeft)
	require.Equal(t, 10*time.Hour-route.Driving, *route.DrivingLeft, "ten hours twice a week")
	d.Rest() // what is kept is what is planned
}

// TestDrivingOfANightIsDividedAtMidnight reads what a driver drove on Sunday evening, and what on Monday, of one shift.
func TestDrivingOfANightIsDividedAtMidnight(t *testing.T) {
	t.Parallel()
	for name, day := range nights {
		n := newNight(t, day)
		n.gives("A-1", "D-1", 0, 23, 23, 1)
		n.gives("A-2", "D-3", 0, 25, 26, 2)
		done, planned := n.plans(0)
		require.Equal(t, 2, done.Planned, name)
		n.Do("update vehicle_types set driving_rule = 'EU_561_2006' where org_id = $1", n.Org)
		_, next := n.plans(1)
		require.Len(t, next.Drivers, 1)
		require.Len(t, next.Drivers[0].Worked, 1)
		worked, route := next.Drivers[0].Worked[0], planned.Routes[0]
		evening := of(route, "pickup", 0).Driving + of(route, "delivery", 0).Driving
		require.Positive(t, evening, name)
		require.Positive(t, worked.Night, name)
		require.Equal(t, route.Driving, worked.Driving, name)
		require.Equal(t, route.Driving-evening, worked.Night, name)
	}
}
