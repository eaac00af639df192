package main

import (
	"encoding/json"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMaterialsAreThoseOfTheBuild(t *testing.T) {
	t.Parallel()
	all := materials(&debug.BuildInfo{
		GoVersion: "go1.26.8", Main: debug.Module{Path: "waybill"},
		Deps: []*debug.Module{
			{Path: "example.org/a", Version: "v1.2.3+incompatible", Sum: "h1:sum"},
			{Path: "example.org/b", Version: "v1.0.0", Replace: &debug.Module{Path: "example.org/fork", Version: "v1.0.1"}},
		},
	})
	var urls []string
	for _, part := range all.Components {
		require.Equal(t, "library", part.Type)
		urls = append(urls, part.PURL)
	}
	require.Equal(t, []string{
		"pkg:golang/std@1.26.8", "pkg:golang/example.org/a@v1.2.3%2Bincompatible", "pkg:golang/example.org/fork@v1.0.1",
	}, urls)
	require.Equal(t, []property{{"go:sum", "h1:sum"}}, all.Components[1].Properties)
	require.Equal(t, []dependency{{Ref: all.Metadata.Component.Ref, DependsOn: urls}}, all.Relations)
}

// The program's list has each module that go.mod requires, unless only tests or
// other commands use it.
func TestSBOMOfTheProgram(t *testing.T) {
	t.Parallel()
	var all bom
	require.NoError(t, json.Unmarshal([]byte(runProgram(t, nil, "sbom").stdout), &all))
	require.Equal(t, "CycloneDX", all.Format)
	require.Equal(t, version, all.Metadata.Component.Version)
	has := map[string]string{}
	for _, part := range all.Components {
		has[part.Name] = part.Version
	}
	require.NotEmpty(t, has["std"])
	asked, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	for _, module := range []string{"github.com/jackc/pgx/v5", "go.temporal.io/sdk", "github.com/go-chi/chi/v5"} {
		require.NotEmpty(t, has[module], module)
		require.True(t, strings.Contains(string(asked), module+" "+has[module]), module)
	}
}
