package operations

import (
	"context"
	"errors"
	"strconv"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/notification"
	"waybill/store"
)

// NoteRetry writes that the caller had a message sent again.
func (o *Operations) NoteRetry(ctx context.Context, c caller.Caller, r notification.Retry) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		return t.Append(ctx, event.Message{ID: r.Of, OrderID: r.OrderID}.Event(event.MessageRetried))
	})
}

// RetryNotification decides whether a message may be sent anew, and returns what
// its new workflow needs to know. Only a message that failed or bounced, that was
// not retried before, and whose event is still in the log may be: it is made from the event.
func (o *Operations) RetryNotification(ctx context.Context, c caller.Caller, id int64) (notification.Retry, error) {
	name := strconv.FormatInt(id, 10)
	refused := func(text fault.Text) error {
		return &fault.Error{Kind: fault.IllegalState, Resource: "notification", Name: name, Text: text}
	}
	n, err := o.store.NotificationState(ctx, c.OrgID, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return notification.Retry{}, fault.Missing("notification", name)
	case err != nil:
		return notification.Retry{}, err
	case n.RetriedBy != 0:
		by := strconv.FormatInt(n.RetriedBy, 10)
		return notification.Retry{}, refused(fault.Say("notification.retried", "name", name, "by", by))
	case !n.Status.Retryable():
		return notification.Retry{}, refused(fault.Say("notification.not_failed", "name", name, "status", string(n.Status)))
	case !n.Logged:
		return notification.Retry{}, refused(fault.Say("notification.too_old", "name", name))
	}
	return notification.Retry{
		Of: n.ID, Key: n.Key, Event: n.Event, Channel: n.Channel, OrderID: n.OrderID, Try: n.LastTry + 1,
	}, nil
}

// OpenAddress takes an address off the suppression list; store.ErrNotFound when
// it is not on it.
func (o *Operations) OpenAddress(ctx context.Context, c caller.Caller, address string) error {
	return o.store.RemoveSuppression(ctx, c, address)
}
