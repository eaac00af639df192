package notifications

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
// its new workflow needs to know. Only a message that failed or bounced, or that may not
// have arrived, may be, unless its receipt is there or it no longer holds; once, and while
// its event is still in the log, of which it is made.
func (o *Operations) RetryNotification(ctx context.Context, c caller.Caller, id int64) (notification.Retry, error) {
	n, err := o.store.NotificationState(ctx, c.OrgID, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return notification.Retry{}, fault.Missing("notification", strconv.FormatInt(id, 10))
	case err != nil:
		return notification.Retry{}, err
	}
	return retryOf(&n)
}

// retryOf decides whether a message may be sent anew, by where it stands.
func retryOf(n *store.NotificationState) (notification.Retry, error) {
	name := strconv.FormatInt(n.ID, 10)
	refused := func(text fault.Text) error {
		return &fault.Error{Kind: fault.IllegalState, Resource: "notification", Name: name, Text: text}
	}
	switch {
	case n.RetriedBy != 0:
		by := strconv.FormatInt(n.RetriedBy, 10)
		return notification.Retry{}, refused(fault.Say("notification.retried", "name", name, "by", by))
	case !n.Status.Retryable() && !n.Uncertain:
		return notification.Retry{}, refused(fault.Say("notification.not_failed", "name", name, "status", string(n.Status)))
	case n.Received:
		return notification.Retry{}, refused(fault.Say("notification.received", "name", name))
	case n.Failure == notification.Superseded:
		return notification.Retry{}, refused(fault.Say("notification.superseded", "name", name))
	case !n.Logged:
		return notification.Retry{}, refused(fault.Say("notification.too_old", "name", name))
	}
	return notification.Retry{
		Of: n.ID, Key: n.Key, Event: n.Event, Channel: n.Channel, OrderID: n.OrderID, Number: n.Number, Try: n.LastTry + 1,
	}, nil
}

// OpenAddress takes an address off the suppression list, and withdraws the objection of an
// erased person; store.ErrNotFound when there is neither.
func (o *Operations) OpenAddress(ctx context.Context, c caller.Caller, address string) error {
	withdrawn, err := o.objections.WithdrawObjection(ctx, c, address)
	if err != nil {
		return err
	}
	err = o.store.RemoveSuppression(ctx, c, address)
	if withdrawn && errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
