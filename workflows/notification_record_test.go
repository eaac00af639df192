package workflows_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"waybill/activities"
	"waybill/domain/notification"
	"waybill/workflows"
)

// fakeMessages stand in for the activities while histories are recorded.
type fakeMessages struct {
	recorded  activities.Recorded
	fault     error
	faults    atomic.Int32 // how many attempts are still to fail
	unwritten bool
	settles   atomic.Int32
	again     bool // the second settling finds a message that failed before
}

func (f *fakeMessages) RecordNotification(context.Context, activities.RecordInput) (activities.Recorded, error) {
	return f.recorded, nil
}

func (f *fakeMessages) SendNotification(context.Context, activities.SendInput) (activities.Handed, error) {
	if f.faults.Add(-1) >= 0 {
		return activities.Handed{}, f.fault
	}
	return activities.Handed{Status: notification.Sent, ProviderID: "SM1", Unrecorded: f.unwritten}, nil
}

func (f *fakeMessages) SettleNotification(_ context.Context, in activities.SettleInput) (activities.Settled, error) {
	switch {
	case in.Failure == "":
		return activities.Settled{Status: notification.Sent}, nil
	case f.again && f.settles.Add(1) == 2:
		return activities.Settled{Status: notification.Failed, Failure: in.Failure, Again: true}, nil
	}
	return activities.Settled{Status: notification.Failed, Failure: in.Failure}, nil
}

func TestRecordHistoriesOfNotifications(t *testing.T) {
	c := newRecorder(t)
	registerState(t, c)
	soon, later, past := time.Now().Add(2*time.Second).UTC(), time.Now().Add(time.Hour).UTC(), time.Now().Add(-time.Hour).UTC()
	queued := activities.Recorded{ID: 7, Status: notification.Queued, ReportWait: time.Hour}
	windowed, expired, refused, brief := queued, queued, queued, queued
	windowed.SendFrom, windowed.SendUntil = &soon, &later
	expired.SendFrom, expired.SendUntil = &past, &past
	refused.Failure = notification.InvalidAddress
	brief.ReportWait = time.Second
	cases := []struct {
		name   string
		fake   *fakeMessages
		faults int32
		report notification.Status
		reset  bool
	}{
		{"delivered", &fakeMessages{recorded: queued}, 0, notification.Delivered, false},
		{"bounced", &fakeMessages{recorded: queued}, 0, notification.Bounced, false},
		{"sent", &fakeMessages{recorded: brief}, 0, "", false},
		{"windowed", &fakeMessages{recorded: windowed}, 0, notification.Delivered, false},
		{"retried", &fakeMessages{recorded: brief, fault: passing()}, 2, "", false},
		{"failed", &fakeMessages{recorded: queued, fault: final(notification.Rejected)}, 1, "", false},
		{"expired", &fakeMessages{recorded: expired}, 0, "", false},
		{"refused", &fakeMessages{recorded: refused}, 0, "", false},
		{"unwritten", &fakeMessages{recorded: brief, unwritten: true}, 0, "", false},
		{"nothing", &fakeMessages{}, 0, "", false},
		{"reset", &fakeMessages{recorded: brief, fault: final(notification.Rejected), again: true}, 1, "", true},
	}
	for _, tc := range cases {
		tc.fake.faults.Store(tc.faults)
		queue := "record-notification-" + tc.name
		w := worker.New(c, queue, worker.Options{})
		workflows.Register(w)
		w.RegisterActivityWithOptions(tc.fake.RecordNotification, activity.RegisterOptions{Name: "RecordNotification"})
		w.RegisterActivityWithOptions(tc.fake.SendNotification, activity.RegisterOptions{Name: "SendNotification"})
		w.RegisterActivityWithOptions(tc.fake.SettleNotification, activity.RegisterOptions{Name: "SettleNotification"})
		require.NoError(t, w.Start())
		run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: queue}, workflows.Notification,
			workflows.NotificationInput{OrgID: 1, Key: "23-4-0", Event: notification.OrderCreated, Channel: notification.SMS, OrderID: 1234})
		require.NoError(t, err)
		if tc.report != "" {
			require.NoError(t, workflows.ReportNotification(t.Context(), c, run.GetID(), tc.report))
		}
		_ = run.Get(t.Context(), nil) // some are meant to fail
		if tc.reset {
			run = resetToEnd(t, c, run)
		}
		w.Stop()
		write(t, c, run, filepath.Join("testdata/histories", "notification_"+tc.name+"_"+*record+".json"))
	}
}

// resetToEnd sends a workflow back to its last task, and waits for its end.
func resetToEnd(t *testing.T, c client.Client, run client.WorkflowRun) client.WorkflowRun {
	t.Helper()
	var at int64
	events := c.GetWorkflowHistory(t.Context(), run.GetID(), run.GetRunID(), false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		e, err := events.Next()
		require.NoError(t, err)
		if e.EventType == enums.EVENT_TYPE_WORKFLOW_TASK_COMPLETED {
			at = e.EventId
		}
	}
	answer, err := c.ResetWorkflowExecution(t.Context(), &workflowservice.ResetWorkflowExecutionRequest{
		Namespace: "default", WorkflowExecution: &common.WorkflowExecution{WorkflowId: run.GetID(), RunId: run.GetRunID()},
		WorkflowTaskFinishEventId: at, Reason: "try again", RequestId: run.GetRunID(),
	})
	require.NoError(t, err)
	again := c.GetWorkflow(t.Context(), run.GetID(), answer.RunId)
	require.NoError(t, again.Get(t.Context(), nil))
	return again
}
