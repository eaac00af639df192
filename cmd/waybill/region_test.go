package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/osrm"
	"waybill/store/storetest"
	"waybill/testing/stack"
)

func TestRegionsAreAddedListedAndRemoved(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	files := t.TempDir()
	env := append(asOriginal(ownNamespace(t), db), "WAYBILL_REGIONS_DIR="+files)
	const extract = "../../demo/regions/liechtenstein.osm.pbf"
	require.Contains(t, runProgram(t, env, "region", "list").stdout, "waybill region add FILE")

	add := []string{"region", "add", extract, "--name", "alps", "--bbox", "9.47,47.04,9.64,47.28", "--without", "roads,tiles"}
	added := runProgram(t, env, add...)
	require.Zero(t, added.status, added.stderr)
	require.Contains(t, added.stdout, "alps: 3227 addresses")
	require.Contains(t, added.stdout, "© OpenStreetMap contributors")
	require.Contains(t, runProgram(t, env, add...).stdout, "is already built")
	listed := runProgram(t, env, "region", "list").stdout
	require.Contains(t, listed, "9.47000,47.04000,9.64000,47.28000")
	require.Contains(t, listed, "present")
	require.Contains(t, listed, "built without roads")
	checked := runProgram(t, env, "doctor").stdout
	require.Contains(t, checked, "1 regions have all their files and road data")
	moved := append(slices.Clone(env), "WAYBILL_REGIONS_DIR="+t.TempDir())
	require.Contains(t, runProgram(t, moved, "region", "list").stdout, "missing here")
	require.Contains(t, runProgram(t, moved, "doctor").stdout, "the files of these regions are not on this host: alps")

	removed := runProgram(t, env, "region", "remove", "alps")
	require.Zero(t, removed.status, removed.stderr)
	left, err := os.ReadDir(files)
	require.NoError(t, err)
	require.Empty(t, left)
	require.Contains(t, runProgram(t, env, "region", "remove", "alps").stderr, "waybill region list shows them")

	for want, args := range map[string][]string{
		"use roads or tiles":     {"--without", "addresses"},
		"is not a bounding box":  {"--bbox", "1,2"},
		"is not a country":       {"--country", "Atlantis"},
		"cannot be the name":     {"--name", "../up"},
		"WAYBILL_TILEMAKER":      {"--name", "none", "--without", "roads"},
		"set WAYBILL_OSRM to":    {"--name", "none", "--without", "tiles"},
		"OpenStreetMap extract ": nil,
	} {
		file := extract
		if args == nil {
			file = "../../demo/regions/matrikkelen-sample.csv"
		}
		broken := append(slices.Clone(env), "WAYBILL_TILEMAKER=/no/tilemaker", "WAYBILL_OSRM=/no/osrm")
		refused := runProgram(t, broken, append([]string{"region", "add", file}, args...)...)
		require.NotZero(t, refused.status, want)
		require.Contains(t, refused.stderr, want)
	}
}

// TestRoadDataOfClassesAreListedAndChecked builds a region with roads, and takes road data away.
func TestRoadDataOfClassesAreListedAndChecked(t *testing.T) {
	t.Parallel()
	home, err := stack.FindOSRM()
	if errors.Is(err, osrm.ErrMissing) {
		t.Skip(err)
	}
	require.NoError(t, err)
	db := storetest.New(t)
	storetest.Apply(t, db, "organization: {slug: acme, name: Acme AS, timezone: Europe/Oslo}\n"+
		"vehicleTypes: [{name: Truck, travelsAs: TRUCK, heightM: 4}, {name: Cargo bike, travelsAs: BIKE}]\n")
	files := t.TempDir()
	env := append(asOriginal(ownNamespace(t), db), "WAYBILL_REGIONS_DIR="+files, "WAYBILL_OSRM="+home)
	add := []string{"region", "add", "../../demo/regions/liechtenstein.osm.pbf", "--name", "alps", "--without", "tiles"}
	added := runProgram(t, env, add...)
	require.Zero(t, added.status, added.stderr)
	require.Contains(t, added.stdout, "road data were built for car, bike, truck-h400")
	listed := runProgram(t, env, "region", "list").stdout
	require.Regexp(t, `alps +car +[0-9.]+ MB +ready`, listed)
	require.Regexp(t, `alps +truck-h400 +[0-9.]+ MB +ready`, listed)
	require.Contains(t, runProgram(t, env, "doctor").stdout, "1 regions have all their files and road data")
	fewer := append(slices.Clone(env), "WAYBILL_ROAD_PROFILES=2")
	require.Regexp(t, `all +truck-h400 +- +not built: WAYBILL_ROAD_PROFILES`, runProgram(t, fewer, "region", "list").stdout)
	require.Contains(t, runProgram(t, fewer, "doctor").stdout, "no road data are built for truck-h400")

	roads, err := filepath.Glob(filepath.Join(files, "alps", "*", "roads"))
	require.NoError(t, err)
	require.Len(t, roads, 1)
	require.NoError(t, os.RemoveAll(filepath.Join(roads[0], "truck-h400")))
	require.Regexp(t, `alps +truck-h400 +- +waits for waybill roads`, runProgram(t, env, "region", "list").stdout)
	require.Contains(t, runProgram(t, env, "doctor").stdout, "road data are not ready yet: truck-h400 of alps")
	failed := `{"tries": 8, "percent": 3, "failure": "osrm-extract was killed (killed)\nits output", "next": "2026-03-02T07:00:00Z"}`
	require.NoError(t, os.WriteFile(filepath.Join(roads[0], "truck-h400.json"), []byte(failed), 0o600))
	require.Regexp(t, `truck-h400 +- +failed 8 times: osrm-extract was killed \(killed\)\n`, runProgram(t, env, "region", "list").stdout)
	require.Contains(t, runProgram(t, env, "doctor").stdout, "road data cannot be used")

	require.NoError(t, os.RemoveAll(filepath.Join(roads[0], "car")))
	require.Contains(t, runProgram(t, env, "doctor").stdout, "regions are damaged: alps")
	again := runProgram(t, env, add...)
	require.Zero(t, again.status, again.stderr)
	require.Contains(t, runProgram(t, env, "doctor").stdout, "1 regions have all their files and road data")
	require.Zero(t, runProgram(t, env, "region", "remove", "alps").status)
	left, err := os.ReadDir(files)
	require.NoError(t, err)
	require.Empty(t, left)
}
