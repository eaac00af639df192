package tracking

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/region"
	"waybill/domain/road"
)

// TestASketchHasStreetsAroundTheWay draws a way of three kilometers in a region, and one beside it.
func TestASketchHasStreetsAroundTheWay(t *testing.T) {
	t.Parallel()
	oslo := region.Region{
		Bounds: region.Bounds{West: 10.6, South: 59.8, East: 10.9, North: 60}, Attribution: "© OpenStreetMap contributors",
	}
	streets := Streets{URL: "/streets/{z}/{x}/{y}.svg", Regions: func() ([]region.Region, string) {
		return []region.Region{oslo}, "abc"
	}}
	s := sketchOf(straight(59.91, 10.72, 59.93, 10.76), "way", streets)
	require.NotEmpty(t, s.Tiles)
	require.LessOrEqual(t, len(s.Tiles), mostTiles)
	require.Equal(t, oslo.Attribution, s.Credit)
	covers := func(x, y string) bool {
		for _, tile := range s.Tiles {
			left, top := number(t, tile.X), number(t, tile.Y)
			if number(t, x) >= left && number(t, x) <= left+number(t, tile.Width) && number(t, y) >= top &&
				number(t, y) <= top+number(t, tile.Height) {
				return true
			}
		}
		return false
	}
	corners := [][2]string{{s.FromX, s.FromY}, {s.ToX, s.ToY}, {"0", "0"}, {"320", "0"}, {"0", "180"}, {"320", "180"}}
	for _, corner := range corners {
		require.True(t, covers(corner[0], corner[1]), corner)
	}
	require.Regexp(t, `^/streets/1[2-4]/\d+/\d+\.svg\?v=abc$`, s.Tiles[0].URL)

	near := sketchOf(straight(59.91, 10.72, 59.9101, 10.72), "way", streets)
	require.Less(t, number(t, near.Tiles[0].Width), 1000.0, "streets are not drawn as wide as the page")
	far := sketchOf(straight(47.1, 9.5, 47.2, 9.5), "way", streets)
	require.Empty(t, far.Tiles)
	require.Empty(t, far.Credit)
}

// straight goes straight from one place to another.
func straight(latitude, longitude, toLatitude, toLongitude float64) road.Line {
	from := road.Point{Latitude: latitude, Longitude: longitude}
	return road.Of(from, road.Point{Latitude: toLatitude, Longitude: toLongitude})
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	value, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return value
}
