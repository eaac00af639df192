package travel_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/region"
	"waybill/domain/routing"
	"waybill/providers/travel"
)

// lister is a server that lists its data, and notes the profiles that it is asked for.
type lister struct {
	mu    sync.Mutex
	data  []region.Data
	asked []string
}

func (l *lister) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.URL.Path == region.DataPath {
		_ = json.NewEncoder(w).Encode(region.DataList{Data: l.data})
		return
	}
	profile := strings.Split(r.URL.Path, "/")[3]
	l.asked = append(l.asked, profile)
	if profile == "truck-h500" {
		answer(w, http.StatusNotFound, `{"code":"InvalidProfile"}`)
		return
	}
	answer(w, http.StatusOK, `{"code":"Ok","durations":[[0,100],[100,0]],"distances":[[0,1000],[1000,0]]}`)
}

var (
	here  = region.Bounds{West: 10, South: 59, East: 11, North: 60}
	there = region.Bounds{West: 9, South: 47, East: 10, North: 48}
)

func list(t *testing.T, data ...region.Data) (*lister, *travel.Tables) {
	t.Helper()
	l := &lister{data: data}
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	provider, err := travel.Open("osrm+" + server.URL + "?classes=yes")
	require.NoError(t, err)
	return l, travel.NewTables(provider, time.Now)
}

func TestAProfileIsAskedForOnlyWhereTheServerHasIt(t *testing.T) {
	t.Parallel()
	l, tables := list(t,
		region.Data{Region: "here", Version: "1", Bounds: here, Profile: region.Cars},
		region.Data{Region: "here", Version: "1", Bounds: here, Profile: region.Trucks},
		region.Data{Region: "here", Version: "1", Bounds: here, Profile: region.Profile(high)},
		region.Data{Region: "here", Version: "1", Bounds: here, Profile: "truck-h500"},
		region.Data{Region: "there", Version: "7", Bounds: there, Profile: region.Cars},
		region.Data{Region: "there", Version: "7", Bounds: there, Profile: region.Bikes},
	)
	low := travel.Profile("truck-h300")
	in := map[string][]travel.Point{"here": {at(59.5, 10.5), at(59.6, 10.5)}, "there": {at(47.5, 9.5), at(47.6, 9.5)}}
	for name, one := range map[string]struct {
		at      string
		profile travel.Profile
		// served is the profile of the times, and asked what the server is asked for; empty is nothing.
		served  travel.Profile
		asked   string
		seconds int32
	}{
		"a class":                    {"here", high, high, string(high), 100},
		"a class of another region":  {"there", high, planning.Truck, "driving", 115},
		"a class without data":       {"here", low, planning.Truck, "truck", 100},
		"a class that has just gone": {"here", "truck-h500", planning.Truck, "truck", 100},
		"trucks":                     {"here", planning.Truck, planning.Truck, "truck", 100},
		"trucks by a factor":         {"there", planning.Truck, planning.Truck, "driving", 115},
		"bikes":                      {"there", planning.Bike, planning.Bike, "bike", 100},
		"bikes of another region":    {"here", planning.Bike, planning.Bike, "", 0},
		"cars":                       {"here", planning.Car, planning.Car, "driving", 100},
	} {
		l.asked = nil
		table, err := tables.Table(t.Context(), &memory{}, one.profile, in[one.at])
		require.NoError(t, err, name)
		require.NoError(t, table.Fault, name)
		require.Equal(t, one.served, table.Profile, name)
		if one.asked == "" {
			require.Empty(t, l.asked, name)
			require.Equal(t, travel.Crow{}.Name(), table.Provider, name)
			continue
		}
		require.Equal(t, one.asked, l.asked[len(l.asked)-1], name)
		require.Equal(t, routing.Leg{Seconds: one.seconds, Meters: 1000}, table.Leg(0, 1), name)
	}
}

func TestADraftWithOnePinElsewhereKeepsItsClass(t *testing.T) {
	t.Parallel()
	_, tables := list(t, region.Data{Region: "here", Version: "1", Bounds: here, Profile: region.Profile(high)})
	require.Equal(t, high, tables.Served(high, at(59.5, 10.5), at(59.6, 10.5), at(0, 0)))
	require.Equal(t, planning.Truck, tables.Served(high, at(0, 0)))
}
