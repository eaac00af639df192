package web

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"
)

func TestBasemaps(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "oslo.pmtiles")
	require.NoError(t, os.WriteFile(file, []byte("0123456789"), 0o600))
	for text, want := range map[string]Basemap{
		"":                              {Kind: Schematic},
		"pmtiles:" + file:               {Kind: PMTiles, URL: "/map/basemap.pmtiles", file: file},
		"https://a.example/{z}/{x}/{y}": {Kind: Tiles, URL: "https://a.example/{z}/{x}/{y}", host: "https://a.example"},
		"https://a.example:8080/s.json": {Kind: Style, URL: "https://a.example:8080/s.json", host: "https://a.example:8080"},
	} {
		got, err := ReadBasemap(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, wrong := range []string{
		"pmtiles:/nowhere", "pmtiles:" + filepath.Dir(file), "oslo.pmtiles", "ftp://a.example/{z}/{x}/{y}",
		"https://user@a.example/{z}/{x}/{y}", "https://a.example;script-src/{z}", "https://*/{z}/{x}/{y}",
	} {
		_, err := ReadBasemap(wrong)
		require.Error(t, err, wrong)
	}
}

// TestAMapOpensThePolicyForItsHostAlone checks that browsers may load streets
// from the one configured host, and run nothing from it.
func TestAMapOpensThePolicyForItsHostAlone(t *testing.T) {
	t.Parallel()
	basemap, err := ReadBasemap("https://a.example/{z}/{x}/{y}.png")
	require.NoError(t, err)
	a, err := newApp("/console", fstest.MapFS{"index.html": {Data: []byte("page")}}, true, needs{sources: basemap.sources()})
	require.NoError(t, err)
	policy := get(a, "/console/").Header().Get("Content-Security-Policy")
	require.Contains(t, policy, "img-src 'self' blob: data: https://a.example;")
	require.Contains(t, policy, "connect-src 'self' https://a.example;")
	require.Contains(t, policy, "script-src 'self';")
}

func TestAFileOfTilesIsServedInRanges(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "oslo.pmtiles")
	require.NoError(t, os.WriteFile(file, []byte("0123456789"), 0o600))
	basemap, err := ReadBasemap("pmtiles:" + file)
	require.NoError(t, err)
	apps, err := New(false, basemap)
	require.NoError(t, err)
	router := chi.NewRouter()
	apps.Routes(router)
	w := get(router, "/map/basemap.pmtiles", "Range", "bytes=2-4")
	require.Equal(t, http.StatusPartialContent, w.Code)
	require.Equal(t, "234", w.Body.String())
}
