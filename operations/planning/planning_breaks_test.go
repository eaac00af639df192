package planning_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
	"waybill/operations/operationstest"
)

// TestSeveralBreaksArePlanned reads the breaks of rules and of single days, and keeps what it plans.
func TestSeveralBreaksArePlanned(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	for _, table := range []string{"driver_workday_rules", "driver_workdays"} {
		if table == "driver_workdays" {
			d.Do(`insert into driver_workdays (org_id, driver_id, date, works, starts, ends)
				select org_id, id, $2::date, true, 420, 900 from drivers where org_id = $1`, d.Org, operationstest.Area.Date)
		}
		d.Do(`update `+table+` set starts = 300, ends = 1380, break_minutes = 20, break_earliest = 300, break_latest = 480,
			more_breaks = '[{"minutes": 25, "earliest": 480, "latest": 1320}]' where org_id = $1`, d.Org)
		day, err := d.Store.PlanningDay(t.Context(), d.Org, operationstest.Area, d.Now)
		require.NoError(t, err)
		require.NotEmpty(t, day.Drivers)
		require.Equal(t, []driver.Break{
			{Minutes: 20, Earliest: 300, Latest: 480}, {Minutes: 25, Earliest: 480, Latest: 1320},
		}, day.Drivers[0].Hours.Breaks(), table)
	}
	for i, to := range []string{"D-1", "D-2", "D-3"} {
		d.Load(operationstest.Numbered(i+1), to)
	}
	require.Equal(t, 3, d.Plan().Planned)
	day, err := d.Store.PlanningDay(t.Context(), d.Org, operationstest.Area, d.Now)
	require.NoError(t, err)
	require.NotEmpty(t, day.Routes)
	some := 0
	for i := range day.Routes {
		r := &day.Routes[i]
		some += len(r.Breaks)
		for _, rest := range r.Breaks {
			require.Contains(t, []time.Duration{20 * time.Minute, 25 * time.Minute}, rest.Ends.Sub(rest.Starts))
		}
		require.Equal(t, r.BreakStarts.IsZero(), len(r.Breaks) == 0)
	}
	require.Positive(t, some)
	d.Rest() // what is kept is what is planned
}

// TestABreakAtALocationIsPlanned reads where breaks of rules and of single days are, and keeps where the plan has them.
func TestABreakAtALocationIsPlanned(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	canteen := operationstest.One[int64](d.Office, `
		insert into locations (org_id, name, address1, postal_code, city, country, match_key, latitude, longitude)
		select org_id, 'Canteen', 'Storgata 1', '0155', 'Oslo', 'NO', sha256('canteen'), latitude + 0.0037, longitude from locations
		where org_id = $1 and latitude is not null order by id limit 1 returning id`, d.Org)
	for _, table := range []string{"driver_workday_rules", "driver_workdays"} {
		if table == "driver_workdays" {
			d.Do(`insert into driver_workdays (org_id, driver_id, date, works, starts, ends)
				select org_id, id, $2::date, true, 420, 900 from drivers where org_id = $1`, d.Org, operationstest.Area.Date)
		}
		d.Do(`update `+table+` set starts = 300, ends = 1380, break_minutes = 20, break_earliest = 300, break_latest = 480,
			break_location_ids = array[$2::bigint] where org_id = $1`, d.Org, canteen)
		day, err := d.Store.PlanningDay(t.Context(), d.Org, operationstest.Area, d.Now)
		require.NoError(t, err)
		require.NotEmpty(t, day.Drivers)
		require.Equal(t, canteen, day.Drivers[0].Hours.Break.LocationID, table)
		require.NotNil(t, day.Drivers[0].BreakPlaces[canteen], table)
	}
	for i, to := range []string{"D-1", "D-2", "D-3"} {
		d.Load(operationstest.Numbered(i+1), to)
	}
	require.Equal(t, 3, d.Plan().Planned)
	day, err := d.Store.PlanningDay(t.Context(), d.Org, operationstest.Area, d.Now)
	require.NoError(t, err)
	some := 0
	for i := range day.Routes {
		for _, rest := range day.Routes[i].Breaks {
			some++
			require.Equal(t, canteen, rest.Place.LocationID)
			require.Positive(t, rest.Place.Meters)
		}
	}
	require.Positive(t, some)
	said := operationstest.One[string](d.Office, `
		select breaks_document(org_id, breaks)::text from plan_routes where org_id = $1 and breaks <> '[]' limit 1`, d.Org)
	require.Contains(t, said, `"name": "Canteen"`)
	legs := operationstest.One[string](d.Office, `
		select concat_ws(' ', count(*) filter (where l.seq < 0 and l.to_latitude = c.latitude),
			count(*) filter (where l.seq > 0 and l.from_latitude = c.latitude))
		from plans p cross join lateral legs_of_plan(p.org_id, p.id, null) l join locations c on c.id = $2
		where p.org_id = $1`, d.Org, canteen)
	require.Equal(t, fmt.Sprint(some, some), legs, "the ways to the breaks, and on from there")
	d.Rest() // what is kept is what is planned
}
