package main

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/store/storetest"
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
