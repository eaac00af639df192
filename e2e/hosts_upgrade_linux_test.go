package e2e_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestUpgradeUnderLoad upgrades a site from the previous release, by the steps of
// docs/operations.md, while callers use it. Nothing may be lost or doubled.
func TestUpgradeUnderLoad(t *testing.T) {
	if os.Getenv(hostsVariable) == "" {
		t.Skip("make test/hosts runs it, as root")
	}
	present, err := builtProgram()
	require.NoError(t, err)
	previous := buildPrevious(t)
	s := newServersOfSite(t)
	s.program, s.isPrevious = filepath.Join(previous, "bin", "waybill"), true
	s.emptySchema(t)
	s.runWaybill(t)
	document, err := os.ReadFile(filepath.Join(previous, "demo", "organization.yaml"))
	require.NoError(t, err)
	load := newLoad(t, s, document)
	stop := s.under(t, load)

	s.program = present
	table := []measured{
		watched(t, load, "none", "", func() {}, func() {}, 0, false),
		watched(t, load, "migrate", "", func() {
			_, err := s.command(t.Context(), "migrate")
			require.NoError(t, err)
		}, func() {}, 0, false),
	}
	for _, host := range []string{"work-a", "work-b"} { // the new one starts first
		old := s.processes[host]
		table = append(table, watched(t, load, "replace", host,
			func() { require.NoError(t, s.run(host)) }, func() { require.NoError(t, old.Stop()) }, 5*time.Second, false))
	}
	for _, host := range []string{"serve-a", "serve-b"} { // whose port only one can have
		table = append(table, watched(t, load, "replace", host,
			func() { require.NoError(t, s.processes[host].Stop()) }, func() { require.NoError(t, s.run(host)) }, time.Second, false))
	}
	stop()
	t.Log(tableOf(table))
	_, err = s.command(t.Context(), "doctor")
	require.NoError(t, err)

	s.isPrevious = false
	load.receives(t)
	load.requireAll(t)
	s.requireUnderstood(t, "serve-a", "serve-b", "work-a", "work-b")
}
