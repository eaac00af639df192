package regions

import (
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
	"github.com/stretchr/testify/require"

	"waybill/domain/region"
)

// packed is a tile with one point in each of the layers.
func packed(t *testing.T, layers ...string) []byte {
	t.Helper()
	var all mvt.Layers
	for _, name := range layers {
		points := geojson.NewFeatureCollection().Append(geojson.NewFeature(orb.Point{1, 2}))
		layer := mvt.NewLayer(name, points)
		layer.Version = 2
		all = append(all, layer)
	}
	data, err := mvt.MarshalGzipped(all)
	require.NoError(t, err)
	return data
}

func TestWhereRegionsMeetATileHasBoth(t *testing.T) {
	t.Parallel()
	merged, err := merge(packed(t, "roads", "water"), packed(t, "roads", "places"))
	require.NoError(t, err)
	layers, err := mvt.UnmarshalGzipped(merged)
	require.NoError(t, err)
	counts := map[string]int{}
	for _, layer := range layers {
		counts[layer.Name] = len(layer.Features)
	}
	require.Equal(t, map[string]int{"roads": 2, "water": 1, "places": 1}, counts)
	one := packed(t, "roads")
	same, err := merge(nil, one)
	require.NoError(t, err)
	require.Equal(t, one, same, "as it is stored")
}

func TestProgressOfBuilders(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int{"50%": 50, "Zoom level 12, writing tile 23 of 193": 11, "100%": 100} {
		percent, ok := progressIn(line)
		require.True(t, ok, line)
		require.Equal(t, want, percent, line)
	}
	_, ok := progressIn("[info] Handled: 54 of 108 lanes: 50 %.")
	require.False(t, ok)
}

func TestOnlyUnusedVersionsAreSweptAway(t *testing.T) {
	t.Parallel()
	folder := NewFolder(t.TempDir())
	create := func(version string) *Version {
		v, err := folder.Create("oslo", version)
		require.NoError(t, err)
		return v
	}
	listed, used, left, building := create("1"), create("2"), create("3"), create("4")
	for _, v := range []*Version{listed, used, left} {
		require.NoError(t, v.Close())
	}
	user, err := folder.Use(&region.Region{Name: "oslo", Version: "2"})
	require.NoError(t, err)
	list := func() ([]region.Region, error) { return []region.Region{{Name: "oslo", Version: "1"}}, nil }
	require.NoError(t, folder.Sweep(list))
	for _, v := range []*Version{listed, used, building} {
		require.DirExists(t, v.Path)
	}
	require.NoDirExists(t, left.Path)
	_, err = folder.Use(&region.Region{Name: "oslo", Version: "3"})
	require.ErrorIs(t, err, ErrGone)
	_, err = folder.Use(&region.Region{Name: "oslo", Version: "4"})
	require.ErrorIs(t, err, ErrInUse)
	require.NoError(t, user.Close())
	require.NoError(t, building.Discard())
	require.NoError(t, folder.Sweep(list))
	require.NoDirExists(t, used.Path)
	require.DirExists(t, listed.Path)
}
