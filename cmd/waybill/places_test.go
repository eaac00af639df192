package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/store/storetest"
)

func TestRegistersAreLoadedListedAndRemoved(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	env := asOriginal(ownNamespace(t), db)
	const file = "../../demo/regions/matrikkelen-sample.csv"
	empty := runProgram(t, env, "places", "list")
	require.Contains(t, empty.stdout, "waybill places load FILE")

	loaded := runProgram(t, env, "places", "load", file)
	require.Zero(t, loaded.status, loaded.stderr)
	require.Contains(t, loaded.stdout, "matrikkelen-sample: loaded 200 addresses")
	require.Contains(t, loaded.stdout, "© Kartverket, CC BY 4.0")
	require.Contains(t, runProgram(t, env, "places", "load", file).stdout, "is already loaded")
	require.Contains(t, runProgram(t, env, "places", "list").stdout, "Matrikkelen")

	removed := runProgram(t, env, "places", "remove", "matrikkelen-sample")
	require.Zero(t, removed.status, removed.stderr)
	again := runProgram(t, env, "places", "remove", "matrikkelen-sample")
	require.NotZero(t, again.status)
	require.Contains(t, again.stderr, "waybill places list shows them")

	require.Contains(t, runProgram(t, env, "places", "load", "places_test.go").stderr, "OpenStreetMap extract")
	require.Contains(t, runProgram(t, env, "places", "load", "--country", "Atlantis", file).stderr, "is not a country")
}
