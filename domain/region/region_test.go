package region_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/place"
	"waybill/domain/region"
)

var (
	norway = region.Bounds{West: 4, South: 57.9, East: 31.5, North: 71.3}
	oslo   = region.Bounds{West: 10.72, South: 59.90, East: 10.78, North: 59.94}
	alps   = region.Bounds{West: 9.47, South: 47.04, East: 9.64, North: 47.28}
)

func at(latitude, longitude float64) place.Position {
	return place.Position{Latitude: latitude, Longitude: longitude}
}

func TestTheSmallestRegionThatHoldsAllPositionsComesFirst(t *testing.T) {
	t.Parallel()
	regions := []region.Bounds{norway, oslo, alps}
	for name, one := range map[string]struct {
		positions []place.Position
		want      []int
	}{
		"in the smaller of two":     {[]place.Position{at(59.91, 10.75), at(59.92, 10.73)}, []int{1, 0}},
		"one of them outside":       {[]place.Position{at(59.91, 10.75), at(60.39, 5.32)}, []int{0}},
		"on the edge":               {[]place.Position{at(59.90, 10.72)}, []int{1, 0}},
		"in another":                {[]place.Position{at(47.14, 9.52)}, []int{2}},
		"one in each of two":        {[]place.Position{at(47.14, 9.52), at(59.91, 10.75)}, nil},
		"in none":                   {[]place.Position{at(0, 0)}, nil},
		"none in none":              {[]place.Position{at(0, 0), at(1, 1)}, nil},
		"no position is everywhere": {nil, []int{1, 2, 0}},
	} {
		require.ElementsMatch(t, one.want, region.Holding(regions, one.positions), name)
		if len(one.want) > 0 {
			require.Equal(t, one.want[0], region.Holding(regions, one.positions)[0], name)
		}
	}
}

func TestBoundingBoxesAreRead(t *testing.T) {
	t.Parallel()
	read, err := region.ParseBounds("9.47, 47.04,9.64,47.28")
	require.NoError(t, err)
	require.Equal(t, alps, read)
	again, err := region.ParseBounds(read.String())
	require.NoError(t, err)
	require.Equal(t, read, again)
	for _, wrong := range []string{"", "1,2,3", "1,2,3,x", "3,2,1,4", "1,4,3,2", "1,2,3,91", "NaN,2,3,4", "1,2,1,4"} {
		_, err := region.ParseBounds(wrong)
		require.Error(t, err, wrong)
	}
	require.Error(t, region.None().Check())
	box := region.None().Include(at(1, 2)).Include(at(3, 1))
	require.Equal(t, region.Bounds{West: 1, South: 1, East: 2, North: 3}, box)
	require.True(t, oslo.Meets(norway))
	require.False(t, oslo.Meets(alps))
}

func TestNamesOfRegions(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"oslo-center", "norway_2026", "a"} {
		require.NoError(t, region.CheckName(good), good)
	}
	for _, wrong := range []string{"", "..", "a/b", "Oslo", "å", "-a", "a b"} {
		require.Error(t, region.CheckName(wrong), wrong)
	}
}

func TestProfileAndPositionsOfARequest(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"/route/v1/driving/10.75,59.91;10.74,59.92", "/table/v1/driving/10.75,59.91;10.74,59.92.json",
	} {
		profile, positions, err := region.ReadRequest(path)
		require.NoError(t, err, path)
		require.Equal(t, "driving", profile)
		require.Equal(t, []place.Position{at(59.91, 10.75), at(59.92, 10.74)}, positions)
	}
	for _, wrong := range []string{
		"/", "/route", "/route/v1/driving", "/route/v1/driving/", "/route/v1//1,1",
		"/trip/v1/driving/1,1", "/route/v2/driving/1,1",
		"/route/v1/driving/1", "/route/v1/driving/1,1;", "/route/v1/driving/181,1", "/route/v1/driving/polyline(abc)",
		"/route/v1/driving/1,1/2", "/route/v1/driving/NaN,1",
	} {
		_, _, err := region.ReadRequest(wrong)
		require.Error(t, err, wrong)
	}
}

func TestTilesOfTheWorld(t *testing.T) {
	t.Parallel()
	whole := region.Tile{}.Bounds()
	require.InDelta(t, -180, whole.West, 1e-9)
	require.InDelta(t, 85.0511, whole.North, 1e-4)
	inOslo := region.Tile{Zoom: 14, X: 8681, Y: 4766}
	require.True(t, inOslo.IsValid())
	require.True(t, inOslo.Bounds().Meets(oslo), inOslo.Bounds().String())
	require.False(t, inOslo.Bounds().Meets(alps))
	for _, wrong := range []region.Tile{{Zoom: -1}, {Zoom: 15}, {Zoom: 1, X: 2}, {Zoom: 1, Y: -1}} {
		require.False(t, wrong.IsValid(), wrong)
	}
}
