package travel_test

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/providers/travel"
)

// line are so many points, each a hundredth of a degree north of the last.
func line(count int) []travel.Point {
	points := make([]travel.Point, count)
	for i := range points {
		points[i] = travel.Point{Latitude: 59 + float64(i)/100, Longitude: 10.5}
	}
	return points
}

func TestServersReturnLegs(t *testing.T) {
	t.Parallel()
	c := newCounterpart(t)
	from := append(line(3), travel.Point{Latitude: 58.5, Longitude: -10})
	to := []travel.Point{at(59.01, 10.5), at(58.5, 99)}
	answered, err := c.provider(t, "osrm", "").Legs(t.Context(), planning.Car, from, to)
	require.NoError(t, err)
	legs := answered.Legs
	var wanted []routing.Leg
	for _, a := range from {
		for _, b := range to {
			wanted = append(wanted, want(a, b))
		}
	}
	require.InDeltaSlice(t, secondsOf(wanted), secondsOf(legs), 1)
	require.Equal(t, metersOf(wanted), metersOf(legs))
	require.EqualValues(t, routing.Unreachable, legs[1].Seconds, "a way that does not exist")
}

func secondsOf(legs []routing.Leg) []int32 {
	all := make([]int32, len(legs))
	for i, leg := range legs {
		all[i] = leg.Seconds
	}
	return all
}

func metersOf(legs []routing.Leg) []int32 {
	all := make([]int32, len(legs))
	for i, leg := range legs {
		all[i] = leg.Meters
	}
	return all
}

func TestServersAreAskedByTheirOwnProfiles(t *testing.T) {
	t.Parallel()
	c := newCounterpart(t)
	ask := func(p travel.Provider, profile travel.Profile) routing.Leg {
		answered, err := p.Legs(t.Context(), profile, line(1), line(2)[1:])
		require.NoError(t, err)
		return answered.Legs[0]
	}
	osrm := c.provider(t, "osrm", "")
	require.InDelta(t, 100, ask(osrm, planning.Car).Seconds, 1)
	require.InDelta(t, 115, ask(osrm, planning.Truck).Seconds, 1, "a truck takes longer than the car that the server knows")
	require.Equal(t, int32(1000), ask(osrm, planning.Truck).Meters)
	require.False(t, osrm.Serves(planning.Bike), "any server of cars would answer to the name of bikes")
	named := c.provider(t, "osrm", "?bike=cycling&truck=hgv")
	require.True(t, named.Serves(planning.Bike))
	require.InDelta(t, 100, ask(named, planning.Truck).Seconds, 1)
	require.InDelta(t, 100, ask(named, planning.Bike).Seconds, 1)
}

func TestAddressesOfServers(t *testing.T) {
	t.Parallel()
	for address, name := range map[string]string{
		"": "crow", "osrm+http://localhost:5000": "osrm", "osrm+https://maps.example/osrm/": "osrm",
		"osrm+http://h?bike=cycling": "osrm", "osrm+http://h?classes=yes": "osrm", "valhalla+http://localhost:8002": "valhalla",
	} {
		p, err := travel.Open(address)
		require.NoError(t, err, address)
		require.Equal(t, name, p.Name())
	}
	for _, address := range []string{
		"http://localhost", "osrm+", "osrm+localhost:5000", "osrm+ftp://h", "google+http://h", "osrm+http://h?plane=x",
		"osrm+http://h?bike=", "osrm+http://h?classes=no", "valhalla+http://h?bike=x", "osrm+http://h#x", "osrm+http://\x00", "osrm",
	} {
		_, err := travel.Open(address)
		require.Error(t, err, address)
	}
}

// broken returns all kinds of unusable answers, by their error text.
func broken(t *testing.T) map[string]http.HandlerFunc {
	t.Helper()
	says := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { answer(w, status, text) }
	}
	return map[string]http.HandlerFunc{
		"returned 400":      says(400, `{"code":"NoSegment","message":"Could not find a matching segment for coordinate 3"}`),
		"returned 429":      says(429, `{}`),
		"returned 500":      says(500, `oops`),
		"returned 503":      says(503, `<html>`),
		"returned 302":      func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/table/v1/x/1,1", http.StatusFound) },
		"cannot read":       says(200, `{"code":"Ok","units":"kilometers","durations":[[NaN]],"sources_to_targets":[[{"time":NaN}]]}`),
		"cut off":           cutOff,
		"has more than":     huge,
		"no answer within":  slow(t),
		"row has":           says(200, wrong(`[[0,0]]`, `[[0,0]]`, `[[{"time":0,"distance":0},{"time":0,"distance":0,"to_index":1}]]`)),
		"not 1":             says(200, wrong(`[[0],[0]]`, `[[0],[0]]`, `[[{"time":0,"distance":0}],[]]`)),
		"not 1 ":            says(200, wrong(`null`, `null`, `null`)),
		"leg is invalid":    says(200, wrong(`[[5]]`, `[[null]]`, `[[{"time":5,"distance":null}]]`)),
		"time or distance":  says(200, wrong(`[[-5]]`, `[[5]]`, `[[{"time":-5,"distance":5}]]`)),
		"distance of a leg": says(200, wrong(`[[1e300]]`, `[[5]]`, `[[{"time":1e300,"distance":5}]]`)),
		"the time or":       says(200, wrong(`[[5]]`, `[[-1e300]]`, `[[{"time":5,"distance":-1e300}]]`)),
		"travel times: the": says(200, `{}`),
	}
}

// wrong is a table of OSRM and a matrix of Valhalla in one.
func wrong(durations, distances, cells string) string {
	return `{"code":"Ok","units":"kilometers","durations":` + durations + `,"distances":` + distances +
		`,"sources_to_targets":` + cells + `}`
}

func cutOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = w.Write([]byte(`{"code":"Ok","durations":[[`))
}

func huge(w http.ResponseWriter, _ *http.Request) {
	line := []byte(strings.Repeat(" ", 1<<16))
	for sent := 0; sent <= travel.MaxAnswer+len(line); sent += len(line) {
		if _, err := w.Write(line); err != nil {
			return
		}
	}
}

// slow answers after the client has left.
func slow(t *testing.T) http.HandlerFunc {
	t.Helper()
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	return func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client left
		select {
		case <-r.Context().Done():
		case <-over:
		}
	}
}

func TestInvalidResponseIsAFault(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"osrm", "valhalla"} {
		for text, breaks := range broken(t) {
			t.Run(kind+" "+text, func(t *testing.T) {
				t.Parallel()
				c := newCounterpart(t)
				c.breaks.Store(&breaks)
				p := c.provider(t, kind, "")
				if text == "no answer within" {
					require.Equal(t, 10*time.Second, travel.Impatient(p, 50*time.Millisecond))
				}
				legs, err := p.Legs(t.Context(), planning.Car, line(1), line(1))
				var fault *travel.Fault
				require.ErrorAs(t, err, &fault)
				require.Empty(t, legs)
				require.Contains(t, err.Error(), strings.TrimSpace(text))
				require.Equal(t, text == "returned 400", fault.Asked)
				require.NotContains(t, err.Error(), "10.5", "an error names no place")
				require.EqualValues(t, 1, c.asked.Load(), "nobody is asked twice, nor somewhere else")
			})
		}
	}
}

func TestUnreachableServerIsAFault(t *testing.T) {
	t.Parallel()
	c := newCounterpart(t)
	p := c.provider(t, "osrm", "")
	c.Close()
	_, err := p.Legs(t.Context(), planning.Car, line(1), line(1))
	var fault *travel.Fault
	require.ErrorAs(t, err, &fault)
	require.ErrorContains(t, err, "unavailable")
	require.NotContains(t, err.Error(), "10.5")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = p.Legs(ctx, planning.Car, line(1), line(1))
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, errors.As(err, &fault), "who went away says nothing of the server")
}

func TestEstimatesMatchTheirFit(t *testing.T) {
	t.Parallel()
	fly := func(profile travel.Profile, a, b travel.Point) routing.Leg {
		legs, err := travel.Crow{}.Legs(t.Context(), profile, []travel.Point{a}, []travel.Point{b})
		require.NoError(t, err)
		return legs.Legs[0]
	}
	oslo := travel.Point{Latitude: 59.9139, Longitude: 10.7522}
	north := func(km float64) travel.Point {
		return travel.Point{Latitude: oslo.Latitude + km/111.19492664, Longitude: oslo.Longitude}
	}
	for km, minutes := range map[float64]float64{
		0: 0, 0.05: 0.75 + 0.1155, 0.1: 1.5 + 0.231, 1: 3.81, 2: 6.12, 5: 11.61, 8: 17.1, 20: 37.26, 40: 70.86, 100: 130.86 + 0.0,
	} {
		leg := fly(planning.Car, oslo, north(km))
		require.InDelta(t, minutes*60, leg.Seconds, 2, "%g km", km)
		require.InDelta(t, km*1300, leg.Meters, 2, "%g km", km)
		require.InDelta(t, minutes*60*1.15, fly(planning.Truck, oslo, north(km)).Seconds, 2)
	}
	require.InDelta(t, 60+4.9*60, fly(planning.Bike, oslo, north(1)).Seconds, 2)
	bergen := travel.Point{Latitude: 60.3913, Longitude: 5.3221}
	require.InDelta(t, 305_000*1.3, fly(planning.Car, oslo, bergen).Meters, 5000)
	require.Equal(t, fly(planning.Car, oslo, bergen), fly(planning.Car, bergen, oslo))
	antipode := fly(planning.Car, travel.Point{Latitude: 90}, travel.Point{Latitude: -90})
	require.InDelta(t, math.Pi*6_371_008.8*1.3, antipode.Meters, 2)
}
