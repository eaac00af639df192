package workflows_test

import (
	"bytes"
	"context"
	"errors"
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
	"go.temporal.io/sdk/worker"
	"google.golang.org/protobuf/encoding/protojson"

	"waybill/activities"
	"waybill/domain/export"
	"waybill/workflows"
)

// record makes TestRecordHistories write histories of the present code under
// the given release. What is recorded is never recorded again.
var record = flag.String("record", "", "the release to record histories of")

func TestRecordedHistoriesReplay(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/histories/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			replayer := worker.NewWorkflowReplayer()
			workflows.Register(replayer)
			require.NoError(t, replayer.ReplayWorkflowHistoryFromJSONFile(quiet, file))
		})
	}
}

// fakeImports stand in for the activities while histories are recorded.
type fakeImports struct {
	failing atomic.Int32 // how many calls are still to fail
}

func (f *fakeImports) ImportChunk(context.Context, activities.ChunkInput) (activities.Outcomes, error) {
	if f.failing.Add(-1) >= 0 {
		return activities.Outcomes{}, errors.New("the database is away")
	}
	return activities.Outcomes{Created: 500}, nil
}

func (f *fakeImports) RegisterLocations(context.Context, activities.RegisterInput) error { return nil }

func TestRecordHistories(t *testing.T) {
	c := newRecorder(t)
	cases := []struct {
		name     string
		failures int32
		input    workflows.ImportInput
	}{
		{"import_small", 0, workflows.ImportInput{OrgID: 1, ImportID: 1, Entries: 1, Chunks: 1}},
		{"import_small_patient", 24, workflows.ImportInput{OrgID: 1, ImportID: 2, Entries: 1, Chunks: 1}},
		{"import_large", 2, workflows.ImportInput{OrgID: 1, ImportID: 3, Entries: 5000, Chunks: 10}},
		{"import_in_order", 0, workflows.ImportInput{OrgID: 1, ImportID: 4, Entries: 1500, Chunks: 3, InOrder: true}},
	}
	for _, tc := range cases {
		fakes := &fakeImports{}
		fakes.failing.Store(tc.failures)
		w := worker.New(c, "record-"+tc.name, worker.Options{})
		workflows.Register(w)
		w.RegisterActivityWithOptions(fakes.ImportChunk, activity.RegisterOptions{Name: "ImportChunk"})
		w.RegisterActivityWithOptions(fakes.RegisterLocations, activity.RegisterOptions{Name: "RegisterLocations"})
		require.NoError(t, w.Start())
		run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: "record-" + tc.name}, workflows.ImportOrders, tc.input)
		require.NoError(t, err)
		require.NoError(t, run.Get(t.Context(), nil))
		w.Stop()
		write(t, c, run, filepath.Join("testdata/histories", tc.name+"_"+*record+".json"))
	}
}

// fakeExports stand in for the activities of exports: each step gives what the
// case has next.
type fakeExports struct {
	failing atomic.Int32
	looks   []activities.ExportStatus
	acks    []activities.Acknowledged
}

func (f *fakeExports) ConsiderExport(context.Context, activities.ExportInput) (activities.ExportStatus, error) {
	if f.failing.Add(-1) >= 0 {
		return activities.ExportStatus{}, errors.New("the database is away")
	}
	return next(&f.looks), nil
}

func (f *fakeExports) Acknowledge(context.Context, activities.AcknowledgeInput) (activities.Acknowledged, error) {
	return next(&f.acks), nil
}

// next takes the first of a list, and the last again and again: a step may run
// more than once.
func next[T any](list *[]T) T {
	first := (*list)[0]
	if len(*list) > 1 {
		*list = (*list)[1:]
	}
	return first
}

// TestRecordHistoriesOfExports records exports from their first offer to their
// end: each acknowledgement is followed by a change of the order.
func TestRecordHistoriesOfExports(t *testing.T) {
	c := newRecorder(t)
	registerState(t, c)
	soon, late := time.Now().Add(2*time.Second), time.Now().Add(time.Hour)
	pending := activities.ExportStatus{State: export.Pending, Left: 5}
	again := activities.ExportStatus{State: export.Pending, Used: 1, Left: 4, IsUpdate: true, ClosesAt: &late}
	took := func(n int, s activities.ExportStatus) activities.Acknowledged {
		s.Used, s.Left = n, export.Limit-n
		return activities.Acknowledged{Counted: true, Number: n, State: s.State, Status: s}
	}
	cases := []struct {
		name     string
		failures int32
		looks    []activities.ExportStatus
		acks     []activities.Acknowledged
	}{
		{
			"export_window_over", 0,
			[]activities.ExportStatus{pending, {State: export.Exported, Used: 1, Left: 4, ClosesAt: &soon}, {State: export.Closed, Reason: export.WindowOver, Used: 1, Left: 4}},
			[]activities.Acknowledged{took(1, activities.ExportStatus{State: export.Exported, ClosesAt: &soon})},
		},
		{
			"export_returns", 0,
			[]activities.ExportStatus{pending, again, again},
			[]activities.Acknowledged{
				took(1, activities.ExportStatus{State: export.Exported, ClosesAt: &late}), took(4, again),
				took(5, activities.ExportStatus{State: export.Closed, Reason: export.Spent}),
			},
		},
		{
			"export_patient", 24,
			[]activities.ExportStatus{pending},
			[]activities.Acknowledged{took(1, activities.ExportStatus{State: export.Closed, Reason: export.ReexportOff})},
		},
		{"export_not_subject", 0, []activities.ExportStatus{{Left: 5}}, nil},
	}
	for _, tc := range cases {
		fakes := &fakeExports{looks: tc.looks, acks: tc.acks}
		fakes.failing.Store(tc.failures)
		w := worker.New(c, "record-"+tc.name, worker.Options{})
		workflows.Register(w)
		w.RegisterActivityWithOptions(fakes.ConsiderExport, activity.RegisterOptions{Name: "ConsiderExport"})
		w.RegisterActivityWithOptions(fakes.Acknowledge, activity.RegisterOptions{Name: "Acknowledge"})
		require.NoError(t, w.Start())
		run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: "record-" + tc.name}, workflows.ExportOrder, workflows.ExportInput{OrgID: 1, OrderID: 3})
		require.NoError(t, err)
		for n := range tc.acks {
			if n > 0 {
				require.NoError(t, c.SignalWorkflow(t.Context(), run.GetID(), run.GetRunID(), workflows.ExportChangedSignal, nil))
			}
			handle, err := c.UpdateWorkflow(t.Context(), client.UpdateWorkflowOptions{
				WorkflowID: run.GetID(), UpdateName: workflows.AcknowledgeUpdate, Args: []any{int64(n + 1)}, WaitForStage: client.WorkflowUpdateStageCompleted,
			})
			require.NoError(t, err)
			require.NoError(t, handle.Get(t.Context(), nil))
		}
		if tc.name == "export_window_over" {
			require.NoError(t, c.SignalWorkflow(t.Context(), run.GetID(), run.GetRunID(), workflows.ExportChangedSignal, nil))
		}
		require.NoError(t, run.Get(t.Context(), nil))
		w.Stop()
		write(t, c, run, filepath.Join("testdata/histories", tc.name+"_"+*record+".json"))
	}
}

func write(t *testing.T, c client.Client, run client.WorkflowRun, file string) {
	t.Helper()
	var h history.History
	events := c.GetWorkflowHistory(t.Context(), run.GetID(), run.GetRunID(), false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		h.Events = append(h.Events, event)
	}
	out, err := protojson.MarshalOptions{Indent: "  "}.Marshal(&h)
	require.NoError(t, err)
	host, err := os.Hostname() // names the worker's sticky queue; whose machine it was is nobody's business
	require.NoError(t, err)
	out = bytes.ReplaceAll(out, []byte(host), []byte("recorder"))
	require.NoFileExists(t, file, "a recorded history is never recorded again")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, out, 0o600))
}

// newRecorder reaches the server on which histories are recorded, and skips the
// test when none are to be.
func newRecorder(t *testing.T) client.Client {
	t.Helper()
	if *record == "" {
		t.Skip("records only when told: make record RELEASE=v1.2.3")
	}
	c, err := client.Dial(client.Options{HostPort: os.Getenv("WAYBILL_TEST_TEMPORAL_ADDRESS"), Logger: quiet, Identity: "recorder"})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}
