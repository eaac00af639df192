package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/store/storetest"
)

func TestTravelTimesAreKeptForThirtyDays(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	org, other := storetest.Organization(t, d.Database, "acme"), storetest.Organization(t, d.Database, "other")
	legs := d.store.TravelLegs(org)
	var cells []planning.Cell
	for _, latitude := range []float64{59.91, -59.92, 59.93, 59.94} {
		cells = append(cells, planning.CellOf(planning.Point{Latitude: latitude, Longitude: -10.75}))
	}
	osrm := planning.TravelSource{Provider: "osrm", Profile: planning.Car, Version: "1"}
	load := func(of planning.TravelSource, fresh, between []planning.Cell) []planning.TravelBlock {
		known, err := legs.LoadBlocks(t.Context(), of, fresh, between)
		require.NoError(t, err)
		return known
	}
	require.Empty(t, load(osrm, cells, cells))
	first := planning.TravelBlock{
		From: cells[:2], To: cells[1:3], FromMeters: []int32{0, 350}, ToMeters: []int32{350, 7},
		Legs: []routing.Leg{
			{Seconds: 600, Meters: 9000},
			{Seconds: routing.Unreachable, Meters: routing.Unreachable},
			{},
			{Seconds: 5, Meters: 6},
		},
	}
	corrected := planning.TravelBlock{
		From: cells[:1], To: cells[1:2], Legs: []routing.Leg{{Seconds: 900, Meters: 9100}}, Corrected: true,
		FromMeters: []int32{}, ToMeters: []int32{},
	}
	later := planning.TravelBlock{
		From: cells[2:3], To: cells[:1], Legs: []routing.Leg{{Seconds: 1, Meters: 2}},
		FromMeters: []int32{}, ToMeters: []int32{},
	}
	for _, b := range []*planning.TravelBlock{&first, &corrected, &later} {
		require.NoError(t, legs.SaveBlock(t.Context(), osrm, b))
	}
	require.Equal(t, []planning.TravelBlock{first, later, corrected}, load(osrm, cells, cells),
		"what was corrected counts more")
	require.Equal(t, []planning.TravelBlock{first, later}, load(osrm, cells[2:3], cells),
		"only what begins or ends at a fresh cell")
	require.Empty(t, load(osrm, cells[3:], cells))
	require.Empty(t, load(osrm, cells[:1], cells[:1]), "the other end is not asked for")
	curb := cells[0]
	curb.Curbside = true
	both := []planning.Cell{cells[1], curb}
	require.Empty(t, load(osrm, both[1:], both), "either side of a street has legs of its own")
	sided := planning.TravelBlock{
		From: cells[1:2], To: both[1:], Legs: []routing.Leg{{Seconds: 640, Meters: 9400}},
		FromMeters: []int32{}, ToMeters: []int32{},
	}
	require.NoError(t, legs.SaveBlock(t.Context(), osrm, &sided))
	require.Equal(t, []planning.TravelBlock{sided}, load(osrm, both[1:], both))
	require.Equal(t, []planning.TravelBlock{first, corrected}, load(osrm, cells[1:2], cells[:2]), "as before")
	for _, of := range []planning.TravelSource{
		{Provider: "osrm", Profile: planning.Bike, Version: "1"},
		{Provider: "valhalla", Profile: planning.Car, Version: "1"},
		{Provider: "osrm", Profile: planning.Car, Version: "2"},
	} {
		require.Empty(t, load(of, cells, cells), "of other roads")
	}
	outsiders, err := d.store.TravelLegs(other).LoadBlocks(t.Context(), osrm, cells, cells)
	require.NoError(t, err)
	require.Empty(t, outsiders)

	large := planning.TravelBlock{FromMeters: []int32{}, ToMeters: []int32{}}
	for n := range 30 {
		large.From = append(large.From, planning.Cell{Latitude: int32(n), Longitude: 1})
	}
	large.From[0] = cells[3]
	large.To, large.Legs = large.From, make([]routing.Leg, 900)
	require.NoError(t, legs.SaveBlock(t.Context(), osrm, &large))
	require.Empty(t, load(osrm, cells[3:], cells), "a block with few legs of use is not read")
	require.Len(t, load(osrm, large.From[:12], large.From[:12]), 1)

	_, err = d.owner.Exec(t.Context(),
		"update travel_blocks set found_at = now() - interval '30 days' where not corrected")
	require.NoError(t, err)
	require.Equal(t, []planning.TravelBlock{corrected}, load(osrm, cells, cells))
	require.NoError(t, legs.SaveBlock(t.Context(), osrm, &later))
	require.Equal(t, []planning.TravelBlock{later, corrected}, load(osrm, cells, cells))
	require.Equal(t, 2, one[int](d, "select count(*)::int from travel_blocks"), "what is too old goes as others come")
	require.Equal(t, 4, one[int](d, "select count(*)::int from travel_block_cells"))
}
