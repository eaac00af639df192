package activities

import (
	"context"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/operations/notifications"
)

// ResendingOperations are the operations that resendings need.
type ResendingOperations interface {
	ResendBatch(ctx context.Context, c caller.Caller, id int64, resend notifications.Resend) (notifications.ResendingTurn, error)
}

// Resendings are the activities of the workflow ResendMessages.
type Resendings struct {
	operations ResendingOperations
	resend     notifications.Resend
}

// NewResendings makes the activities of resendings. Resend starts the workflow of a message.
func NewResendings(o ResendingOperations, resend notifications.Resend) *Resendings {
	return &Resendings{operations: o, resend: resend}
}

// ResendingInput names a resending.
type ResendingInput struct {
	OrgID int64 `json:"orgId"`
	ID    int64 `json:"id"`
}

// ResendingProgress is the progress of a resending.
type ResendingProgress struct {
	State notification.ResendingState `json:"state"`
	// Total counts the selected messages. Of those processed, Sent were sent
	// again and Refused could not be.
	Total   int `json:"total"`
	Sent    int `json:"sent"`
	Refused int `json:"refused,omitempty"`
}

// ResendBatch sends the next messages of a resending again.
func (a *Resendings) ResendBatch(ctx context.Context, in ResendingInput) (ResendingProgress, error) {
	defer heartbeat(ctx)()
	turn, err := a.operations.ResendBatch(ctx, workflowOf(ctx, in.OrgID), in.ID, a.resend)
	return ResendingProgress(turn), permanent(ctx, err)
}
