package web

import (
	"bytes"
	"compress/gzip"
	"path"
	"regexp"
	"strings"
	"testing"

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

// Names of other files in a file: in the index by their address, in a script that
// imports others by their place beside it.
var (
	inIndex = regexp.MustCompile(`(?:href|src)="/console/([^"]+)"`)
	started = regexp.MustCompile(`import\("/console/([^"]+)"\)`)
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

func TestEveryFileOfTheConsoleIsInside(t *testing.T) {
	t.Parallel()
	a := console(t)
	index := string(a.index.encoded[""])
	for _, found := range append(inIndex.FindAllStringSubmatch(index, -1), started.FindAllStringSubmatch(index, -1)...) {
		a.reachable(t, found[1])
	}
	for name := range a.files {
		if strings.HasSuffix(name, ".js") {
			a.reachable(t, name)
		}
	}
}

// unasked are hosts whose names stand in files, though nothing is loaded from there: names
// of XML, and documents that Svelte, MapLibre and PMTiles name in their words.
var unasked = []string{
	"http://www.w3.org", "https://svelte.dev", "https://github.com", "https://maplibre.org", "https://maplibre.invalid",
	"https://wiki.openstreetmap.org",
}

// TestNoFileOfTheConsoleAsksAnotherHost looks for addresses that a browser would load.
func TestNoFileOfTheConsoleAsksAnotherHost(t *testing.T) {
	t.Parallel()
	foreign := regexp.MustCompile(`https?://[a-z0-9.-]+`)
	for name, f := range console(t).files {
		if path.Ext(name) == ".svg" {
			continue
		}
		for _, host := range foreign.FindAllString(string(f.encoded[""]), -1) {
			require.Contains(t, unasked, host, name)
		}
	}
}

// TestTheFirstViewOfTheConsoleIsSmall holds each page to what people wait for before
// they see it, with the words of one language.
func TestTheFirstViewOfTheConsoleIsSmall(t *testing.T) {
	t.Parallel()
	const most = 90 << 10
	a := console(t)
	var frame []string
	for _, found := range inIndex.FindAllStringSubmatch(string(a.index.encoded[""]), -1) {
		frame = append(frame, found[1])
	}
	var words int
	for name, f := range a.files {
		if strings.Contains(string(f.encoded[""]), "Norsk bokm") {
			continue
		}
		if strings.Contains(string(f.encoded[""]), "Take away a filter") && strings.HasSuffix(name, ".js") {
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
		require.LessOrEqual(t, size, most, name)
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
