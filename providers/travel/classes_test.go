package travel_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/vehicle"
	"waybill/providers/travel"
)

// high is the profile of trucks that are four meters high.
var high = planning.ProfileOf(planning.Truck, &vehicle.Class{HeightM: new(4.0)})

// lacking has the counterpart answer as a server without data for classes, until it is told
// otherwise. It returns how often a class was asked for.
func (c *counterpart) lacking(status int, text string) (asked *atomic.Int32) {
	routes := c.Config.Handler
	asked = &atomic.Int32{}
	var lacks http.HandlerFunc = func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/table/v1/"+string(high)+"/") {
			asked.Add(1)
			answer(w, status, text)
			return
		}
		handler := c.breaks.Swap(nil)
		routes.ServeHTTP(w, r)
		c.breaks.Store(handler)
	}
	c.breaks.Store(&lacks)
	return asked
}

func TestClassIsAskedByItsKey(t *testing.T) {
	t.Parallel()
	c, cache, points := newCounterpart(t), &memory{}, line(3)
	tables := travel.NewTables(c.provider(t, "osrm", "?classes=yes&truck=hgv"), time.Now)
	for _, profile := range []travel.Profile{high, planning.Truck, high} {
		table, err := tables.Table(t.Context(), cache, profile, points)
		require.NoError(t, err)
		require.NoError(t, table.Fault)
		require.Equal(t, profile, table.Profile)
		requireLegs(t, points, table)
	}
	require.EqualValues(t, 2, c.asked.Load(), "legs of a class are not used for any truck, nor the other way round")
	for _, b := range cache.blocks {
		require.Contains(t, []travel.Profile{high, planning.Truck}, b.of.Profile)
	}
}

func TestClassWithoutDataTravelsAsAnyOfItsMode(t *testing.T) {
	t.Parallel()
	for text, status := range map[string]int{`{"code":"InvalidProfile"}`: http.StatusBadRequest, `{}`: http.StatusNotFound} {
		c, cache, points := newCounterpart(t), &memory{}, line(120) // several requests
		clock := &clock{at: time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC)}
		asked := c.lacking(status, text)
		tables := travel.NewTables(c.provider(t, "osrm", "?classes=yes&truck=hgv"), clock.now)
		for range 2 * travel.Patience {
			table, err := tables.Table(t.Context(), cache, high, points)
			require.NoError(t, err)
			require.NoError(t, table.Fault)
			require.Equal(t, planning.Truck, table.Profile)
			require.Zero(t, table.Guessed)
			requireLegs(t, points, table)
		}
		require.EqualValues(t, 1, asked.Load(), "the server is not asked again for a while")
		for _, b := range cache.blocks {
			require.Equal(t, planning.Truck, b.of.Profile)
		}
		c.breaks.Store(nil)
		clock.at = clock.at.Add(time.Hour)
		table, err := tables.Table(t.Context(), cache, high, points)
		require.NoError(t, err)
		require.Equal(t, high, table.Profile, "the server has data by now")
		require.Zero(t, table.Guessed)
	}
}

func TestOnlyAServerWithClassesIsAskedForThem(t *testing.T) {
	t.Parallel()
	c, points := newCounterpart(t), line(3)
	table, err := travel.NewTables(c.provider(t, "osrm", "?truck=hgv"), time.Now).Table(t.Context(), &memory{}, high, points)
	require.NoError(t, err)
	require.Equal(t, planning.Truck, table.Profile)
	requireLegs(t, points, table)
	flight, err := travel.NewTables(travel.Crow{}, time.Now).Table(t.Context(), nil, high, points)
	require.NoError(t, err)
	require.Equal(t, flown(t, planning.Truck, points), flight.Legs)
	require.Equal(t, travel.Flight(planning.Truck, points[0], points[2]), travel.Flight(high, points[0], points[2]))
	slow := planning.ProfileOf(planning.Car, &vehicle.Class{TopSpeedKmh: new(60.0)})
	require.Equal(t, travel.Flight(planning.Car, points[0], points[2]), travel.Flight(slow, points[0], points[2]))
}
