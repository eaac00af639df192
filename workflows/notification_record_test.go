package workflows_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"waybill/activities"
	"waybill/domain/notification"
	"waybill/workflows"
)

// messageScript is the story of one message.
type messageScript struct {
	recorded  activities.Recorded
	fault     error // of attempts that fail
	unwritten bool
	again     bool // the second settling finds a message that failed before
	settles   atomic.Int32
}

func (s *messageScript) stands(attempts *attempts) map[string]any {
	return map[string]any{
		"RecordNotification": func(context.Context, activities.RecordInput) (activities.Recorded, error) {
			return s.recorded, nil
		},
		"SendNotification": func(context.Context, activities.SendInput) (activities.SendResult, error) {
			if attempts.fails() {
				return activities.SendResult{}, s.fault
			}
			return activities.SendResult{Status: notification.Sent, ProviderID: "SM1", Unrecorded: s.unwritten}, nil
		},
		"SettleNotification": func(_ context.Context, in activities.SettleInput) (activities.Settled, error) {
			if in.Failure == "" {
				return activities.Settled{Status: notification.Sent}, nil
			}
			settled := activities.Settled{Status: notification.Failed, Failure: in.Failure}
			settled.Again = s.again && s.settles.Add(1) == 2
			return settled, nil
		},
	}
}

// messageCase is how one message fares.
type messageCase struct {
	name             string
	script           *messageScript
	failing, hanging int32
	report           notification.Status
	end              func(*testing.T, client.WorkflowRun)
}

func messageCases(r *recorder) []messageCase {
	now := time.Now().UTC()
	soon, later, past := now.Add(2*time.Second), now.Add(time.Hour), now.Add(-time.Hour)
	queued := activities.Recorded{ID: 7, Status: notification.Queued, ReportWait: time.Hour}
	windowed, waiting, expired, refused, brief := queued, queued, queued, queued, queued
	windowed.SendFrom, windowed.SendUntil = &soon, &later
	waiting.SendFrom, waiting.SendUntil = &later, &later
	expired.SendFrom, expired.SendUntil = &past, &past
	refused.Failure = notification.InvalidAddress
	brief.ReportWait = time.Second
	rejected := final(notification.Rejected)
	return []messageCase{
		{name: "delivered", script: &messageScript{recorded: queued}, report: notification.Delivered},
		{name: "bounced", script: &messageScript{recorded: queued}, report: notification.Bounced},
		{name: "sent", script: &messageScript{recorded: brief}},
		{name: "windowed", script: &messageScript{recorded: windowed}, report: notification.Delivered},
		{name: "retried", script: &messageScript{recorded: brief, fault: passing()}, failing: 2},
		{name: "worker_died", script: &messageScript{recorded: brief}, hanging: 1},
		{name: "failed", script: &messageScript{recorded: queued, fault: rejected}, failing: 1},
		{name: "expired", script: &messageScript{recorded: expired}},
		{name: "refused", script: &messageScript{recorded: refused}},
		{name: "unwritten", script: &messageScript{recorded: brief, unwritten: true}},
		{name: "nothing", script: &messageScript{}},
		{name: "reset", script: &messageScript{recorded: brief, fault: rejected, again: true}, failing: 1},
		{name: "open_windowed", script: &messageScript{recorded: waiting}, end: r.rests},
		{name: "open_sent", script: &messageScript{recorded: queued}, end: r.rests},
		{name: "cancelled_sent", script: &messageScript{recorded: queued}, end: func(t *testing.T, run client.WorkflowRun) {
			r.rests(t, run)
			r.cancel(t, run)
		}},
		{
			name: "cancelled_sending", script: &messageScript{recorded: queued}, hanging: 1,
			end: func(t *testing.T, run client.WorkflowRun) {
				r.begins(t, run)
				r.cancel(t, run)
			},
		},
	}
}

func recordNotifications(t *testing.T, r *recorder) {
	for _, tc := range messageCases(r) {
		t.Run(tc.name, func(t *testing.T) {
			queue := "notification_" + tc.name
			r.work(t, queue, tc.script.stands(newAttempts(t, tc.failing, tc.hanging)))
			run := r.start(t, queue, workflows.Notification, workflows.NotificationInput{
				OrgID: 1, Key: "23-4-0", Event: notification.OrderCreated, Channel: notification.SMS, OrderID: 1234,
			})
			if tc.report != "" {
				require.NoError(t, workflows.ReportNotification(t.Context(), r.Client, queue, tc.report))
			}
			if tc.end != nil {
				tc.end(t, run)
			} else {
				_ = run.Get(t.Context(), nil) // some fail on purpose
			}
			if tc.script.again {
				run = r.resetToEnd(t, run)
			}
			r.keep(t, run, queue)
		})
	}
}

// resetToEnd sends a workflow back to its last task, and waits for its end.
func (r *recorder) resetToEnd(t *testing.T, run client.WorkflowRun) client.WorkflowRun {
	t.Helper()
	var at int64
	for _, e := range r.events(t, run) {
		if e.EventType == enums.EVENT_TYPE_WORKFLOW_TASK_COMPLETED {
			at = e.EventId
		}
	}
	answer, err := r.ResetWorkflowExecution(t.Context(), &workflowservice.ResetWorkflowExecutionRequest{
		Namespace:         client.DefaultNamespace,
		WorkflowExecution: &common.WorkflowExecution{WorkflowId: run.GetID(), RunId: run.GetRunID()},

		WorkflowTaskFinishEventId: at, Reason: "try again", RequestId: run.GetRunID(),
	})
	require.NoError(t, err)
	again := r.GetWorkflow(t.Context(), run.GetID(), answer.RunId)
	require.NoError(t, again.Get(t.Context(), nil))
	return again
}
