package road_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/road"
)

// corner leads about 1,112 meters to the north and 557 to the east.
var corner = road.Of(
	road.Point{Latitude: 59.9, Longitude: 10.7}, road.Point{Latitude: 59.91, Longitude: 10.7},
	road.Point{Latitude: 59.91, Longitude: 10.71},
)

func TestLinesAreWrittenAsPolylines(t *testing.T) {
	t.Parallel()
	line, err := road.Decode("_p~iF~ps|U_ulLnnqC_mqNvxq`@") // the example of the format's description
	require.NoError(t, err)
	require.Equal(t, []road.Point{{38.5, -120.2}, {40.7, -120.95}, {43.252, -126.453}}, line.Points())
	require.Equal(t, "_p~iF~ps|U_ulLnnqC_mqNvxq`@", line.Encode())

	fine, err := road.DecodeFine("_p~iF~ps|U")
	require.NoError(t, err)
	require.Equal(t, []road.Point{{3.85, -12.02}}, fine.Points(), "Valhalla writes one more digit")

	for _, text := range []string{"_p~iF", "_p~iF~ps|", "ø", "________", strings.Repeat("?", 1<<20+2)} {
		_, err := road.Decode(text)
		require.Error(t, err, "%.20q", text)
	}
	for _, text := range []string{"", "??"} {
		line, err := road.Decode(text)
		require.NoError(t, err)
		require.False(t, line.Known())
		require.Zero(t, line.Length())
		require.Zero(t, line.At(10))
	}
}

func TestPositionsAreProjectedOntoLines(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 1112+557, corner.Length(), 2)
	for _, c := range []struct {
		name                string
		latitude, longitude float64
		along, away         float64
	}{
		{"on the first street", 59.905, 10.7, 556, 0},
		{"next to it", 59.905, 10.701, 556, 56},
		{"before its beginning", 59.89, 10.7, 0, 1112},
		{"on the second street", 59.91, 10.705, 1112 + 279, 0},
		{"behind its end", 59.91, 10.72, 1112 + 557, 557},
	} {
		along, away := corner.Project(road.Point{Latitude: c.latitude, Longitude: c.longitude})
		require.InDelta(t, c.along, along, 2, c.name)
		require.InDelta(t, c.away, away, 2, c.name)
	}
	_, away := road.Line{}.Project(road.Point{})
	require.True(t, math.IsInf(away, 1))
}

func TestPointsAlongALine(t *testing.T) {
	t.Parallel()
	for _, meters := range []float64{0, 1, 556, 1112, 1300, corner.Length()} {
		along, away := corner.Project(corner.At(meters))
		require.InDelta(t, meters, along, 1)
		require.InDelta(t, 0, away, 0.1)
		require.InDelta(t, corner.Length()-meters, corner.After(meters).Length(), 1)
	}
	require.Equal(t, road.Point{Latitude: 59.9, Longitude: 10.7}, corner.At(-5))
	require.Equal(t, road.Point{Latitude: 59.91, Longitude: 10.71}, corner.At(1e6))
	require.False(t, corner.After(1e6).Known(), "nothing is left")
}
