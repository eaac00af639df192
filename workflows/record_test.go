package workflows_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"google.golang.org/protobuf/encoding/protojson"

	"waybill/workflows"
)

var record = flag.String("record", "", "the release to record histories of, or "+unreleasedName)

// TestRecordHistories records histories of the present code for a release that
// has none yet. It replaces the activities; the server is real.
func TestRecordHistories(t *testing.T) {
	if *record == "" {
		t.Skip("records only with -record: make record")
	}
	folder := filepath.Join(histories, *record)
	if *record == unreleasedName {
		folder = unreleased
		require.NoError(t, os.RemoveAll(folder))
	}
	require.NoDirExists(t, folder, "a release is never recorded again")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	server := startServer(t)
	brief := startServer(t, "--dynamic-config-value", "limit.historyCount.suggestContinueAsNew=30")
	for _, part := range []struct {
		name     string
		released bool
		server   client.Client
		record   func(*testing.T, *recorder)
	}{
		{"Imports", true, server, recordImports},
		{"Recurring", true, server, recordRecurring},
		{"Exports", true, server, recordExports},
		{"Notifications", true, server, recordNotifications},
		{"RunsThatGoOn", true, brief, recordRunsThatGoOn},
		{"Plans", false, server, recordPlans},
		{"PlansThatGoOn", false, brief, recordPlansThatGoOn},
		{"Drives", false, server, recordDrives},
		{"DrivesThatGoOn", false, brief, recordDrivesThatGoOn},
		{"Housekeeping", false, server, recordHousekeeping},
		{"Webhooks", false, server, recordWebhooks},
		{"WebhooksThatGoOn", false, brief, recordWebhooksThatGoOn},
		{"Resendings", false, server, recordResendings},
		{"ResendingsThatGoOn", false, brief, recordResendingsThatGoOn},
		{"Places", false, server, recordPlaces},
		{"PlacesThatGoOn", false, brief, recordPlacesThatGoOn},
		{"Learning", false, server, recordLearning},
		{"Simulations", false, server, recordSimulations},
		{"SimulationsThatGoOn", false, brief, recordSimulationsThatGoOn},
	} {
		if part.released && *record == unreleasedName {
			continue
		}
		t.Run(part.name, func(t *testing.T) { part.record(t, &recorder{Client: part.server, folder: folder}) })
	}
	if t.Failed() {
		require.NoError(t, os.RemoveAll(folder))
		return
	}
	if *record == unreleasedName {
		return
	}
	t.Logf("add to releases, in replay_test.go:\n\t%q: %q,", *record, digest(t, folder))
}

// startServer starts a server that stops at the end of the test.
func startServer(t *testing.T, args ...string) client.Client {
	t.Helper()
	server, err := testsuite.StartDevServer(t.Context(), testsuite.DevServerOptions{
		ExistingPath:  os.Getenv("WAYBILL_TEST_TEMPORAL_CLI"),
		ClientOptions: &client.Options{Logger: quiet, Identity: "recorder"},
		LogLevel:      "error",
		SearchAttributes: temporal.NewSearchAttributes(
			temporal.NewSearchAttributeKeyKeyword("WaybillState").ValueSet("")),
		ExtraArgs: args,
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Stop() })
	return server.Client()
}

// recorder reaches a server, and writes the histories of its runs.
type recorder struct {
	client.Client
	folder string
}

// start starts a workflow on its own queue.
func (r *recorder) start(t *testing.T, queue string, workflow, input any) client.WorkflowRun {
	t.Helper()
	run, err := r.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: queue, TaskQueue: queue}, workflow, input)
	require.NoError(t, err)
	return run
}

// work serves a queue until the test ends, with replacements for the
// activities, by name.
func (r *recorder) work(t *testing.T, queue string, stands map[string]any) {
	t.Helper()
	w := worker.New(r.Client, queue, worker.Options{})
	workflows.Register(w)
	for name, f := range stands {
		w.RegisterActivityWithOptions(f, activity.RegisterOptions{Name: name})
	}
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
}

// update sends an update to a run, and waits for its result.
func (r *recorder) update(t *testing.T, run client.WorkflowRun, name string, arg any) {
	t.Helper()
	handle, err := r.UpdateWorkflow(t.Context(), client.UpdateWorkflowOptions{
		WorkflowID: run.GetID(), UpdateName: name, Args: []any{arg}, WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	require.NoError(t, err)
	require.NoError(t, handle.Get(t.Context(), nil))
}

// cancel cancels a run and waits for its end.
func (r *recorder) cancel(t *testing.T, run client.WorkflowRun) {
	t.Helper()
	require.NoError(t, r.CancelWorkflow(t.Context(), run.GetID(), run.GetRunID()))
	var cancelled *temporal.CanceledError
	require.ErrorAs(t, run.Get(t.Context(), nil), &cancelled)
}

// rests waits until a run is idle.
func (r *recorder) rests(t *testing.T, run client.WorkflowRun) {
	t.Helper()
	require.Eventually(t, func() bool {
		d, err := r.DescribeWorkflowExecution(t.Context(), run.GetID(), run.GetRunID())
		require.NoError(t, err)
		begun := d.GetWorkflowExecutionInfo().GetHistoryLength() > 3 // a new run has no task for a moment
		return begun && d.PendingWorkflowTask == nil && len(d.PendingActivities) == 0
	}, time.Minute, 50*time.Millisecond)
}

// begins waits until an attempt at an activity is under way.
func (r *recorder) begins(t *testing.T, run client.WorkflowRun) {
	t.Helper()
	require.Eventually(t, func() bool {
		d, err := r.DescribeWorkflowExecution(t.Context(), run.GetID(), run.GetRunID())
		require.NoError(t, err)
		return len(d.PendingActivities) > 0 && d.PendingActivities[0].State == enums.PENDING_ACTIVITY_STATE_STARTED
	}, time.Minute, 50*time.Millisecond)
}

func (r *recorder) events(t *testing.T, run client.WorkflowRun) []*history.HistoryEvent {
	t.Helper()
	var all []*history.HistoryEvent
	const filter = enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT
	events := r.GetWorkflowHistory(t.Context(), run.GetID(), run.GetRunID(), false, filter)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		all = append(all, event)
	}
	return all
}

// keep writes the current history of a run.
func (r *recorder) keep(t *testing.T, run client.WorkflowRun, name string) {
	t.Helper()
	out, err := protojson.MarshalOptions{Indent: "  "}.Marshal(&history.History{Events: r.events(t, run)})
	require.NoError(t, err)
	host, err := os.Hostname() // names the worker's sticky queue, and must not appear in the recording
	require.NoError(t, err)
	out = bytes.ReplaceAll(out, []byte(host), []byte("recorder"))
	require.NoError(t, os.WriteFile(filepath.Join(r.folder, name+".json"), out, 0o600))
}

// end is where a history is kept: behind its own end, while it is open, or when it was
// cancelled.
type end int

const (
	whole end = iota
	open
	cancelled
)

// keepAt writes the history of a run under the run's name once it is complete.
// settled waits for the final state of a run that does not end on its own.
func (r *recorder) keepAt(
	t *testing.T, run client.WorkflowRun, at end, settled func(*testing.T, client.WorkflowRun),
) {
	t.Helper()
	if at == whole {
		require.NoError(t, run.Get(t.Context(), nil))
	} else {
		settled(t, run)
	}
	if at == cancelled {
		r.cancel(t, run)
	}
	r.keep(t, run, run.GetID())
}

// current returns the run that a workflow has continued as.
func (r *recorder) current(t *testing.T, of client.WorkflowRun) client.WorkflowRun {
	t.Helper()
	d, err := r.DescribeWorkflowExecution(t.Context(), of.GetID(), "")
	require.NoError(t, err)
	return r.GetWorkflow(t.Context(), of.GetID(), d.GetWorkflowExecutionInfo().GetExecution().GetRunId())
}

// attempts sets the results of an activity's attempts. One that hangs
// represents a dead worker: it does not return while the test lasts.
type attempts struct {
	left atomic.Int32 // how many are still to fail
	hang atomic.Int32 // how many are still to hang
	over <-chan struct{}
}

// fails reports whether this attempt is to fail, after it hung when it is to.
func (a *attempts) fails() bool {
	if a.hang.Add(-1) >= 0 {
		<-a.over
	}
	return a.left.Add(-1) >= 0
}

func newAttempts(t *testing.T, failing, hanging int32) *attempts {
	a := &attempts{over: t.Context().Done()}
	a.left.Store(failing)
	a.hang.Store(hanging)
	return a
}
