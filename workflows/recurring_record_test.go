package workflows_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"waybill/activities"
	"waybill/workflows"
)

// fakeRecurring stand in for the activities while histories are recorded: each
// step of generating answers the next of a script.
type fakeRecurring struct {
	mu     sync.Mutex
	script []activities.Generated
}

func (f *fakeRecurring) SaveTemplate(context.Context, activities.SaveInput) (activities.SaveOutcome, error) {
	return activities.SaveOutcome{Version: 1}, nil
}

func (f *fakeRecurring) PauseTemplate(context.Context, activities.PauseInput) error { return nil }

func (f *fakeRecurring) GenerateOrders(context.Context, activities.GenerateInput) (activities.Generated, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	next := f.script[0]
	f.script = f.script[1:]
	return next, nil
}

func TestRecordRecurringHistories(t *testing.T) {
	c := newRecorder(t)
	registerState(t, c)
	inAnHour := time.Now().Add(time.Hour)
	active := activities.Generated{State: activities.TemplateActive, Orders: 3, Next: "2030-01-01", WakeAt: inAnHour}
	cases := []struct {
		name   string
		script []activities.Generated
		drive  []string // signals, and updates
	}{
		{"recurring_refused", []activities.Generated{{State: activities.TemplateGone}}, []string{workflows.SaveUpdate}},
		{
			"recurring_paused_and_changed",
			[]activities.Generated{
				{State: activities.TemplateActive, Orders: 500, Left: 3},
				active,
				{State: activities.TemplatePaused},
				{State: activities.TemplatePaused},
				active,
				{State: activities.TemplateActive, Orders: 1, Next: "2030-01-01", WakeAt: time.Now()}, // wakes by itself
				{State: activities.TemplateComplete},
			},
			[]string{workflows.SaveUpdate, workflows.PauseSignal, workflows.SaveUpdate, workflows.ResumeSignal, workflows.ChangedSignal},
		},
		{"recurring_deactivated", []activities.Generated{active, {State: activities.TemplateInactive}}, []string{workflows.SaveUpdate, workflows.SaveUpdate}},
	}
	for _, tc := range cases {
		fakes := &fakeRecurring{script: tc.script}
		queue := "record-" + tc.name
		w := worker.New(c, queue, worker.Options{})
		workflows.Register(w)
		w.RegisterActivityWithOptions(fakes.SaveTemplate, activity.RegisterOptions{Name: "SaveTemplate"})
		w.RegisterActivityWithOptions(fakes.PauseTemplate, activity.RegisterOptions{Name: "PauseTemplate"})
		w.RegisterActivityWithOptions(fakes.GenerateOrders, activity.RegisterOptions{Name: "GenerateOrders"})
		require.NoError(t, w.Start())
		run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
			TaskQueue: queue, TypedSearchAttributes: temporal.NewSearchAttributes(),
		}, workflows.RecurringOrder, workflows.RecurringInput{OrgID: 1, TemplateID: 3})
		require.NoError(t, err)
		for _, step := range tc.drive {
			drive(t, c, run, step)
		}
		require.NoError(t, run.Get(t.Context(), nil))
		w.Stop()
		write(t, c, run, filepath.Join("testdata/histories", tc.name+"_"+*record+".json"))
	}
}

// registerState makes the search attribute known that the workflow sets.
func registerState(t *testing.T, c client.Client) {
	t.Helper()
	const name = "WaybillState"
	_, err := c.OperatorService().AddSearchAttributes(t.Context(), &operatorservice.AddSearchAttributesRequest{
		Namespace: client.DefaultNamespace, SearchAttributes: map[string]enums.IndexedValueType{name: enums.INDEXED_VALUE_TYPE_KEYWORD},
	})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		_, err := c.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{
			Namespace: client.DefaultNamespace, PageSize: 1, Query: name + " IS NOT NULL",
		})
		return err == nil
	}, time.Minute, 100*time.Millisecond)
}

// drive sends one message and waits until the workflow has looked at it.
func drive(t *testing.T, c client.Client, run client.WorkflowRun, step string) {
	t.Helper()
	before := historyLength(t, c, run)
	if step == workflows.SaveUpdate {
		update, err := c.UpdateWorkflow(t.Context(), client.UpdateWorkflowOptions{
			WorkflowID: run.GetID(), UpdateName: step, Args: []any{activities.SaveInput{OrgID: 1, TemplateID: 3, ChangeID: 1}},
			WaitForStage: client.WorkflowUpdateStageCompleted,
		})
		require.NoError(t, err)
		require.NoError(t, update.Get(t.Context(), nil))
	} else {
		require.NoError(t, c.SignalWorkflow(t.Context(), run.GetID(), "", step, nil))
	}
	require.Eventually(t, func() bool {
		now := historyLength(t, c, run)
		if now < before+5 {
			return false
		}
		time.Sleep(300 * time.Millisecond) // until nothing more happens
		return historyLength(t, c, run) == now
	}, time.Minute, 50*time.Millisecond)
}

func historyLength(t *testing.T, c client.Client, run client.WorkflowRun) int64 {
	t.Helper()
	d, err := c.DescribeWorkflowExecution(t.Context(), run.GetID(), run.GetRunID())
	require.NoError(t, err)
	return d.GetWorkflowExecutionInfo().GetHistoryLength()
}
