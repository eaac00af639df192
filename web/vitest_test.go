package web

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheLogicOfTheConsole runs the unit tests of the console's TypeScript.
func TestTheLogicOfTheConsole(t *testing.T) {
	t.Parallel()
	runVitest(t, "console")
}

// runVitest runs the unit tests of an app. It skips the test without Node or without the packages of the web apps.
func runVitest(t *testing.T, app string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node is not installed, so the unit tests of the web apps do not run")
	}
	const program = "../node_modules/vitest/vitest.mjs"
	if _, err := os.Stat(app + "/" + program); err != nil {
		t.Skip("the packages of the web apps are not installed, so their unit tests do not run: run make web")
	}
	run := exec.CommandContext(t.Context(), node, program, "run")
	run.Dir = app
	printed, err := run.CombinedOutput()
	require.NoError(t, err, string(printed))
}
