package activities

import (
	"context"
	"time"

	"waybill/domain/caller"
	"waybill/operations/webhooks/delivery"
)

// WebhookOperations are what webhook endpoints need of the operations.
type WebhookOperations interface {
	Deliver(
		ctx context.Context, c caller.Caller, id int64, patience time.Duration,
	) (delivery.Turn, error)
}

// Webhooks are the activities of the workflow WebhookEndpoint.
type Webhooks struct {
	operations WebhookOperations
	// note hears how many attempts went well, and did not.
	note func(delivered, refused int)
}

// NewWebhooks makes the activities of webhook endpoints. Note is told how many attempts of
// each turn went well, and did not; it may be nil.
func NewWebhooks(o WebhookOperations, note func(delivered, refused int)) *Webhooks {
	if note == nil {
		note = func(int, int) {}
	}
	return &Webhooks{operations: o, note: note}
}

// WebhookInput names an endpoint.
type WebhookInput struct {
	OrgID      int64 `json:"orgId"`
	EndpointID int64 `json:"endpointId"`
}

// WebhookOutcome is how an endpoint stands after a turn.
type WebhookOutcome struct {
	// Ended says that nothing is sent to it any more.
	Ended bool `json:"ended,omitempty"`
	// Delivered and Refused count the attempts of the turn, Waiting the events that are to
	// be tried again.
	Delivered int `json:"delivered,omitempty"`
	Refused   int `json:"refused,omitempty"`
	Waiting   int `json:"waiting,omitempty"`
	// Next is when there is something to do again; nil when only news are.
	Next *time.Time `json:"next,omitempty"`
	// FailingSince is since when nothing was accepted, and RestingUntil until when the
	// endpoint is left alone; nil where that is not so.
	FailingSince *time.Time `json:"failingSince,omitempty"`
	RestingUntil *time.Time `json:"restingUntil,omitempty"`
	// Host is the endpoint's, and Failures counts the attempts since something was accepted.
	Host     string `json:"host,omitempty"`
	Failures int    `json:"failures,omitempty"`
	// LastFault and LastStatus are what the last attempt that failed came to; the status is 0
	// where nothing was answered.
	LastFault  string `json:"lastFault,omitempty"`
	LastStatus int    `json:"lastStatus,omitempty"`
	// OffAt is when it will be switched off if it accepts nothing until then; nil where
	// nothing fails.
	OffAt *time.Time `json:"offAt,omitempty"`
}

// webhookTurn is for how long events are sent to an endpoint at a time.
const webhookTurn = 30 * time.Second

// Deliver sends to an endpoint what there is to send.
func (a *Webhooks) Deliver(ctx context.Context, in WebhookInput) (WebhookOutcome, error) {
	defer heartbeat(ctx)()
	turn, err := a.operations.Deliver(ctx, workflowOf(ctx, in.OrgID), in.EndpointID, webhookTurn)
	if err != nil {
		return WebhookOutcome{}, permanent(ctx, err)
	}
	a.note(turn.Delivered, turn.Refused)
	return WebhookOutcome{
		Ended: turn.Ended, Delivered: turn.Delivered, Refused: turn.Refused, Waiting: turn.Waiting,
		Next: timeOrNil(turn.Next), FailingSince: timeOrNil(turn.FailingSince), RestingUntil: timeOrNil(turn.RestingUntil),
		Host: turn.Host, Failures: turn.Failures, LastFault: string(turn.LastFault), LastStatus: turn.LastStatus,
		OffAt: timeOrNil(turn.OffAt),
	}, nil
}

func timeOrNil(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}
