package regions

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/maptile"
	"github.com/paulmach/orb/planar"
	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"

	"waybill/domain/region"
)

var square = orb.Bound{Min: orb.Point{10, 50}, Max: orb.Point{11, 51}}

// wavy is a line from west to east through the square, in this many steps.
func wavy(steps int) (line orb.LineString) {
	for i := range steps + 1 {
		x := 9.9 + 1.2*float64(i)/float64(steps)
		line = append(line, orb.Point{x, 50.5 + 0.1*math.Sin(40*x)})
	}
	return line
}

// around is a ring, counterclockwise as the coast of an island.
func around(center orb.Point, radius float64) (ring orb.LineString) {
	for i := range 32 {
		turn := 2 * math.Pi * float64(i) / 32
		ring = append(ring, orb.Point{center[0] + radius*math.Cos(turn), center[1] + radius*math.Sin(turn)})
	}
	return append(ring, ring[0])
}

func TestTheSeaIsOnTheRightOfTheCoasts(t *testing.T) {
	t.Parallel()
	lagoon := around(orb.Point{10.2, 50.9}, 0.05)
	lagoon.Reverse()
	for name, one := range map[string]struct {
		coasts    []orb.LineString
		sea, land []orb.Point
	}{
		"a coast": {[]orb.LineString{wavy(60)}, []orb.Point{{10.5, 50.1}, {10.01, 50.01}}, []orb.Point{{10.5, 50.9}, {10.99, 50.99}}},
		"a long coast with an island and a bay of its own": {
			[]orb.LineString{wavy(6000), around(orb.Point{10.5, 50.2}, 0.1), lagoon},
			[]orb.Point{{10.5, 50.05}, {10.2, 50.9}, {10.99, 50.01}},
			[]orb.Point{{10.5, 50.2}, {10.9, 50.9}, {10.27, 50.97}},
		},
		"an island": {
			[]orb.LineString{around(orb.Point{10.5, 50.5}, 0.2)}, []orb.Point{{10.1, 50.1}, {10.9, 50.9}}, []orb.Point{{10.5, 50.5}},
		},
		"an island across the edge": {
			[]orb.LineString{around(orb.Point{10, 50.5}, 0.2)}, []orb.Point{{10.5, 50.5}, {10.01, 50.01}}, []orb.Point{{10.1, 50.5}},
		},
		"a coast that ends inside": {[]orb.LineString{wavy(60)[:50]}, []orb.Point{{10.5, 50.1}, {10.9, 50.1}}, []orb.Point{{10.5, 50.9}}},
	} {
		sea := seaIn(square, one.coasts)
		for _, at := range one.sea {
			require.True(t, planar.MultiPolygonContains(sea, at), "%s: %v is sea", name, at)
		}
		for _, at := range one.land {
			require.False(t, planar.MultiPolygonContains(sea, at), "%s: %v is land", name, at)
		}
		for _, polygon := range sea {
			require.True(t, square.Contains(polygon.Bound().Min) && square.Contains(polygon.Bound().Max), name)
			require.Less(t, len(polygon[0]), 3*cellPoints, name)
		}
	}
}

// TestTheAreaOfTheSeaDoesNotDependOnTheCuts compares pieces with one polygon.
func TestTheAreaOfTheSeaDoesNotDependOnTheCuts(t *testing.T) {
	t.Parallel()
	few, many := seaIn(square, []orb.LineString{wavy(400)}), seaIn(square, []orb.LineString{wavy(40_000)})
	require.Len(t, few, 1)
	require.Greater(t, len(many), 50)
	require.InDelta(t, planar.Area(few), planar.Area(many), 0.001)
}

func TestNoCoastIsNoSea(t *testing.T) {
	t.Parallel()
	require.Empty(t, seaIn(square, nil))
	require.Empty(t, seaIn(square, []orb.LineString{{{1, 1}, {2, 2}}}), "elsewhere")
	sea, err := seaOf(t.Context(), "../../demo/regions/liechtenstein.osm.pbf", region.Bounds{West: 9.47, South: 47.04, East: 9.64, North: 47.28})
	require.NoError(t, err)
	require.Empty(t, sea)
}

func TestWaysOfACoastAreJoined(t *testing.T) {
	t.Parallel()
	ways := [][]osm.NodeID{{3, 4, 5}, {1, 2, 3}, {10, 11, 12}, {12, 13, 10}}
	require.ElementsMatch(t, [][]osm.NodeID{{1, 2, 3, 4, 5}, {10, 11, 12, 13, 10}}, joined(ways))
	lines := linesOf([][]osm.NodeID{{1, 2, 3, 4}}, map[osm.NodeID]orb.Point{1: {1, 1}, 2: {2, 2}, 4: {4, 4}})
	require.Equal(t, []orb.LineString{{{1, 1}, {2, 2}}}, lines, "without the node that is missing")
}

// TestTilesHaveTheSea builds the tiles of the demo's extract, and looks at the harbor.
func TestTilesHaveTheSea(t *testing.T) {
	t.Parallel()
	programs := Programs{}
	if programs.CheckTiles() != nil {
		t.Skip("tilemaker is not installed")
	}
	const extract = "../../demo/regions/oslo-center.osm.pbf"
	bounds, err := BoundsOf(t.Context(), extract)
	require.NoError(t, err)
	version, err := NewFolder(t.TempDir()).Create("oslo", "v1")
	require.NoError(t, err)
	_, err = programs.BuildTiles(t.Context(), version, extract, bounds, Watch{})
	require.NoError(t, err)
	left, err := filepath.Glob(filepath.Join(version.Path, "tiles-*"))
	require.NoError(t, err)
	require.Empty(t, left, "what the builder read is removed")
	file, err := openTiles(t.Context(), version.Tiles())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, file.db.Close()) })
	for zoom := 6; zoom <= 14; zoom++ {
		require.True(t, isWater(t, file, orb.Point{10.7285, 59.9085}, zoom), "Pipervika at %d", zoom)
		if zoom > 11 {
			require.False(t, isWater(t, file, orb.Point{10.7276, 59.9170}, zoom), "the castle at %d", zoom)
		}
	}
}

// isWater reports whether a tile has water at a place.
func isWater(t *testing.T, file *mbtiles, at orb.Point, zoom int) bool {
	t.Helper()
	tile := maptile.At(at, maptile.Zoom(zoom))
	data, err := file.read(t.Context(), region.Tile{Zoom: zoom, X: int(tile.X), Y: int(tile.Y)})
	require.NoError(t, err)
	layers, err := mvt.UnmarshalGzipped(data)
	require.NoError(t, err)
	layers.ProjectToWGS84(tile)
	for _, layer := range layers {
		for _, feature := range layer.Features {
			if layer.Name != "water" {
				continue
			}
			switch shape := feature.Geometry.(type) {
			case orb.Polygon:
				if planar.PolygonContains(shape, at) {
					return true
				}
			case orb.MultiPolygon:
				if planar.MultiPolygonContains(shape, at) {
					return true
				}
			}
		}
	}
	return false
}

// TestTheFjordOfOsloIsSea looks at places in the harbor of the demo's extract and beside it.
func TestTheFjordOfOsloIsSea(t *testing.T) {
	t.Parallel()
	const extract = "../../demo/regions/oslo-center.osm.pbf"
	bounds, err := BoundsOf(t.Context(), extract)
	require.NoError(t, err)
	sea, err := seaOf(t.Context(), extract, bounds)
	require.NoError(t, err)
	t.Log(bounds, len(sea))
	for name, at := range map[string]orb.Point{"Pipervika": {10.7285, 59.9085}, "Bjørvika": {10.7515, 59.9040}} {
		require.True(t, planar.MultiPolygonContains(sea, at), name)
	}
	for name, at := range map[string]orb.Point{"the castle": {10.7276, 59.9170}, "Akershus": {10.7364, 59.9077}, "the Opera": {10.7531, 59.9075}} {
		require.False(t, planar.MultiPolygonContains(sea, at), name)
	}
}
