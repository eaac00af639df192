package planning_test

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/operations/operationstest"
	"waybill/providers/travel"
	"waybill/store/storetest"
)

// TestMeasureTravelTimes says how long the travel times of large days take: from one core of a real server, from
// the database, and for ten new places. It runs only when it is asked for:
//
//	WAYBILL_MEASURE=1 bin/devstack test -- go test ./operations/planning -run TestMeasureTravelTimes -v
func TestMeasureTravelTimes(t *testing.T) {
	if os.Getenv("WAYBILL_MEASURE") == "" {
		t.Skip("WAYBILL_MEASURE is not set")
	}
	e, d := newEngine(t), operationstest.NewDispatch(t)
	provider, err := travel.Open(e.URL())
	require.NoError(t, err)
	for _, places := range []int{500, 2000} {
		org := storetest.Organization(t, d.Database, map[int]string{500: "small", 2000: "large"}[places])
		cache, tables, area := d.Store.TravelLegs(org), travel.NewTables(provider, time.Now), &travel.Memory{}
		random := rand.New(rand.NewPCG(1, uint64(places)))
		points := make([]travel.Point, places+10)
		for i := range points {
			points[i] = travel.Point{Latitude: 59.905 + random.Float64()*0.03, Longitude: 10.73 + random.Float64()*0.04}
		}
		table := func(area *travel.Memory, points []travel.Point, wish travel.Wish) (travel.Table, time.Duration) {
			began := time.Now()
			table, err := tables.TableOf(t.Context(), cache, area, planning.Car, points, wish)
			require.NoError(t, err)
			require.NoError(t, table.Fault)
			require.NoError(t, table.CacheFault)
			return table, time.Since(began)
		}
		first, near := table(area, points[:places], travel.Wish{Hubs: []int{0}, Until: time.Now().Add(time.Second)})
		all, rest := table(area, points[:places], travel.Wish{})
		require.Zero(t, all.Missing)
		cached, again := table(&travel.Memory{}, points[:places], travel.Wish{})
		require.Equal(t, all.Legs, cached.Legs)
		_, soon := table(area, points, travel.Wish{Hubs: []int{0}, Until: time.Now().Add(100 * time.Millisecond)})
		_, more := table(area, points, travel.Wish{})
		t.Logf("%d places: a first plan waits for %v and has %d of %d legs; all after %v; from the database %v; ten more: the near ones %v, all %v",
			places, near.Round(time.Millisecond), places*places-first.Missing, places*places, (near + rest).Round(time.Millisecond),
			again.Round(time.Millisecond), soon.Round(time.Millisecond), (soon + more).Round(time.Millisecond))
	}
}
