package notifications

import (
	"context"

	"waybill/domain/notification"
	"waybill/providers"
	"waybill/store"
)

// MessageAttempt is an attempt to hand a message to its provider.
type MessageAttempt struct {
	OrgID, OrderID, ID int64
	Channel            notification.Channel
	Provider           string
	// Account names the variable of the organization's own server or account; "" is the
	// installation's.
	Account string
	// Fault is why the message was not taken, nil when it was.
	Fault *providers.Fault
}

// MessageWatch is told how sending goes.
type MessageWatch interface {
	// Attempted hears of each attempt.
	Attempted(ctx context.Context, a *MessageAttempt)
	// Ended hears that a message was sent, or why it failed.
	Ended(channel notification.Channel, failure notification.Failure)
}

// attempted tells the watch of an attempt.
func (o *Operations) attempted(ctx context.Context, org, id int64, n *store.Attempt, fault *providers.Fault) {
	if o.settings.Watch == nil || o.staysInSandbox(n) {
		return
	}
	a := &MessageAttempt{
		OrgID: org, OrderID: n.OrderID, ID: id, Channel: notification.Channel(n.Channel),
		Provider: n.Provider, Account: n.SmtpUrl, Fault: fault,
	}
	if a.Channel == notification.SMS {
		a.Account = n.SmsAccount
	}
	o.settings.Watch.Attempted(ctx, a)
}

// ended tells the watch what came of a message. What no longer holds, and what somebody
// cancelled, has not failed.
func (o *Operations) ended(end Ending) {
	switch {
	case o.settings.Watch == nil:
	case end.Failure == notification.Superseded, end.Failure == notification.Cancelled:
	default:
		o.settings.Watch.Ended(end.Channel, end.Failure)
	}
}
