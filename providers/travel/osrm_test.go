package travel_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/planning"
	"waybill/domain/road"
	"waybill/domain/routing"
	"waybill/internal/osrm"
	"waybill/providers/travel"
	"waybill/testing/stack"
)

// newOSRM starts a real server with the streets of central Oslo. The test is skipped
// where OSRM is not installed.
func newOSRM(t *testing.T) *stack.OSRM {
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
	return server
}

// inOslo are so many places in the center of Oslo, the same in each run.
func inOslo(count int) []travel.Point {
	random := rand.New(rand.NewPCG(2026, uint64(count)))
	points := make([]travel.Point, count)
	for i := range points {
		points[i] = travel.Point{Latitude: 59.903 + random.Float64()*0.034, Longitude: 10.725 + random.Float64()*0.05}
	}
	return points
}

func TestOSRMSaysHowLongRoadsAre(t *testing.T) {
	t.Parallel()
	server := newOSRM(t)
	provider, err := travel.Open(server.URL())
	require.NoError(t, err)

	t.Run("every leg of a large table is a road", func(t *testing.T) {
		places := inOslo(700) // more than one request
		table, err := travel.NewTables(provider, time.Now).Table(t.Context(), &memory{}, planning.Car, places)
		require.NoError(t, err)
		require.NoError(t, table.Fault)
		require.Zero(t, table.Guessed)
		require.Greater(t, median(detours(t, places, table.Travel)), 1.3, "roads are longer than straight lines")
	})
	t.Run("the table agrees with the routes", func(t *testing.T) {
		places := inOslo(12)
		legs, err := provider.Legs(t.Context(), planning.Car, places[:6], places[6:])
		require.NoError(t, err)
		for i, leg := range legs.Legs {
			seconds, meters := drive(t, server, places[i/6], places[6+i%6])
			require.InDelta(t, seconds, leg.Seconds, 1+0.05*seconds)
			require.InDelta(t, meters, leg.Meters, 10+0.05*meters)
		}
	})
	t.Run("a place in the sea is alone in being unreachable", func(t *testing.T) {
		places := append(inOslo(20), at(58.3, 9.5))
		table, err := travel.NewTables(provider, time.Now).Table(t.Context(), &memory{}, planning.Car, places)
		require.NoError(t, err)
		require.Zero(t, table.Guessed)
		for i := range places {
			for j := range places {
				lost := i != j && (i == 20 || j == 20)
				require.Equal(t, lost, table.Legs[i*len(places)+j].Seconds >= routing.Unreachable, "from %d to %d", i, j)
			}
		}
	})
	t.Run("a server that is gone leaves estimates, and a fault that names the cause", func(t *testing.T) {
		server.Kill()
		table, err := travel.NewTables(provider, time.Now).Table(t.Context(), &memory{}, planning.Car, inOslo(3))
		require.NoError(t, err)
		require.Equal(t, 6, table.Guessed)
		require.ErrorContains(t, table.Fault, "unavailable")
	})
}

// drive asks the server for one route, as a navigator does.
func drive(t *testing.T, server *stack.OSRM, from, to travel.Point) (seconds, meters float64) {
	t.Helper()
	address := url.URL{Scheme: "http", Host: server.Address(), Path: fmt.Sprintf("/route/v1/driving/%f,%f;%f,%f",
		from.Longitude, from.Latitude, to.Longitude, to.Latitude)}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address.String(), http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	var answer struct {
		Routes []struct{ Duration, Distance float64 }
	}
	require.NoError(t, json.Unmarshal(body, &answer), string(body))
	require.NotEmpty(t, answer.Routes, string(body))
	return answer.Routes[0].Duration, answer.Routes[0].Distance
}

// detours are the ratios between each leg and its straight line, of legs of more than 300 m.
func detours(t *testing.T, places []travel.Point, table routing.Travel) (ratios []float64) {
	t.Helper()
	for i, from := range places {
		for j, to := range places {
			if line := driving.Distance(from.Latitude, from.Longitude, to.Latitude, to.Longitude); line > 300 {
				ratios = append(ratios, float64(table.Legs[i*len(places)+j].Meters)/line)
			}
		}
	}
	require.NotEmpty(t, ratios)
	return ratios
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

func TestOSRMDrawsRoutes(t *testing.T) {
	t.Parallel()
	server := newOSRM(t)
	provider, err := travel.Open(server.URL())
	require.NoError(t, err)
	tables := travel.NewTables(provider, time.Now)

	t.Run("a route agrees with the table, and its way with both", func(t *testing.T) {
		places := inOslo(40)
		legs, err := provider.Legs(t.Context(), planning.Car, places[:20], places[20:])
		require.NoError(t, err)
		for i := range 20 {
			for j := i; j < 20; j += 7 {
				route, drawn, err := tables.Route(t.Context(), planning.Car, places[i], places[20+j])
				require.NoError(t, err)
				require.True(t, drawn)
				leg := legs.Legs[i*20+j]
				require.InDelta(t, leg.Seconds, route.Seconds, 2+0.05*float64(leg.Seconds))
				require.InDelta(t, leg.Meters, route.Meters, 10+0.05*float64(leg.Meters))
				line, err := road.Decode(route.Polyline)
				require.NoError(t, err)
				require.InDelta(t, route.Meters, line.Length(), 10+0.02*float64(route.Meters))
			}
		}
	})
	t.Run("trucks take the same way, and longer", func(t *testing.T) {
		places := inOslo(2)
		car, _, err := tables.Route(t.Context(), planning.Car, places[0], places[1])
		require.NoError(t, err)
		truck, _, err := tables.Route(t.Context(), planning.Truck, places[0], places[1])
		require.NoError(t, err)
		require.Equal(t, car.Polyline, truck.Polyline)
		require.InDelta(t, 1.15*float64(car.Seconds), truck.Seconds, 2)
	})
	t.Run("there is no way to a place in the sea", func(t *testing.T) {
		route, drawn, err := tables.Route(t.Context(), planning.Car, inOslo(1)[0], at(58.3, 9.5))
		require.NoError(t, err)
		require.True(t, drawn)
		require.Empty(t, route.Polyline)
		require.EqualValues(t, routing.Unreachable, route.Seconds)
	})
	t.Run("straight lines have no ways", func(t *testing.T) {
		_, drawn, err := travel.NewTables(travel.Crow{}, time.Now).Route(t.Context(), planning.Car, inOslo(2)[0], inOslo(2)[1])
		require.NoError(t, err)
		require.False(t, drawn)
	})
	t.Run("a server that is gone is a fault", func(t *testing.T) {
		server.Kill()
		for range travel.Patience + 1 {
			_, _, err := tables.Route(t.Context(), planning.Car, inOslo(2)[0], inOslo(2)[1])
			require.Error(t, err)
		}
		_, _, err := tables.Route(t.Context(), planning.Car, inOslo(2)[0], inOslo(2)[1])
		require.ErrorContains(t, err, "left alone")
	})
}
