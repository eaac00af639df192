package workflows

import (
	"context"
	"fmt"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"waybill/domain/notification"
)

// StartResending starts the workflow of a resending, or finds it running.
func StartResending(ctx context.Context, c client.Client, in ResendingInput, requestID string) error {
	org, err := OrgName(ctx, c, in.OrgID)
	if err != nil {
		return err
	}
	id := ResendingID(org, in.ID)
	options := client.StartWorkflowOptions{
		ID: id, TaskQueue: string(NotificationsQueue), Priority: turnOf(id),
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		TypedSearchAttributes: temporal.NewSearchAttributes(
			searchOrg.ValueSet(in.OrgID), searchState.ValueSet("running")),
		StaticSummary: fmt.Sprintf("resend failed messages (%d)", in.ID),
	}
	if requestID != "" {
		options.Memo = map[string]any{RequestIDMemo: requestID}
	}
	_, err = startOnce(ctx, c, options, ResendMessages, in)
	return err
}

// Resender starts the workflows of messages that are sent again.
type Resender struct {
	Temporal client.Client
}

// Resend starts the workflow that sends a message again, and reports whether it did.
func (r Resender) Resend(ctx context.Context, org int64, of notification.Retry) (started bool, err error) {
	return RetryNotification(ctx, r.Temporal, org, of, "")
}
