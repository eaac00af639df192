package workflows_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"waybill/workflows"
)

// histories is where the histories of each release are kept.
const histories = "testdata/histories"

// releases are the releases with stored histories, with the digest of each
// recording. `make record` adds a release; never change, remove or record one
// again, because runs that it began may still exist.
var releases = map[string]string{
	"v0.1.0": "b7d7e4de2a82fe356032c5a9a4cda88ac972bf01eba204bc68b118cd81e65eb0",
	"v0.2.0": "e89b8098d1317d83e45406e74b2db5695ca5e3b12f4ae54224b387c83f9652cd",
}

// unreleased has the histories of workflows that are in no release yet. They
// can be recorded again (make record RELEASE=unreleased) until they are
// released.
const (
	unreleased     = "testdata/unreleased"
	unreleasedName = "unreleased"
)

func TestRecordedHistoriesReplay(t *testing.T) {
	t.Parallel()
	for release := range releases {
		requireReplays(t, filepath.Join(histories, release))
	}
}

// TestUnreleasedHistoriesReplay replays the histories of unreleased
// workflows of each kind.
func TestUnreleasedHistoriesReplay(t *testing.T) {
	t.Parallel()
	requireReplays(t, unreleased)
	for _, some := range []string{"plan_*.json", "drive_*.json"} {
		var found []string
		files, err := filepath.Glob(filepath.Join(unreleased, some))
		require.NoError(t, err)
		for _, file := range files {
			found = append(found, kinds(t, file)...)
		}
		slices.Sort(found)
		require.Equal(t, []string{
			"a worker died", "cancelled", "completed", "continued as new", "continues another", "open",
		}, slices.Compact(found), some)
	}
}

// requireReplays has the present code replay all histories of a folder.
func requireReplays(t *testing.T, folder string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	require.NoError(t, err)
	for _, file := range files {
		t.Run(filepath.Base(folder)+"/"+filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			replayer := worker.NewWorkflowReplayer()
			workflows.Register(replayer)
			require.NoError(t, replayer.ReplayWorkflowHistoryFromJSONFile(quiet, file))
		})
	}
}

func TestHistoriesOfReleasesAreNeverRecordedAgain(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(histories)
	require.NoError(t, err)
	found := map[string]string{}
	for _, e := range entries {
		found[e.Name()] = digest(t, filepath.Join(histories, e.Name()))
	}
	require.Equal(t, releases, found, "what a release left is as it was; a new release is added to the list")
}

// Replays detect most when runs differ most: a release stores runs with
// every kind of end and without one, and the runs before and after a
// continue-as-new.
func TestHistoriesAreOfAllKinds(t *testing.T) {
	t.Parallel()
	for release := range releases {
		if release == "v0.1.0" { // only runs that had completed were left
			continue
		}
		var found []string
		files, err := filepath.Glob(filepath.Join(histories, release, "*.json"))
		require.NoError(t, err)
		for _, file := range files {
			found = append(found, kinds(t, file)...)
		}
		slices.Sort(found)
		require.Equal(t, []string{
			"a worker died", "cancelled", "completed", "continued as new", "continues another", "failed", "open", "reset",
		}, slices.Compact(found), release)
	}
}

// kinds returns the characteristics of a history.
func kinds(t *testing.T, file string) []string {
	t.Helper()
	reader, err := os.Open(file)
	require.NoError(t, err)
	defer func() { _ = reader.Close() }()
	h, err := client.HistoryFromJSON(reader, client.HistoryJSONOptions{})
	require.NoError(t, err)
	var found []string
	for _, e := range h.Events {
		switch {
		case e.GetWorkflowExecutionStartedEventAttributes().GetContinuedExecutionRunId() != "":
			found = append(found, "continues another")
		case e.GetActivityTaskStartedEventAttributes().GetLastFailure().GetTimeoutFailureInfo() != nil:
			found = append(found, "a worker died")
		case e.GetWorkflowTaskFailedEventAttributes().GetCause() == enums.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW:
			found = append(found, "reset")
		}
	}
	ends := map[enums.EventType]string{
		enums.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED:        "completed",
		enums.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED:           "failed",
		enums.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED:         "cancelled",
		enums.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW: "continued as new",
	}
	end, ended := ends[h.Events[len(h.Events)-1].EventType]
	if !ended {
		end = "open"
	}
	return append(found, end)
}

// digest detects whether anything in a folder was changed, added or
// removed.
func digest(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	sum := sha256.New()
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		require.NoError(t, err)
		_, _ = fmt.Fprintf(sum, "%s %d\n%s", e.Name(), len(content), content)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
