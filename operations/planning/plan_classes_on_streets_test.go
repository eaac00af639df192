package planning_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/domain/region"
	"waybill/internal/osrm"
	"waybill/operations/operationstest"
	"waybill/providers/regions"
	serving "waybill/providers/roads"
	"waybill/testing/stack"
)

// byProfiles serves the center of Oslo for some profiles, and returns the address of the server. The
// test is skipped where OSRM is not installed.
func byProfiles(t *testing.T, profiles ...region.Profile) (address string) {
	t.Helper()
	const extract = "../../demo/regions/oslo-center.osm.pbf"
	home, err := stack.FindOSRM()
	if errors.Is(err, osrm.ErrMissing) {
		t.Skip(err)
	}
	require.NoError(t, err)
	folder, programs := regions.NewFolder(t.TempDir()), regions.Programs{OSRM: home}
	r := region.Region{Name: "oslo", Version: "1", RoadBytes: 1}
	r.Bounds, err = regions.BoundsOf(t.Context(), extract)
	require.NoError(t, err)
	version, err := folder.Create(r.Name, r.Version)
	require.NoError(t, err)
	require.NoError(t, version.KeepSource(extract))
	for _, profile := range profiles {
		require.NoError(t, programs.BuildRoads(t.Context(), version, profile, time.Now, regions.Watch{}))
	}
	require.NoError(t, version.Close())
	server := serving.New(folder, programs, serving.Source{
		List:   func(context.Context) ([]region.Region, error) { return []region.Region{r}, nil },
		Wanted: func(context.Context) ([]region.Profile, error) { return profiles, nil },
	}, slog.New(slog.DiscardHandler))
	t.Cleanup(func() { _ = server.Close() })
	require.NoError(t, server.Refresh(t.Context()))
	front := httptest.NewServer(server)
	t.Cleanup(front.Close)
	return "osrm+" + front.URL + "?table=6000&classes=yes"
}

// TestATruckOfAPlanTakesAnotherRoadThanAVan between the same doors, on either side of the railway. The
// road below it, Oslo gate, has 3.8 meters of room.
func TestATruckOfAPlanTakesAnotherRoadThanAVan(t *testing.T) {
	t.Parallel()
	address := byProfiles(t, region.Cars, "truck-h400")
	d := operationstest.NewDispatch(t,
		"{name: Truck, alsoServes: [Van]}", "{name: Truck, travelsAs: TRUCK, heightM: 4}",
		"latitude: 59.92, longitude: 10.84", "latitude: 59.9083, longitude: 10.7678",
		"latitude: 59.93, longitude: 10.75", "latitude: 59.9076, longitude: 10.7678")
	d.TravelBy(t, address)
	d.Load("A-1", "D-1")
	d.Load("A-2", "D-1", func(r *order.Request) { r.VehicleType = &order.Ref{Name: "Truck"} })
	done := d.Plan()
	require.Equal(t, "osrm", done.Travel)
	require.Empty(t, done.TravelFailure)
	require.Zero(t, done.Guessed)
	require.Equal(t, "Amir", d.DriverOf("A-2"))
	require.NotEqual(t, "Amir", d.DriverOf("A-1"))
	meters := func(number string) int {
		return operationstest.One[int](d.Office, `select p.meters from plan_routes p join orders o
			on o.org_id = p.org_id and o.driver_id = p.driver_id where o.org_id = $1 and o.number = $2`, d.Org, number)
	}
	require.Less(t, meters("A-1"), 400, "there and back below the railway")
	require.Greater(t, meters("A-2"), meters("A-1")+400, "the truck drives around")
}
