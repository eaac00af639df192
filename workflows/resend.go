package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/notification"
)

// resends names the activities for the compiler; it stays nil.
var resends *activities.Resendings

// ResendingInput names a resending.
type ResendingInput = activities.ResendingInput

// ResendingStatus is the answer to the status query.
type ResendingStatus = activities.ResendingProgress

// ResendMessages sends a selection of failed messages again, batch by batch,
// until none is left or a user stops it. The progress is stored in the
// database; each batch reads it.
func ResendMessages(ctx workflow.Context, in ResendingInput) error {
	status := ResendingStatus{State: notification.ResendingRunning}
	if err := workflow.SetQueryHandler(
		ctx, StatusQuery, func() (ResendingStatus, error) { return status, nil },
	); err != nil {
		return err
	}
	for status.State == notification.ResendingRunning {
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() {
			return workflow.NewContinueAsNewError(ctx, ResendMessages, in)
		}
		next := patient(ctx, "send the next messages again")
		if err := workflow.ExecuteActivity(next, resends.ResendBatch, in).Get(ctx, &status); err != nil {
			return err
		}
		workflow.SetCurrentDetails(ctx, resendingStory(status))
	}
	return workflow.UpsertTypedSearchAttributes(ctx, searchState.ValueSet(strings.ToLower(string(status.State))))
}

// resendingStory describes the progress of a resending.
func resendingStory(s ResendingStatus) string {
	text := fmt.Sprintf("**%d of %d** messages sent again", s.Sent, s.Total)
	if s.Refused > 0 {
		text += fmt.Sprintf(", %d could not be", s.Refused)
	}
	if s.State == notification.ResendingStopped {
		text += ". Somebody stopped it"
	}
	return text + "."
}
