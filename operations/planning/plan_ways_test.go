package planning_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/road"
	"waybill/domain/simulation"
	"waybill/internal/osrm"
	"waybill/operations/operationstest"
	"waybill/operations/planning"
	"waybill/store"
	"waybill/testing/stack"
)

// onStreets is a day in the center of Oslo, with travel times of a real server. The test is
// skipped where OSRM is not installed.
func onStreets(t *testing.T) (*operationstest.Dispatch, *stack.OSRM) {
	t.Helper()
	dir := t.TempDir()
	data, err := stack.BuildRoads(t.Context(), "../../demo/regions/oslo-center.osm.pbf", dir)
	if errors.Is(err, osrm.ErrMissing) {
		t.Skip(err)
	}
	require.NoError(t, err)
	server, err := stack.StartOSRM(t.Context(), data, filepath.Join(dir, "osrm.log"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Stop() })
	d := operationstest.NewDispatch(t,
		"latitude: 59.92, longitude: 10.84", "latitude: 59.9101, longitude: 10.7570",
		"latitude: 59.93, longitude: 10.75", "latitude: 59.9233, longitude: 10.7369",
		"latitude: 59.95, longitude: 10.77", "latitude: 59.9273, longitude: 10.7601",
		"latitude: 59.91, longitude: 10.63", "latitude: 59.9172, longitude: 10.7311")
	d.TravelBy(t, server.URL())
	for n := range 6 {
		d.Load(operationstest.Numbered(n), []string{"D-1", "D-2", "D-3"}[n%3])
	}
	planned(t, d)
	return d, server
}

// planned plans the day as the server says.
func planned(t *testing.T, d *operationstest.Dispatch) {
	t.Helper()
	done, err := d.Planning.PlanDay(t.Context(), caller.Service(d.Org, "plan/test"), planning.PlanningSlice{Area: operationstest.Area})
	require.NoError(t, err)
	require.Equal(t, "osrm", done.Travel)
}

func drawn(t *testing.T, d *operationstest.Dispatch) planning.DrawnDay {
	t.Helper()
	for {
		done, err := d.Planning.DrawDay(t.Context(), caller.Service(d.Org, "plan/test"), planning.PlanningSlice{Area: operationstest.Area})
		require.NoError(t, err)
		if done.Left == 0 || done.Failure != "" {
			return done
		}
	}
}

// legs are the legs of the day's routes, as they are read.
func legs(t *testing.T, d *operationstest.Dispatch) (all []store.PlannedLeg, stops int) {
	t.Helper()
	page, err := d.Store.PlanDay(t.Context(), d.Org, store.PlanQuery{Day: operationstest.PlannedOn, Size: 50, Geometry: true})
	require.NoError(t, err)
	require.NotEmpty(t, page.Routes)
	for _, r := range page.Routes {
		for n, leg := range r.Legs {
			require.Equal(t, int32(n+1), leg.Sequence)
		}
		all = append(all, r.Legs...)
		stops += operationstest.One[int](d.Office, "select count(*) from plan_stops where org_id = $1 and driver_id = $2", d.Org, r.DriverID)
	}
	require.Len(t, all, stops+len(page.Routes), "one for each stop, and one to the end")
	return all, stops
}

func known(legs []store.PlannedLeg) (count int) {
	for _, leg := range legs {
		if leg.Polyline != "" {
			count++
		}
	}
	return count
}

// TestRoutesAreDrawnAlongStreets plans a day, and draws its ways once.
func TestRoutesAreDrawnAlongStreets(t *testing.T) {
	t.Parallel()
	d, server := onStreets(t)
	before, _ := legs(t, d)
	require.Zero(t, known(before), "a plan is complete without ways")

	require.Positive(t, drawn(t, d).Drawn)
	all, _ := legs(t, d)
	require.Positive(t, known(all))
	length := 0.0
	for _, leg := range all {
		line, err := road.Decode(leg.Polyline)
		require.NoError(t, err)
		length += line.Length()
	}
	planned := operationstest.One[float64](d.Office, `select sum(meters)::float8 from plan_routes where org_id = $1`, d.Org)
	require.InEpsilon(t, planned, length, 0.05, "the ways are as long as the plan says")
	require.Zero(t, operationstest.One[int](d.Office, `select count(*) from plan_stops s
		join plans p on p.org_id = s.org_id and p.id = s.plan_id
		join ways_of_plan(s.org_id, s.plan_id, null) w on w.driver_id = s.driver_id and w.seq = s.seq
		where s.org_id = $1 and abs(w.seconds - s.driving_seconds) > 5 + 0.05 * s.driving_seconds`, d.Org), "and take as long")

	rows := d.EveryRow()
	require.Zero(t, drawn(t, d).Drawn, "each is drawn once")
	require.Equal(t, rows, d.EveryRow())

	t.Run("drivers, simulated ones and ETAs have them", func(t *testing.T) {
		simulated, err := d.Store.SimulatedDrivers(t.Context(), &simulation.Run{OrgID: d.Org, Day: operationstest.PlannedOn})
		require.NoError(t, err)
		require.NotEmpty(t, simulated)
		lines, ways := 0, 0
		for _, driver := range simulated {
			ahead, err := d.Store.RouteAhead(t.Context(), d.Org, driver.ID, d.Now, d.Now)
			require.NoError(t, err)
			require.Len(t, ahead.Stops, len(driver.Stops))
			for i, stop := range driver.Stops {
				require.Equal(t, stop.Line.Encode(), ahead.Stops[i].Way.Encode())
				if stop.Line.Known() {
					lines++
				}
			}
			shown, err := d.Store.DriverRoute(t.Context(), d.Org, driver.ID, operationstest.PlannedOn, true)
			require.NoError(t, err)
			ways += strings.Count(string(shown), `"polyline": "`)
		}
		require.Positive(t, lines)
		require.Equal(t, lines, ways)
	})
	t.Run("a server that is gone draws nothing, and says why", func(t *testing.T) {
		server.Kill()
		d.Do("delete from travel_ways where org_id = $1", d.Org)
		// Which of the two depends on how many legs have failed by then.
		require.Regexp(t, "unavailable|failed several times", drawn(t, d).Failure)
		all, _ := legs(t, d)
		require.Zero(t, known(all))
	})
}

// TestWaysThatNobodyFindsAreAskedForAgain has a stop in the sea: its way is asked for again
// after an hour, and those that are known after thirty days.
func TestWaysThatNobodyFindsAreAskedForAgain(t *testing.T) {
	t.Parallel()
	d, _ := onStreets(t)
	drawn(t, d)
	d.Do("update plan_stops set latitude = 58.3, longitude = 9.5 where org_id = $1 and seq = 1", d.Org)
	require.Positive(t, drawn(t, d).Drawn)
	require.Positive(t, operationstest.One[int](d.Office, "select count(*) from travel_ways where org_id = $1 and polyline is null", d.Org))
	require.Zero(t, drawn(t, d).Drawn)

	d.Do("update travel_ways set found_at = now() - interval '2 hours' where org_id = $1", d.Org)
	require.Positive(t, drawn(t, d).Drawn)
	require.Zero(t, drawn(t, d).Drawn)

	d.Do("update travel_ways set found_at = now() - interval '31 days' where org_id = $1", d.Org)
	all, _ := legs(t, d)
	require.Zero(t, known(all), "what is too old is not shown")
	require.Positive(t, drawn(t, d).Drawn)
	require.Zero(t, operationstest.One[int](d.Office, "select count(*) from travel_ways where org_id = $1 and found_at < $2",
		d.Org, time.Now().Add(-30*24*time.Hour)), "what is too old goes as others come")
}
