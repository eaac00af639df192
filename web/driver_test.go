package web

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheOutboxOfTheDriversApp runs the tests in the app's folder, in which a
// phone dies between any two steps.
func TestTheOutboxOfTheDriversApp(t *testing.T) {
	t.Parallel()
	runVitest(t, "driver")
}

// TestTheDriversAppIsInstalled checks what a phone needs to install an app: a
// manifest, a service worker that is always revalidated, and the code reader.
func TestTheDriversAppIsInstalled(t *testing.T) {
	t.Parallel()
	a := driver(t)
	w := get(a, "/driver/manifest.webmanifest")
	require.Equal(t, "application/manifest+json", w.Header().Get("Content-Type"))
	require.Contains(t, w.Body.String(), `"start_url": "/driver/"`)
	require.Equal(t, "image/png", get(a, "/driver/icon-512.png").Header().Get("Content-Type"))

	w = get(a, "/driver/service-worker.js")
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "no-cache", w.Header().Get("Cache-Control"))
	worker := w.Body.String()
	for name := range a.files {
		if strings.HasPrefix(name, "_app/immutable/") {
			require.Contains(t, worker, "/"+name, "everything is there without a network")
		}
	}
	require.Equal(t, 1, strings.Count(worker, "skipWaiting"), "a new version waits until it is asked for")

	require.Contains(t, worker, a.scannerVersion(), "another reader of codes is not mixed with the one that a phone keeps")
	require.Equal(t, "application/wasm", get(a, "/driver/scanner/zxing_reader.wasm").Header().Get("Content-Type"))
	require.Contains(t, get(a, "/driver/").Header().Get("Content-Security-Policy"), " 'wasm-unsafe-eval';")
	require.NotContains(t, get(console(t), "/console/").Header().Get("Content-Security-Policy"), "wasm")
}

// scannerVersion is the hash of the reader of codes, as web/tools/version.mjs makes it.
func (a *app) scannerVersion() string {
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		if path, ok := strings.CutPrefix(name, "scanner/"); ok {
			_, _ = hash.Write([]byte(path + "\x00" + string(a.files[name].encoded[""]) + "\x00"))
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:16]
}
