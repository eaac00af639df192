package workflows

import (
	"context"
	"fmt"
	"strings"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"waybill/domain/notification"
)

// Execution is a run of a workflow as the server lists it.
type Execution struct {
	ID, RunID string
	// State is the state by which operators find it.
	State string
}

// Running lists all running workflows of the namespace, a page at a time.
func Running(ctx context.Context, c client.Client, take func([]Execution) error) error {
	return list(ctx, c, "ExecutionStatus = 'Running'", take)
}

// SentMessages returns which of the workflows of messages have sent theirs. Some of them still run, because they wait
// for the provider's report.
func SentMessages(ctx context.Context, c client.Client, ids []string) (map[string]bool, error) {
	sent := map[string]bool{}
	for len(ids) > 0 {
		some := ids[:min(len(ids), listedAtOnce)]
		ids = ids[len(some):]
		err := list(ctx, c, withIDs(some), func(found []Execution) error {
			for _, e := range found {
				sent[e.ID] = sent[e.ID] || e.hasSent()
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return sent, nil
}

// hasSent reports whether the state of a message's workflow says that it was sent, whatever came of it.
func (e Execution) hasSent() bool {
	switch notification.Status(e.State) {
	case notification.Sent, notification.Delivered, notification.Bounced, notification.Spam:
		return true
	}
	return false
}

func list(ctx context.Context, c client.Client, query string, take func([]Execution) error) error {
	for page := []byte(nil); ; {
		answer, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
			PageSize: listedAtOnce, NextPageToken: page, Query: query,
		})
		if err != nil {
			return outOfReach(err)
		}
		found := make([]Execution, len(answer.GetExecutions()))
		for i, e := range answer.GetExecutions() {
			found[i] = Execution{ID: e.GetExecution().GetWorkflowId(), RunID: e.GetExecution().GetRunId()}
			if state := e.GetSearchAttributes().GetIndexedFields()[searchState.GetName()]; state != nil {
				if err := converter.GetDefaultDataConverter().FromPayload(state, &found[i].State); err != nil {
					return fmt.Errorf("read the state of %s: %w", found[i].ID, err)
				}
			}
		}
		if err := take(found); err != nil {
			return err
		}
		if page = answer.GetNextPageToken(); len(page) == 0 {
			return nil
		}
	}
}

// WithoutRow is why workflows are terminated after a restore.
const WithoutRow = "the database was restored to a time before this workflow's row"

// RestartUnsent replaces a workflow of a message by one that records the message again. It continues with what the log
// has of it, and fails if the log lost its cause.
func RestartUnsent(ctx context.Context, c client.Client, e Execution) error {
	var in NotificationInput
	if err := inputOf(ctx, c, e, &in); err != nil {
		return err
	}
	if err := c.TerminateWorkflow(ctx, e.ID, e.RunID, WithoutRow); err != nil {
		return outOfReach(err)
	}
	return ResumeNotification(ctx, c, e.ID, in)
}

// inputOf reads the input with which a workflow was started.
func inputOf(ctx context.Context, c client.Client, e Execution, in any) error {
	events := c.GetWorkflowHistory(ctx, e.ID, e.RunID, false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	var first *history.HistoryEvent
	if events.HasNext() {
		var err error
		if first, err = events.Next(); err != nil {
			return outOfReach(err)
		}
	}
	input := first.GetWorkflowExecutionStartedEventAttributes().GetInput()
	if err := converter.GetDefaultDataConverter().FromPayloads(input, in); err != nil {
		return fmt.Errorf("read the input of %s: %w", e.ID, err)
	}
	return nil
}

// IsUnsent reports whether a workflow of a message has not sent it yet.
func (e Execution) IsUnsent() bool {
	state := notification.Status(e.State)
	return strings.HasPrefix(e.ID, "notification/") && (state == "" || state.Waiting())
}

// Subject splits a workflow ID into its kind, the name of its organization and the rest.
func (e Execution) Subject() (kind, org, rest string, ok bool) {
	parts := strings.SplitN(e.ID, "/", 3)
	if len(parts) != 3 {
		return "", "", "", false
	}
	return parts[0], parts[1], parts[2], true
}
