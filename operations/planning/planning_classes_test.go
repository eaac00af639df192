package planning_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/region"
	"waybill/operations/operationstest"
)

// roads answers each table with a minute a leg, and notes the profiles that it is asked for.
type roads struct {
	mu    sync.Mutex
	asked map[string]bool
	// lacks means that it has no data for classes.
	lacks bool
}

func (o *roads) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == region.DataPath {
		http.NotFound(w, r) // it does not say which data it has
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	profile := strings.Split(r.URL.Path, "/")[3]
	o.asked[profile] = true
	w.Header().Set("Content-Type", "application/json")
	if o.lacks && strings.Contains(profile, "-") {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprint(w, `{"code":"InvalidProfile"}`)
		return
	}
	side := func(name string) int {
		_, rest, _ := strings.Cut(r.URL.RawQuery, name+"=")
		rest, _, _ = strings.Cut(rest, "&")
		return strings.Count(rest, ";") + 1
	}
	row := "[" + strings.TrimSuffix(strings.Repeat("60,", side("destinations")), ",") + "]"
	table := "[" + strings.TrimSuffix(strings.Repeat(row+",", side("sources")), ",") + "]"
	_, _ = fmt.Fprintf(w, `{"code":"Ok","durations":%s,"distances":%s}`, table, table)
}

func TestTravelTimesAreThoseOfTheVehiclesClass(t *testing.T) {
	t.Parallel()
	for name, lacks := range map[string]bool{"TheServerHasData": false, "TheServerLacksData": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, o := operationstest.NewDispatch(t), &roads{asked: map[string]bool{}, lacks: lacks}
			server := httptest.NewServer(o)
			t.Cleanup(server.Close)
			d.TravelBy(t, "osrm+"+server.URL+"?classes=yes&truck=hgv")
			d.Do("update vehicle_types set travels_as = 'TRUCK', height_m = 3.95, avoids_tolls = true where org_id = $1", d.Org)
			d.Load(operationstest.Numbered(1), "D-1")
			done := d.Plan()
			require.Equal(t, "osrm", done.Travel)
			require.Zero(t, done.Guessed)
			const key = "truck-h395-notoll"
			require.True(t, o.asked[key])
			kept := operationstest.One[string](d.Office, "select string_agg(distinct profile, ' ') from travel_blocks where org_id = $1", d.Org)
			if !lacks {
				require.Empty(t, done.TravelFailure)
				require.Equal(t, key, kept)
				return
			}
			require.Contains(t, done.TravelFailure, key)
			require.Contains(t, done.TravelFailure, "TRUCK")
			require.EqualValues(t, "NO_DATA_FOR_CLASS", done.TravelFailureCode)
			require.Equal(t, "TRUCK", kept)
			require.True(t, o.asked["hgv"])
			again := d.Plan()
			require.Equal(t, done.TravelFailure, again.TravelFailure, "the plan says so each time")
		})
	}
}
