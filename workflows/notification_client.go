package workflows

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"golang.org/x/sync/errgroup"

	"waybill/domain/notification"
)

// startsAtOnce is how many workflows are started at the same time.
const startsAtOnce = 16

// StartNotifications starts the workflow of each message. It leaves alone those
// started before.
func StartNotifications(ctx context.Context, c client.Client, inputs []NotificationInput) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(startsAtOnce)
	for _, in := range inputs {
		group.Go(func() error {
			org, err := OrgName(ctx, c, in.OrgID)
			if err != nil {
				return err
			}
			_, err = startOnce(ctx, c, notificationOptions(NotificationID(org, in.Key), in), Notification, in)
			return err
		})
	}
	return group.Wait()
}

// RetryNotification starts a workflow that sends a message of an organization
// again, and reports whether it did: it leaves alone a retry in progress.
func RetryNotification(
	ctx context.Context, c client.Client, org int64, retry notification.Retry, requestID string,
) (started bool, err error) {
	name, err := OrgName(ctx, c, org)
	if err != nil {
		return false, err
	}
	in := NotificationInput{
		OrgID: org, Key: retry.Key.String(), Event: retry.Event, Channel: retry.Channel, OrderID: retry.OrderID,
		Number: retry.Number, RetryOf: retry.Of,
	}
	id := fmt.Sprintf("%s-r%d", NotificationID(name, in.Key), retry.Try)
	options := notificationOptions(id, in)
	if requestID != "" {
		options.Memo = map[string]any{RequestIDMemo: requestID}
	}
	return startOnce(ctx, c, options, Notification, in)
}

// ResumeNotification restarts the workflow of an unsent message after the
// workflow was lost. It continues with the state in the log.
func ResumeNotification(ctx context.Context, c client.Client, id string, in NotificationInput) error {
	options := notificationOptions(id, in)
	options.WorkflowIDReusePolicy = enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE
	_, err := startOnce(ctx, c, options, Notification, in)
	return err
}

func notificationOptions(id string, in NotificationInput) client.StartWorkflowOptions {
	attributes := []temporal.SearchAttributeUpdate{
		searchOrg.ValueSet(in.OrgID),
		searchState.ValueSet(string(notification.Queued)),
		searchChannel.ValueSet(string(in.Channel)),
	}
	if in.OrderID != 0 {
		attributes = append(attributes, searchOrderID.ValueSet(in.OrderID))
	}
	if in.Number != "" {
		attributes = append(attributes, searchExternalID.ValueSet(in.Number))
	}
	return client.StartWorkflowOptions{
		ID: id, TaskQueue: string(NotificationsQueue), Priority: turnOf(id),
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
		TypedSearchAttributes: temporal.NewSearchAttributes(attributes...),
		StaticSummary:         notificationSummary(in),
	}
}

// startOnce starts a workflow, and reports whether it did: it leaves alone one
// that was started before.
func startOnce(
	ctx context.Context, c client.Client, options client.StartWorkflowOptions, workflow, in any,
) (started bool, err error) {
	options.WorkflowExecutionErrorWhenAlreadyStarted = true
	_, err = c.ExecuteWorkflow(ctx, options, workflow, in)
	var already *serviceerror.WorkflowExecutionAlreadyStarted
	if errors.As(err, &already) {
		return false, nil
	}
	return err == nil, outOfReach(err)
}

func notificationSummary(in NotificationInput) string {
	channel := "SMS"
	if in.Channel == notification.Email {
		channel = strings.ToLower(string(in.Channel))
	}
	if in.Number != "" {
		return fmt.Sprintf("%s %s for %s (order %d)", channel, in.Event, in.Number, in.OrderID)
	}
	return fmt.Sprintf("%s %s for order %d", channel, in.Event, in.OrderID)
}

// ReportNotification signals the workflow of a message that a report has
// changed its status. A workflow that has ended needs no signal.
func ReportNotification(ctx context.Context, c client.Client, workflowID string, status notification.Status) error {
	err := c.SignalWorkflow(ctx, workflowID, "", NotificationReportSignal, NotificationReport{Status: status})
	var gone *serviceerror.NotFound
	if errors.As(err, &gone) {
		return nil
	}
	return outOfReach(err)
}

// EndNotifications signals the workflows of messages that ended in the log, so
// that they do not wait for their time. A workflow that has ended needs no
// signal.
func EndNotifications(ctx context.Context, c client.Client, workflowIDs []string) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(startsAtOnce)
	for _, id := range workflowIDs {
		group.Go(func() error {
			err := c.CancelWorkflow(ctx, id, "")
			var gone *serviceerror.NotFound
			if errors.As(err, &gone) {
				return nil
			}
			return outOfReach(err)
		})
	}
	return group.Wait()
}
