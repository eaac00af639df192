package activities

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/operations/notifications"
	"waybill/providers"
)

// NotificationOperations are the operations that notifications need.
type NotificationOperations interface {
	RecordNotification(ctx context.Context, c caller.Caller, m notifications.NewMessage) (notifications.RecordedMessage, error)
	SendNotification(ctx context.Context, c caller.Caller, id int64) (notifications.SentMessage, error)
	SettleNotification(
		ctx context.Context, c caller.Caller, id int64, runID string, end notifications.Ending,
	) (notifications.SettledMessage, error)
}

// Notifications are the activities of the workflow Notification.
type Notifications struct {
	operations NotificationOperations
}

// NewNotifications returns the activities of notifications.
func NewNotifications(o NotificationOperations) *Notifications { return &Notifications{operations: o} }

// RecordInput identifies a message to record.
type RecordInput struct {
	OrgID int64  `json:"orgId"`
	Key   string `json:"key"`
	// RetryOf is the message that this one retries, or 0.
	RetryOf int64 `json:"retryOf,omitempty"`
	// Reset reports that a person reset the workflow to an earlier point.
	Reset bool `json:"reset,omitempty"`
}

// Recorded is a message in the log. ID is 0 when no message is needed, or
// another workflow sends it.
type Recorded struct {
	ID     int64               `json:"id"`
	Status notification.Status `json:"status"`
	// Failure is why it failed, or why it must not be sent.
	Failure notification.Failure `json:"failure,omitempty"`
	// SendFrom and SendUntil bound the time to send it; they may be absent.
	SendFrom   *time.Time    `json:"sendFrom,omitempty"`
	SendUntil  *time.Time    `json:"sendUntil,omitempty"`
	ReportWait time.Duration `json:"reportWait,omitempty"`
	// ReleaseAt is when the plan is to be released that it waits for; it may be absent.
	ReleaseAt *time.Time `json:"releaseAt,omitempty"`
}

// RecordNotification writes the message to the log, once per run of a
// workflow.
func (a *Notifications) RecordNotification(ctx context.Context, in RecordInput) (Recorded, error) {
	defer heartbeat(ctx)()
	key, err := notification.ParseKey(in.Key)
	if err != nil {
		return Recorded{}, temporal.NewNonRetryableApplicationError("cannot read the message key", ErrTypeNotFound, err)
	}
	run := activity.GetInfo(ctx).WorkflowExecution
	recorded, err := a.operations.RecordNotification(ctx, workflowOf(ctx, in.OrgID), notifications.NewMessage{
		Key: key, WorkflowID: run.ID, RunID: run.RunID, RetryOf: in.RetryOf, Reset: in.Reset,
	})
	return Recorded(recorded), permanent(ctx, err)
}

// SendInput identifies a message to send.
type SendInput struct {
	OrgID int64 `json:"orgId"`
	ID    int64 `json:"id"`
}

// SendResult is a message that its provider has taken.
type SendResult struct {
	Status notification.Status `json:"status"`
	// ProviderID is the provider's id of the message. Unrecorded is true if the
	// database was down, so that the log does not have it yet.
	ProviderID string `json:"providerId,omitempty"`
	Unrecorded bool   `json:"unrecorded,omitempty"`
}

// SendNotification hands a message to its provider and records that it did.
func (a *Notifications) SendNotification(ctx context.Context, in SendInput) (SendResult, error) {
	defer heartbeat(ctx)()
	sent, err := a.operations.SendNotification(ctx, workflowOf(ctx, in.OrgID), in.ID)
	var postponed *notifications.SendingPostponed
	if errors.As(err, &postponed) {
		return SendResult{}, later(postponed)
	}
	var refused *notifications.SendingRefused
	if !errors.As(err, &refused) {
		return SendResult(sent), permanent(ctx, err)
	}
	if refused.Unnoted != nil {
		activity.GetLogger(ctx).Warn("cannot save provider's answer", "notification_id", in.ID, "error", refused.Unnoted)
	}
	logRefusal(ctx, in, refused)
	delay := refused.Next
	if delay == 0 {
		delay = notification.RetryDelay(activity.GetInfo(ctx).Attempt, refused.RetryAfter, drawn())
	}
	return SendResult{}, refusal(refused.Fault, delay)
}

// logRefusal logs the result of one attempt. Outages are logged once by the monitor of
// the providers; single messages are logged at a lower level.
func logRefusal(ctx context.Context, in SendInput, refused *notifications.SendingRefused) {
	about := []any{"org_id", in.OrgID, "notification_id", in.ID, "failure", string(refused.Failure), "code", refused.Code}
	if refused.Attempt != nil {
		about = append(about, "order_id", refused.Attempt.OrderID, "channel", refused.Attempt.Channel,
			"provider", refused.Attempt.Provider, "attempt", refused.Attempt.Number)
	}
	if refused.Cause != nil {
		about = append(about, "error", refused.Cause)
	}
	if refused.Passing {
		activity.GetLogger(ctx).Info("message waiting for its provider", append(about, "next_in", refused.Next.String())...)
		return
	}
	activity.GetLogger(ctx).Info("message refused", about...)
}

// ErrTypePostponed is the error type of a message that is not tried yet.
const ErrTypePostponed = "Postponed"

// mostSpread is the largest random addition to the delay of a waiting message.
const mostSpread = 30 * time.Second

// later has a message wait, and a little longer than others that do.
func later(p *notifications.SendingPostponed) error {
	spread := time.Duration(drawn() * float64(min(p.For/2, mostSpread)))
	return temporal.NewApplicationErrorWithOptions(p.Error(), ErrTypePostponed, temporal.ApplicationErrorOptions{
		NextRetryDelay: p.For + spread, Category: temporal.ApplicationErrorCategoryBenign,
	})
}

// drawn is random, so that messages that fail together are not retried
// together.
func drawn() float64 { return rand.Float64() } //nolint:gosec // it keeps no secret

// refusal returns the error of an attempt. It is expected, so it raises no
// alarm, and it contains no personal data. It sets when the next attempt is
// due, which the workflow's policy does only for a dead worker.
func refusal(fault *providers.Fault, delay time.Duration) error {
	var code []any
	if fault.Code != "" {
		code = []any{fault.Code}
	}
	return temporal.NewApplicationErrorWithOptions(fault.Error(), string(fault.Failure), temporal.ApplicationErrorOptions{
		NonRetryable: !fault.Passing, Category: temporal.ApplicationErrorCategoryBenign, Details: code,
		NextRetryDelay: delay,
	})
}

// SettleInput is how the sending of a message ended: failed, or else sent.
type SettleInput struct {
	OrgID      int64                `json:"orgId"`
	ID         int64                `json:"id"`
	Channel    notification.Channel `json:"channel"`
	Failure    notification.Failure `json:"failure,omitempty"`
	ProviderID string               `json:"providerId,omitempty"`
}

// Settled is the state of a message. Again is true if it failed in an earlier
// run of the workflow that a person has reset: it must be sent again.
type Settled struct {
	Status  notification.Status  `json:"status"`
	Failure notification.Failure `json:"failure,omitempty"`
	Again   bool                 `json:"again,omitempty"`
}

// SettleNotification records how the sending of a message ended, unless it has
// ended already.
func (a *Notifications) SettleNotification(ctx context.Context, in SettleInput) (Settled, error) {
	defer heartbeat(ctx)()
	runID := activity.GetInfo(ctx).WorkflowExecution.RunID
	end := notifications.Ending{Channel: in.Channel, Failure: in.Failure, ProviderID: in.ProviderID}
	settled, err := a.operations.SettleNotification(ctx, workflowOf(ctx, in.OrgID), in.ID, runID, end)
	return Settled(settled), permanent(ctx, err)
}
