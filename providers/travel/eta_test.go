package travel_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driving"
	"waybill/domain/planning"
	"waybill/domain/road"
	"waybill/providers/travel"
	"waybill/testing/stack"
)

// TestLiveETAsAreRightOnStreets drives legs of central Oslo at the speed that the server gives
// each part of a street, and compares the ETA at places on the way with the arrival.
func TestLiveETAsAreRightOnStreets(t *testing.T) {
	t.Parallel()
	server := newOSRM(t)
	provider, err := travel.Open(server.URL())
	require.NoError(t, err)
	tables := travel.NewTables(provider, time.Now)
	left := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

	var projected, guessed []float64
	places := inOslo(80)
	for i := range 40 {
		route, _, err := tables.Route(t.Context(), planning.Car, places[i], places[40+i])
		require.NoError(t, err)
		if route.Polyline == "" || route.Meters < 500 {
			continue
		}
		way, err := road.Decode(route.Polyline)
		require.NoError(t, err)
		points, seconds := driven(t, server, places[i], places[40+i])
		arrival := left.Add(time.Duration(seconds[len(seconds)-1] * float64(time.Second)))
		for _, share := range []float64{0.2, 0.4, 0.6, 0.8} {
			n := int(share * float64(len(points)-1))
			at := left.Add(time.Duration(seconds[n] * float64(time.Second)))
			was := &driving.Where{Latitude: points[n].Latitude, Longitude: points[n].Longitude, At: at}
			stop := driving.Ahead{
				Latitude: places[40+i].Latitude, Longitude: places[40+i].Longitude,
				Driving: time.Duration(route.Seconds) * time.Second, Meters: int64(route.Meters),
			}
			guessed = append(guessed, off(stop, was, at, arrival))
			stop.Way = way
			projected = append(projected, off(stop, was, at, arrival))
		}
	}
	require.Greater(t, len(projected), 60)
	t.Logf("median error of %d ETAs: %.0f s along streets, %.0f s in a straight line", len(projected), median(projected), median(guessed))
	require.LessOrEqual(t, median(projected), 60.0)
	require.Less(t, median(projected), median(guessed))
}

// off is how many seconds the ETA of a stop is from the arrival.
func off(stop driving.Ahead, was *driving.Where, now, arrival time.Time) float64 {
	etas := driving.ETAs([]driving.Ahead{stop}, was, now)
	return math.Abs(etas[0].At.Sub(arrival).Seconds())
}

// driven asks the server for a route with the time at each of its points.
func driven(t *testing.T, server *stack.OSRM, from, to travel.Point) (points []road.Point, seconds []float64) {
	t.Helper()
	address := url.URL{
		Scheme: "http", Host: server.Address(), RawQuery: "annotations=duration&overview=full&geometries=polyline",
		Path: fmt.Sprintf("/route/v1/driving/%f,%f;%f,%f", from.Longitude, from.Latitude, to.Longitude, to.Latitude),
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address.String(), http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Routes []struct {
			Geometry string
			Duration float64
			Legs     []struct{ Annotation struct{ Duration []float64 } }
		}
	}
	require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
	route := answer.Routes[0]
	line, err := road.Decode(route.Geometry)
	require.NoError(t, err)
	points, parts := line.Points(), route.Legs[0].Annotation.Duration
	require.Len(t, points, len(parts)+1)
	// Turns take time, too, which is in the whole only.
	whole := 0.0
	for _, part := range parts {
		whole += part
	}
	seconds = make([]float64, len(points))
	for i, part := range parts {
		seconds[i+1] = seconds[i] + part*route.Duration/whole
	}
	return points, seconds
}
