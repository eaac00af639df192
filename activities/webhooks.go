package activities

import (
	"context"
	"time"

	"waybill/domain/caller"
	"waybill/operations/webhooks/delivery"
)

// WebhookOperations are the operations that webhook endpoints need.
type WebhookOperations interface {
	Deliver(
		ctx context.Context, c caller.Caller, id int64, patience time.Duration,
	) (delivery.Turn, error)
}

// Webhooks are the activities of the workflow WebhookEndpoint.
type Webhooks struct {
	operations WebhookOperations
	// note is called with the numbers of successful and failed attempts.
	note func(delivered, refused int)
}

// NewWebhooks returns the activities of webhook endpoints. note is called with the numbers
// of successful and failed attempts of each turn; it may be nil.
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

// WebhookOutcome is the state of an endpoint after a turn.
type WebhookOutcome struct {
	// Ended is true if the endpoint gets no more events.
	Ended bool `json:"ended,omitempty"`
	// Delivered and Refused count the attempts of the turn, Waiting the events to retry.
	Delivered int `json:"delivered,omitempty"`
	Refused   int `json:"refused,omitempty"`
	Waiting   int `json:"waiting,omitempty"`
	// Next is when work is due again; nil when only news can make it so.
	Next *time.Time `json:"next,omitempty"`
	// FailingSince is since when nothing was accepted, and RestingUntil is the
	// end of the endpoint's pause; either may be nil.
	FailingSince *time.Time `json:"failingSince,omitempty"`
	RestingUntil *time.Time `json:"restingUntil,omitempty"`
	// Host is the endpoint's, and Failures counts the attempts since something was accepted.
	Host     string `json:"host,omitempty"`
	Failures int    `json:"failures,omitempty"`
	// LastFault and LastStatus are the result of the last failed attempt; the status is 0
	// without an answer.
	LastFault  string `json:"lastFault,omitempty"`
	LastStatus int    `json:"lastStatus,omitempty"`
	// OffAt is when the endpoint is disabled unless it accepts something
	// before, or nil if nothing fails.
	OffAt *time.Time `json:"offAt,omitempty"`
}

// webhookTurn is for how long events are sent to an endpoint at a time.
const webhookTurn = 30 * time.Second

// Deliver sends pending events to an endpoint.
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
