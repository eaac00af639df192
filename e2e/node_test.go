package e2e_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/testing/chromium"
)

// nodeTests runs tests of web/tests, which use an app in a browser as people do.
type nodeTests struct {
	node        string
	environment []string
}

// newNodeTests returns the runner for the tests of an app, "console" or "driver". The test
// is skipped where Node, the browser or the built app is missing; CI has all of them.
func newNodeTests(t *testing.T, app string) *nodeTests {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node is not installed, so the app " + app + " is not tested in a browser")
	}
	browser := chromium.Path(t)
	for _, built := range []string{"../web/" + app + "/dist/index.html", "../web/node_modules/playwright-core"} {
		if _, err := os.Stat(built); err != nil {
			t.Skip("the app " + app + " is not built, so it is not tested in a browser: run make web")
		}
	}
	return &nodeTests{node, append(os.Environ(), "CHROMIUM="+browser)}
}

// run runs files of tests, so many at once, with further environment variables.
func (n *nodeTests) run(t *testing.T, environment []string, atOnce int, files ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Minute)
	defer cancel()
	use := exec.CommandContext(ctx, n.node,
		append([]string{"--test", "--test-reporter=spec", fmt.Sprintf("--test-concurrency=%d", atOnce)}, files...)...)
	use.Dir, use.Env = "../web", slices.Concat(n.environment, environment)
	printed, err := use.CombinedOutput()
	require.NoError(t, err, string(printed))
	t.Log(string(printed)) // how long each took
}

// nodeTestFiles returns the files of tests that match a pattern, as paths in web/.
func nodeTestFiles(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob("../web/" + pattern)
	require.NoError(t, err)
	require.NotEmpty(t, files, pattern)
	for i, file := range files {
		files[i] = strings.TrimPrefix(file, "../web/")
	}
	return files
}
