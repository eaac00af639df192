package planning_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/location"
	"waybill/domain/road"
	"waybill/operations/operationstest"
)

// towardsMonradsGate is a day with a delivery at the western side of Monrads gate, to which the way from the terminal
// leads northwards, so that the place is on the left.
func towardsMonradsGate(t *testing.T) (d *operationstest.Dispatch, id int64) {
	t.Helper()
	d = operationstest.NewDispatch(t, "latitude: 59.92, longitude: 10.84", "latitude: 59.9101, longitude: 10.7570",
		"latitude: 59.93, longitude: 10.75", "latitude: 59.919310, longitude: 10.773090")
	d.TravelBy(t, newEngine(t).url)
	d.Load("A-1", "D-1")
	return d, operationstest.One[int64](d.Office, "select id from locations where org_id = $1 and external_id = 'D-1'", d.Org)
}

// delivery plans the day, and returns how long the way to the delivery takes in the plan and as it is drawn, the way,
// and whether the driver ends it with the place on the right.
func delivery(t *testing.T, d *operationstest.Dispatch) (taken, drawn int, polyline string, onTheRight bool) {
	t.Helper()
	planned(t, d)
	require.Zero(t, corrections(t, d), "table and route agree")
	taken = operationstest.One[int](d.Office, "select driving_seconds from plan_stops where org_id = $1 and kind = 'delivery'", d.Org)
	const way = ` from plan_stops s join ways_of_plan(s.org_id, s.plan_id, null) w on w.driver_id = s.driver_id and w.seq = s.seq
		where s.org_id = $1 and s.kind = 'delivery'`
	drawn = operationstest.One[int](d.Office, "select w.seconds"+way, d.Org)
	polyline = operationstest.One[string](d.Office, "select w.polyline"+way, d.Org)
	line, err := road.Decode(polyline)
	require.NoError(t, err)
	end, before := line.At(line.Length()), line.At(line.Length()-5)
	east, north := (end.Longitude-before.Longitude)*math.Cos(end.Latitude*math.Pi/180), end.Latitude-before.Latitude
	onTheRight = east*(59.919310-end.Latitude)-north*(10.773090-end.Longitude)*math.Cos(end.Latitude*math.Pi/180) < 0
	return taken, drawn, polyline, onTheRight
}

// TestALocationHasVehiclesStopOnItsSide plans a delivery before and after its location asks for that.
func TestALocationHasVehiclesStopOnItsSide(t *testing.T) {
	t.Parallel()
	d, id := towardsMonradsGate(t)
	straight, drawn, _, onTheRight := delivery(t, d)
	require.InEpsilon(t, straight, drawn, 0.05)
	require.False(t, onTheRight)
	blocks := operationstest.One[int](d.Office, "select count(*) from travel_blocks where org_id = $1", d.Org)

	setCurbside(t, d, id, true)
	around, drawnAround, way, onTheRight := delivery(t, d)
	require.Greater(t, around, straight+20, "round the block")
	require.InEpsilon(t, around, drawnAround, 0.05)
	require.True(t, onTheRight, "nobody crosses the street with goods")
	require.Greater(t, operationstest.One[int](d.Office, "select count(*) from travel_blocks where org_id = $1", d.Org), blocks)
	require.True(t, operationstest.One[bool](d.Office,
		"select bool_and(curbside = (kind = 'delivery')) from plan_stops where org_id = $1", d.Org))
	shown, err := d.Store.DriverRoute(t.Context(), d.Org,
		operationstest.One[int64](d.Office, "select driver_id from plan_routes where org_id = $1", d.Org), operationstest.PlannedOn, true)
	require.NoError(t, err)
	polyline, err := json.Marshal(way)
	require.NoError(t, err)
	require.Contains(t, string(shown), string(polyline))
	var told struct {
		Stops []struct {
			Stop     string
			Curbside bool
		}
	}
	require.NoError(t, json.Unmarshal(shown, &told))
	for _, stop := range told.Stops {
		require.Equal(t, stop.Stop == "DELIVERY", stop.Curbside, "the driver is told")
	}

	setCurbside(t, d, id, false)
	again, _, _, onTheRight := delivery(t, d)
	require.Equal(t, straight, again, "the times of before are still known")
	require.False(t, onTheRight)
}

func setCurbside(t *testing.T, d *operationstest.Dispatch, id int64, curbside bool) {
	t.Helper()
	doc, err := d.MasterData.ChangeLocation(t.Context(), caller.Service(d.Org, "test"), id,
		func(l location.Details) (location.Details, error) {
			l.Curbside = curbside
			return l, nil
		})
	require.NoError(t, err)
	require.NotEmpty(t, doc)
}
