package places_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/place"
	"waybill/domain/region"
	loading "waybill/operations/places"
	"waybill/providers/regions"
	"waybill/store/places"
	"waybill/store/storetest"
	"waybill/testing/stack"
)

const liechtenstein = "../../demo/regions/liechtenstein.osm.pbf"

// newRegions builds regions in an empty folder with what is installed, and returns the parts that
// cannot be built.
func newRegions(t *testing.T, r *register) (all *loading.Regions, path string, without []region.Part) {
	t.Helper()
	path = t.TempDir()
	programs := regions.Programs{}
	if home, err := stack.FindOSRM(); err == nil {
		programs.OSRM = home
	}
	if programs.CheckRoads() != nil {
		without = append(without, region.Roads)
	}
	if programs.CheckTiles() != nil {
		without = append(without, region.Tiles)
	}
	return &loading.Regions{
		Owner: places.NewOwner(r.owner), Register: places.New(r.owner), Folder: regions.NewFolder(path), Programs: programs,
		Now: time.Now, MostProfiles: 20,
	}, path, without
}

func foldersIn(t *testing.T, path string) (names []string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(path, "*", "*"))
	require.NoError(t, err)
	for _, name := range found {
		names = append(names, filepath.Base(filepath.Dir(name)))
	}
	return names
}

func TestARegionIsAddedReplacedAndRemovedAsAWhole(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	all, path, without := newRegions(t, r)
	extract := loading.Extract{Path: oslo, Name: "oslo", Without: without}
	added, err := all.Add(t.Context(), extract)
	require.NoError(t, err)
	require.EqualValues(t, 13_226, added.Addresses)
	require.Equal(t, !slices.Contains(without, region.Roads), added.HasRoads())
	require.Equal(t, !slices.Contains(without, region.Tiles), added.HasTiles())
	wanted := []region.Profile{region.Cars}
	if added.HasRoads() {
		require.Equal(t, wanted, added.Profiles)
	}
	require.True(t, added.Bounds.Holds(place.Position{Latitude: 59.91, Longitude: 10.75}))

	again, err := all.Add(t.Context(), extract)
	require.NoError(t, err)
	require.True(t, again.Unchanged)
	require.Equal(t, added.Version, again.Version)

	second, err := all.Add(t.Context(), loading.Extract{Path: liechtenstein, Name: "alps", Country: "LI", Without: without})
	require.NoError(t, err)
	require.Positive(t, second.Addresses)
	require.False(t, second.Bounds.Meets(added.Bounds))
	listed, err := all.List(t.Context())
	require.NoError(t, err)
	require.Len(t, listed, 2)
	require.ElementsMatch(t, []string{"oslo", "alps"}, foldersIn(t, path))

	extract.Again = true
	rebuilt, err := all.Add(t.Context(), extract)
	require.NoError(t, err)
	require.NotEqual(t, added.Version, rebuilt.Version)
	require.ElementsMatch(t, []string{"oslo", "alps"}, foldersIn(t, path), "the version before is gone")

	removed, err := all.Remove(t.Context(), "alps")
	require.NoError(t, err)
	require.True(t, removed)
	require.Equal(t, []string{"oslo"}, foldersIn(t, path))
	left := 0
	const query = `select (select count(*) from regions where name = 'alps') + (select count(*) from streets where country = 'LI')
		+ (select count(*) from place_sources where name = 'alps') + (select count(*) from place_loads)`
	require.NoError(t, r.owner.QueryRow(t.Context(), query).Scan(&left))
	require.Zero(t, left)
	removed, err = all.Remove(t.Context(), "alps")
	require.NoError(t, err)
	require.False(t, removed)
	require.Equal(t, place.Point, r.find(t, place.Address{Address1: "Karl Johans gate 22", PostalCode: "0026", City: "Oslo"})[0].Precision)
}

func TestAKilledBuilderLeavesTheRegionInUse(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	all, path, without := newRegions(t, r)
	if len(without) > 0 {
		t.Skip("OSRM or tilemaker is not installed")
	}
	before, err := all.Add(t.Context(), loading.Extract{Path: liechtenstein, Name: "alps"})
	require.NoError(t, err)
	tiles := regions.NewTiles(regions.NewFolder(path), all.List, slog.New(slog.DiscardHandler))
	require.NoError(t, tiles.Refresh(t.Context()))
	for _, builder := range []string{"osrm-extract", "tilemaker"} {
		all.Watch.Started = func(program string, pid int) {
			if program == builder {
				require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
			}
		}
		_, err := all.Add(t.Context(), loading.Extract{Path: oslo, Name: "alps"})
		var killed *regions.KilledError
		require.ErrorAs(t, err, &killed)
		require.Equal(t, builder, killed.Program)
		require.ErrorContains(t, err, "out of memory")
		listed, err := all.List(t.Context())
		require.NoError(t, err)
		require.Len(t, listed, 1)
		require.Equal(t, before.Version, listed[0].Version)
		require.Equal(t, before.Addresses, listed[0].Addresses)
		require.Equal(t, []string{"alps"}, foldersIn(t, path), "only the files in use")
		require.NoError(t, tiles.Refresh(t.Context()))
		inVaduz := region.Tile{Zoom: 14, X: 8625, Y: 5753}
		data, _, err := tiles.Tile(t.Context(), inVaduz)
		require.NoError(t, err)
		require.NotEmpty(t, data)
	}
}

// TestRoadDataAreBuiltForTheClassesOfVehicles builds those that a region lacks when it is added again.
func TestRoadDataAreBuiltForTheClassesOfVehicles(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	all, path, without := newRegions(t, r)
	if slices.Contains(without, region.Roads) {
		t.Skip("OSRM is not installed")
	}
	extract := loading.Extract{Path: liechtenstein, Name: "alps", Without: []region.Part{region.Tiles}}
	storetest.Organization(t, r.db, "acme")
	_, err := r.owner.Exec(t.Context(), "update vehicle_types set travels_as = 'TRUCK', height_m = 4 where name = 'Truck'")
	require.NoError(t, err)
	const high region.Profile = "truck-h400"
	extracts := 0
	all.Watch.Started = func(program string, pid int) {
		if program == "osrm-extract" {
			if extracts++; extracts == 2 { // cars are first
				require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
			}
		}
	}
	added, err := all.Add(t.Context(), extract)
	require.NoError(t, err, "one class does not keep the region from being used")
	require.NotContains(t, added.Profiles, high)
	require.ErrorContains(t, added.Failed[high], "killed")
	wanted, beyond, err := all.Profiles(t.Context())
	require.NoError(t, err)
	require.Contains(t, wanted, high)
	require.Empty(t, beyond)
	states, err := all.RoadStates(&added.Region, wanted)
	require.NoError(t, err)
	at := slices.IndexFunc(states, func(s region.RoadState) bool { return s.Profile == high })
	require.Equal(t, region.Waiting, states[at].Phase)
	require.Contains(t, states[at].Failure, "out of memory")

	again, err := all.Add(t.Context(), extract)
	require.NoError(t, err)
	require.True(t, again.Unchanged)
	require.Equal(t, []region.Profile{high}, again.Profiles)
	states, err = all.RoadStates(&added.Region, wanted)
	require.NoError(t, err)
	require.Equal(t, region.Ready, states[at].Phase)
	require.Positive(t, states[at].Bytes)

	_, err = all.Remove(t.Context(), "alps")
	require.NoError(t, err)
	left, err := os.ReadDir(path)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestFilesInUseAreRemovedByTheirLastUser(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	all, path, without := newRegions(t, r)
	if slices.Contains(without, region.Tiles) {
		t.Skip("tilemaker is not installed")
	}
	extract := loading.Extract{Path: liechtenstein, Name: "alps", Without: []region.Part{region.Roads}}
	first, err := all.Add(t.Context(), extract)
	require.NoError(t, err)
	require.False(t, first.HasRoads())
	tiles := regions.NewTiles(regions.NewFolder(path), all.List, slog.New(slog.DiscardHandler))
	require.NoError(t, tiles.Refresh(t.Context()))

	extract.Again = true
	second, err := all.Add(t.Context(), extract)
	require.NoError(t, err)
	require.DirExists(t, filepath.Join(path, "alps", first.Version))
	require.NoError(t, tiles.Refresh(t.Context()))
	require.NoDirExists(t, filepath.Join(path, "alps", first.Version))
	used, _ := tiles.Regions()
	require.Equal(t, second.Version, used[0].Version)

	_, err = all.Remove(t.Context(), "alps")
	require.NoError(t, err)
	require.NoError(t, tiles.Refresh(t.Context()))
	left, err := os.ReadDir(path)
	require.NoError(t, err)
	require.Empty(t, left)
	used, _ = tiles.Regions()
	require.Empty(t, used)
}

func TestWhatIsNoExtractIsRefused(t *testing.T) {
	t.Parallel()
	r := newRegister(t)
	all, path, _ := newRegions(t, r)
	_, err := all.Add(t.Context(), loading.Extract{Path: "../../demo/regions/matrikkelen-sample.csv", Name: "no"})
	require.ErrorIs(t, err, loading.ErrNotAnExtract)
	_, err = all.Add(t.Context(), loading.Extract{Path: liechtenstein, Name: "../no"})
	require.ErrorContains(t, err, "cannot be the name")
	all.Programs = regions.Programs{OSRM: path, Tilemaker: "no-such-program"}
	_, err = all.Add(t.Context(), loading.Extract{Path: liechtenstein, Name: "no"})
	require.ErrorContains(t, err, "OSRM is missing")
	require.ErrorContains(t, err, "tilemaker is missing")
	require.Empty(t, foldersIn(t, path))
}
