package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/store/storetest"
)

func TestTravelLegsAreKeptForThirtyDays(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	org, other := storetest.Organization(t, d.Database, "acme"), storetest.Organization(t, d.Database, "other")
	legs := d.store.TravelLegs(org)
	var cells []planning.Cell
	for _, latitude := range []float64{59.91, -59.92, 59.93} {
		cells = append(cells, planning.CellOf(planning.Point{Latitude: latitude, Longitude: -10.75}))
	}
	there, back := planning.Way{From: cells[0], To: cells[1]}, planning.Way{From: cells[1], To: cells[0]}
	beyond := planning.Way{From: cells[0], To: cells[2]}
	load := func(provider string, profile planning.Profile, between ...planning.Cell) map[planning.Way]routing.Leg {
		known, err := legs.LoadLegs(t.Context(), provider, profile, between, between)
		require.NoError(t, err)
		return known
	}
	require.Empty(t, load("osrm", planning.Car, cells...))
	kept := map[planning.Way]routing.Leg{
		there: {Seconds: 600, Meters: 9000}, back: {Seconds: 700, Meters: 9100},
		beyond: {Seconds: routing.Unreachable, Meters: routing.Unreachable},
	}
	require.NoError(t, legs.SaveLegs(t.Context(), "osrm", planning.Car, kept))
	require.Equal(t, kept, load("osrm", planning.Car, cells...))
	require.Len(t, load("osrm", planning.Car, cells[:2]...), 2)
	fresh, err := legs.LoadLegs(t.Context(), "osrm", planning.Car, cells[2:], cells)
	require.NoError(t, err)
	require.Equal(t, map[planning.Way]routing.Leg{beyond: kept[beyond]}, fresh, "only what begins or ends at a new cell")
	require.Empty(t, load("osrm", planning.Bike, cells...))
	require.Empty(t, load("valhalla", planning.Car, cells...))
	outsiders, err := d.store.TravelLegs(other).LoadLegs(t.Context(), "osrm", planning.Car, cells, cells)
	require.NoError(t, err)
	require.Empty(t, outsiders)

	_, err = d.owner.Exec(t.Context(), "update travel_legs set found_at = now() - interval '30 days' where seconds <> 700")
	require.NoError(t, err)
	require.Equal(t, map[planning.Way]routing.Leg{back: kept[back]}, load("osrm", planning.Car, cells...))
	newer := map[planning.Way]routing.Leg{there: {Seconds: 650, Meters: 9000}, back: {Seconds: 1, Meters: 2}}
	require.NoError(t, legs.SaveLegs(t.Context(), "osrm", planning.Car, newer))
	require.Equal(t, newer, load("osrm", planning.Car, cells...))
	require.Equal(t, 2, one[int](d, "select count(*)::int from travel_legs"), "what is too old goes as others come")
}
