package web

import (
	"bytes"
	"compress/gzip"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// console is the console that is built into this binary.
func console(t *testing.T) *app {
	t.Helper()
	apps, err := New(false, Basemap{})
	require.NoError(t, err)
	if !apps.IsBuilt {
		t.Skip("the console is not built, so its files are not looked at: run make web")
	}
	return apps.console
}

// driver is the drivers' app that is built into this binary.
func driver(t *testing.T) *app {
	t.Helper()
	apps, err := New(false, Basemap{})
	require.NoError(t, err)
	if !apps.HasDriver {
		t.Skip("the drivers' app is not built, so its files are not looked at: run make web")
	}
	return apps.driver
}

// Names of other files in a file: in the index by their address, in a script
// that imports others by their relative path.
var (
	inIndex = regexp.MustCompile(`(?:href|src)="/(?:console|driver)/([^"]+)"`)
	started = regexp.MustCompile(`import\("/(?:console|driver)/([^"]+)"\)`)
	imports = regexp.MustCompile(`(?:from|import)\s*"(\.{1,2}/[^"]+)"`)
)

// reachable are the files that a browser loads to run some of them.
func (a *app) reachable(t *testing.T, names ...string) map[string]bool {
	t.Helper()
	seen := map[string]bool{}
	for len(names) > 0 {
		name := names[0]
		names = names[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		require.Contains(t, a.files, name)
		for _, found := range imports.FindAllStringSubmatch(string(a.files[name].encoded[""]), -1) {
			names = append(names, path.Join(path.Dir(name), found[1]))
		}
	}
	return seen
}

func TestEveryFileOfTheAppsIsInside(t *testing.T) {
	t.Parallel()
	for _, a := range []*app{console(t), driver(t)} {
		index := string(a.index.encoded[""])
		for _, found := range append(inIndex.FindAllStringSubmatch(index, -1), started.FindAllStringSubmatch(index, -1)...) {
			a.reachable(t, found[1])
		}
		for name := range a.files {
			if strings.HasSuffix(name, ".js") && name != "service-worker.js" {
				a.reachable(t, name)
			}
		}
	}
}

// unasked are hosts named in files from which nothing is loaded: XML
// namespaces, and documentation that Svelte, MapLibre and PMTiles mention.
var unasked = []string{
	"http://www.w3.org", "https://svelte.dev", "https://github.com", "https://maplibre.org", "https://maplibre.invalid",
	"https://wiki.openstreetmap.org",
}

// ledTo are hosts to which the drivers' app has links for navigation.
var ledTo = []string{"https://www.google.com", "https://maps.apple.com", "https://waze.com"}

// TestNoFileOfTheAppsAsksAnotherHost looks for addresses that a browser would load.
func TestNoFileOfTheAppsAsksAnotherHost(t *testing.T) {
	t.Parallel()
	console(t).asksOnly(t, unasked)
	driver(t).asksOnly(t, append(unasked, ledTo...))
}

func (a *app) asksOnly(t *testing.T, hosts []string) {
	t.Helper()
	foreign := regexp.MustCompile(`https?://[a-z0-9.-]+`)
	for name, f := range a.files {
		if path.Ext(name) == ".svg" {
			continue
		}
		for _, host := range foreign.FindAllString(string(f.encoded[""]), -1) {
			require.Contains(t, hosts, host, name)
		}
	}
}

// TestFirstViewsAreSmall limits what each page loads before it is visible,
// with the texts of one language. Of the console's, 22 KB are texts: most pages have theirs in one file.
func TestFirstViewsAreSmall(t *testing.T) {
	t.Parallel()
	console(t).isSmall(t, 98<<10, "Remove a filter or choose")
	driver(t).isSmall(t, 66<<10, "Start the day")
}

// isSmall limits the size of each page. The file with the English texts is
// identified by one of them.
func (a *app) isSmall(t *testing.T, most int, english string) {
	t.Helper()
	var frame []string
	for _, found := range inIndex.FindAllStringSubmatch(string(a.index.encoded[""]), -1) {
		if path.Ext(found[1]) == ".js" || path.Ext(found[1]) == ".css" {
			frame = append(frame, found[1])
		}
	}
	var words int
	for name, f := range a.files {
		if strings.Contains(string(f.encoded[""]), english) && strings.HasSuffix(name, ".js") {
			words = len(zipped(t, f.encoded[""]))
		}
	}
	require.Positive(t, words, "the English words are a file of their own")
	for name := range a.files {
		if !strings.HasPrefix(name, "_app/immutable/nodes/") {
			continue
		}
		size := words + len(zipped(t, a.index.encoded[""]))
		for file := range a.reachable(t, append([]string{name}, frame...)...) {
			size += len(zipped(t, a.files[file].encoded[""]))
		}
		assert.LessOrEqual(t, size, most, name)
	}
}

// TestFirstViewsNeedFewFiles limits how many files a browser requests before it
// shows each page.
func TestFirstViewsNeedFewFiles(t *testing.T) {
	t.Parallel()
	const most = 16 // 53 without the groups of vite.config.js
	a := console(t)
	var frame []string
	for _, found := range inIndex.FindAllStringSubmatch(string(a.index.encoded[""]), -1) {
		if path.Ext(found[1]) == ".js" || path.Ext(found[1]) == ".css" {
			frame = append(frame, found[1])
		}
	}
	for name := range a.files {
		if strings.HasPrefix(name, "_app/immutable/nodes/") {
			assert.LessOrEqual(t, len(a.reachable(t, append([]string{name}, frame...)...)), most, name)
		}
	}
}

func zipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}
