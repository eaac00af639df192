package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// newTestApp is a small app, as the build leaves it.
func newTestApp(t *testing.T, files map[string]string) *app {
	t.Helper()
	dist := fstest.MapFS{".gitkeep": {}}
	for name, content := range files {
		dist[name] = &fstest.MapFile{Data: []byte(content)}
	}
	a, err := newApp("/console", dist, true, needs{})
	require.NoError(t, err)
	return a
}

var builtApp = map[string]string{
	"index.html": "<!doctype html><script>start()</script>", "index.html.br": "brotli", "index.html.gz": "gzip",
	"_app/immutable/start.1a.js": "start", "_app/version.json": "{}",
}

func get(a http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, http.NoBody)
	for n := 0; n < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w
}

func TestPagesOfAnAppAreItsIndex(t *testing.T) {
	t.Parallel()
	a := newTestApp(t, builtApp)
	for _, path := range []string{"/console/", "/console/orders/12", "/console/index.html"} {
		w := get(a, path)
		require.Equal(t, http.StatusOK, w.Code, path)
		require.Contains(t, w.Body.String(), "<script>start()", path)
		require.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"), path)
	}
	require.Equal(t, http.StatusNotFound, get(a, "/console/_app/immutable/start.of-before.js").Code)
}

func TestAppFilesAreCached(t *testing.T) {
	t.Parallel()
	a := newTestApp(t, builtApp)
	w := get(a, "/console/_app/immutable/start.1a.js")
	require.Equal(t, "public, max-age=31536000, immutable", w.Header().Get("Cache-Control"))
	require.Equal(t, "text/javascript; charset=utf-8", w.Header().Get("Content-Type"))
	w = get(a, "/console/")
	require.Equal(t, "no-cache", w.Header().Get("Cache-Control"))
	w = get(a, "/console/", "If-None-Match", w.Header().Get("ETag"))
	require.Equal(t, http.StatusNotModified, w.Code)
}

func TestAppFilesAreCompressedOnRequest(t *testing.T) {
	t.Parallel()
	a := newTestApp(t, builtApp)
	for accepted, want := range map[string][2]string{
		"":                        {"", "<!doctype html><script>start()</script>"},
		"gzip, deflate, br, zstd": {"br", "brotli"},
		"gzip":                    {"gzip", "gzip"},
		"gzip;q=0, br; q=0.0":     {"", "<!doctype html><script>start()</script>"},
		"BR;q=0.2":                {"br", "brotli"},
	} {
		w := get(a, "/console/", "Accept-Encoding", accepted)
		require.Equal(t, want[0], w.Header().Get("Content-Encoding"), accepted)
		require.Equal(t, want[1], w.Body.String(), accepted)
		require.Equal(t, "Accept-Encoding", w.Header().Get("Vary"), accepted)
	}
	require.Equal(t, "start", get(a, "/console/_app/immutable/start.1a.js", "Accept-Encoding", "br").Body.String())
}

func TestPolicyPermitsOnlyOwnScripts(t *testing.T) {
	t.Parallel()
	policy := get(newTestApp(t, builtApp), "/console/").Header().Get("Content-Security-Policy")
	require.Contains(t, policy, "default-src 'none'")
	// The hash of start(), as computed by openssl.
	require.Contains(t, policy, "script-src 'self' 'sha256-"+hashOfStart+"';")
	require.Contains(t, policy, "frame-ancestors 'none'")
	require.NotContains(t, policy, "unsafe-inline")
	require.NotContains(t, policy, "unsafe-eval")
	require.NotContains(t, policy, "http")
}

// hashOfStart is the output of `printf 'start()' | openssl dgst -sha256 -binary
// | base64`.
const hashOfStart = "DIm7WJS6ZKDYe5qFLPy+h4JFI9Bol5QmYC57mt3Fb00="

func TestUnbuiltAppExplainsHowToBuildIt(t *testing.T) {
	t.Parallel()
	w := get(newTestApp(t, nil), "/console/orders")
	require.Equal(t, http.StatusNotFound, w.Code)
	require.Contains(t, w.Body.String(), "make build")
	require.Contains(t, w.Body.String(), "Node 20.19")
}

func TestTheTagOfAFileIsThatOfTheFormThatIsSent(t *testing.T) {
	t.Parallel()
	a := newTestApp(t, builtApp)
	seen := map[string]bool{}
	for _, encoding := range []string{"", "gzip", "br"} {
		w := get(a, "/console/", "Accept-Encoding", encoding)
		require.Equal(t, a.files["index.html"].tags[encoding], w.Header().Get("ETag"), "computed once, when the app is read")
		seen[w.Header().Get("ETag")] = true
	}
	require.Len(t, seen, 3)
}

func TestAppsUseOnlyTheDevicesThatTheyNeed(t *testing.T) {
	t.Parallel()
	apps, err := New(true, Basemap{})
	require.NoError(t, err)
	for a, policy := range map[*app]string{apps.console: noDevices, apps.driver: driversDevices} {
		header := get(a, a.base+"/").Header()
		require.Equal(t, policy, header.Get("Permissions-Policy"))
		require.Equal(t, "same-origin", header.Get("Cross-Origin-Resource-Policy"))
	}
	require.Contains(t, noDevices, "camera=()")
	require.Contains(t, driversDevices, "camera=(self), geolocation=(self)")
}
