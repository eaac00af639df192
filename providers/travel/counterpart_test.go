package travel_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/region"
	"waybill/domain/routing"
	"waybill/providers/travel"
)

// counterpart imitates OSRM for tests that count its requests or have it fail. The leg from a to b takes a hundred
// seconds and a thousand metres for each hundredth of a degree that b is north
// of a, and half as much southwards, so that swapped rows and columns are
// noticed. Longitude 99 is unreachable.
type counterpart struct {
	*httptest.Server

	// asked counts all requests but those for the nearest road.
	asked atomic.Int32
	// version is that of its road data.
	version atomic.Pointer[string]
	// breaks answers in its place when it is set.
	breaks atomic.Pointer[http.HandlerFunc]
}

func newCounterpart(t *testing.T) *counterpart {
	t.Helper()
	c := &counterpart{}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /table/v1/{profile}/{coordinates}", c.osrm)
	routes.HandleFunc("GET /nearest/v1/{profile}/{coordinates}", c.nearest)
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == region.DataPath {
			http.NotFound(w, r) // it does not say which data it has
			return
		}
		if !strings.HasPrefix(r.URL.Path, "/nearest/") {
			c.asked.Add(1)
		}
		if breaks := c.breaks.Load(); breaks != nil {
			(*breaks)(w, r)
			return
		}
		routes.ServeHTTP(w, r)
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *counterpart) provider(t *testing.T, kind, query string) travel.Provider {
	t.Helper()
	p, err := travel.Open(kind + "+" + c.URL + query)
	require.NoError(t, err)
	return p
}

// nearest says that each place is a meter from a road.
func (c *counterpart) nearest(w http.ResponseWriter, r *http.Request) {
	if v := c.version.Load(); v != nil {
		w.Header().Set("Waybill-Roads", *v)
	}
	answer(w, http.StatusOK, fmt.Sprintf(`{"code":"Ok","waypoints":[{"location":[%s],"distance":1}]}`, r.PathValue("coordinates")))
}

// at is a point, by latitude and longitude.
func at(latitude, longitude float64) travel.Point {
	return travel.Point{Latitude: latitude, Longitude: longitude}
}

// way returns the counterpart's values for a leg, or nil.
func way(a, b travel.Point) (seconds, meters *float64) {
	if b.Longitude == 99 {
		return nil, nil
	}
	north := (b.Latitude - a.Latitude) * 100
	if north < 0 {
		north = -north / 2
	}
	s, m := north*100, north*1000
	return &s, &m
}

// want is the expected leg.
func want(a, b travel.Point) routing.Leg {
	seconds, meters := way(a, b)
	if seconds == nil {
		return routing.Leg{Seconds: routing.Unreachable, Meters: routing.Unreachable}
	}
	return routing.Leg{Seconds: int32(*seconds + 0.5), Meters: int32(*meters + 0.5)}
}

func (c *counterpart) osrm(w http.ResponseWriter, r *http.Request) {
	var points []travel.Point
	for pair := range strings.SplitSeq(r.PathValue("coordinates"), ";") {
		longitude, latitude, _ := strings.Cut(pair, ",")
		x, err1 := strconv.ParseFloat(longitude, 64)
		y, err2 := strconv.ParseFloat(latitude, 64)
		if err1 != nil || err2 != nil {
			answer(w, http.StatusBadRequest, `{"code":"InvalidUrl","message":"URL string malformed close to position 17"}`)
			return
		}
		points = append(points, travel.Point{Latitude: y, Longitude: x})
	}
	query := url.Values{}
	for pair := range strings.SplitSeq(r.URL.RawQuery, "&") { // net/url takes no semicolons
		name, value, _ := strings.Cut(pair, "=")
		query.Add(name, value)
	}
	switch {
	case len(points) > 100:
		answer(w, http.StatusBadRequest, `{"code":"TooBig","message":"Too many table coordinates"}`)
		return
	case query.Get("annotations") != "duration,distance":
		answer(w, http.StatusBadRequest, `{"code":"InvalidOptions","message":"annotations"}`)
		return
	}
	table := map[string]any{"code": "Ok"}
	for name, part := range map[string]int{"durations": 0, "distances": 1} {
		var rows [][]*float64
		for a := range strings.SplitSeq(query.Get("sources"), ";") {
			var row []*float64
			for b := range strings.SplitSeq(query.Get("destinations"), ";") {
				from, _ := strconv.Atoi(a)
				to, _ := strconv.Atoi(b)
				seconds, meters := way(points[from], points[to])
				row = append(row, []*float64{seconds, meters}[part])
			}
			rows = append(rows, row)
		}
		table[name] = rows
	}
	if r.PathValue("profile") == "cycling" {
		w.Header().Set("X-Cycling", "yes")
	}
	if v := c.version.Load(); v != nil {
		w.Header().Set("Waybill-Roads", *v)
	}
	text, _ := json.Marshal(table)
	answer(w, http.StatusOK, string(text))
}

func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprint(w, text)
}
