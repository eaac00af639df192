package notifications

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"golang.org/x/sync/errgroup"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/notification"
	"waybill/store"
)

// How many messages are sent again in one batch, and at the same time.
const (
	resendingBatch  = 50
	resendingAtOnce = 16
)

// PreviewResending counts the messages that a selection would send again, by reason.
func (o *Operations) PreviewResending(
	ctx context.Context, org int64, of notification.Selection,
) ([]notification.FailureCount, error) {
	return o.store.CountFailures(ctx, org, of)
}

// BeginResending notes that the caller has a selection of messages sent again, and returns the
// id of that: its workflow is to be started. An organization has one under way at a time.
func (o *Operations) BeginResending(
	ctx context.Context, c caller.Caller, of notification.Selection,
) (id int64, err error) {
	counts, err := o.store.CountFailures(ctx, c.OrgID, of)
	if err != nil {
		return 0, err
	}
	total := 0
	for _, count := range counts {
		if !count.IsLeftOut {
			total += count.Messages
		}
	}
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		id, err = t.AddResending(ctx, c, of, total)
		return err
	})
	if errors.Is(err, store.ErrResending) {
		err = &fault.Error{Kind: fault.Conflict, Resource: "resending", Text: fault.Say("resending.under_way")}
	}
	return id, err
}

// DropResending takes back a resending whose workflow could not be started.
func (o *Operations) DropResending(ctx context.Context, c caller.Caller, id int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error { return t.DropResending(ctx, id) })
}

// StopResending ends a resending. A batch that has begun is sent to its end. One that has ended
// stays as it is.
func (o *Operations) StopResending(ctx context.Context, c caller.Caller, id int64) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		r, err := t.LockResending(ctx, id)
		if err != nil || r.State != notification.ResendingRunning {
			return err
		}
		return t.EndResending(ctx, id, notification.ResendingStopped, c.Actor())
	})
	if errors.Is(err, store.ErrNotFound) {
		return fault.Missing("resending", strconv.FormatInt(id, 10))
	}
	return err
}

// ResendingTurn is how a resending stands after a batch.
type ResendingTurn struct {
	State notification.ResendingState
	// Total, Sent and Refused count messages, as in notification.Resending.
	Total, Sent, Refused int
}

// Resend starts the workflow that sends a message again, and reports whether it did: one that is
// under way already is left alone.
type Resend func(ctx context.Context, org int64, of notification.Retry) (started bool, err error)

// ResendBatch sends the next messages of a resending again, in the name of the actor that asked
// for it. Done again after a crash, it goes on with the same messages, and sends none of them
// twice.
func (o *Operations) ResendBatch(ctx context.Context, c caller.Caller, id int64, resend Resend) (ResendingTurn, error) {
	r, batch, err := o.beginBatch(ctx, c, id)
	if err != nil || r.Begun == r.Done && len(batch) == 0 {
		return standing(&r), err
	}
	sent, err := resendAll(ctx, c.OrgID, batch, resend, r.isAgain)
	if err != nil {
		return ResendingTurn{}, err
	}
	err = o.store.InTx(ctx, caller.Acting(c.OrgID, r.Actor, r.Cause), func(t *store.Tx) error {
		now, err := t.LockResending(ctx, id)
		if err != nil || now.Done != r.Done { // another attempt has noted the batch
			r.Resending = now
			return err
		}
		if err := t.Append(ctx, retried(sent)...); err != nil {
			return err
		}
		refused := len(batch) - len(sent)
		now.Sent, now.Refused = now.Sent+len(sent), now.Refused+refused
		r.Resending = now
		return t.AdvanceResending(ctx, id, len(sent), refused)
	})
	return standing(&r), err
}

// begunBatch is a resending of which a batch has begun; isAgain says that an earlier attempt may
// have sent some of it.
type begunBatch struct {
	notification.Resending

	isAgain bool
}

// beginBatch notes which messages are next. There are none when the resending has ended, or ends
// with that.
func (o *Operations) beginBatch(
	ctx context.Context, c caller.Caller, id int64,
) (r begunBatch, batch []store.NotificationState, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		r, batch = begunBatch{}, nil
		if r.Resending, err = t.LockResending(ctx, id); err != nil {
			return err
		}
		if r.isAgain = r.Begun != r.Done; r.isAgain {
			batch, err = t.MessagesToResend(ctx, &r.Resending, 2*resendingBatch) // others may have been retried meanwhile
			return err
		}
		if r.State != notification.ResendingRunning {
			return nil
		}
		if batch, err = t.MessagesToResend(ctx, &r.Resending, resendingBatch); err != nil {
			return err
		}
		if len(batch) == 0 {
			r.State = notification.ResendingCompleted
			return t.EndResending(ctx, id, r.State, "")
		}
		r.Begun = batch[len(batch)-1].ID
		return t.BeginResendingBatch(ctx, id, r.Begun)
	})
	return r, batch, err
}

func standing(r *begunBatch) ResendingTurn {
	return ResendingTurn{State: r.State, Total: r.Total, Sent: r.Sent, Refused: r.Refused}
}

// resendAll sends the messages of a batch again, and returns those that this resending has sent. One
// that may not be sent again is left out.
func resendAll(
	ctx context.Context, org int64, batch []store.NotificationState, resend Resend, isAgain bool,
) ([]store.NotificationState, error) {
	sent := make([]bool, len(batch))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(resendingAtOnce)
	for i := range batch {
		group.Go(func() error {
			if batch[i].RetriedBy != 0 { // by an earlier attempt
				sent[i] = true
				return nil
			}
			retry, refusal := retryOf(&batch[i])
			if refusal != nil {
				return nil //nolint:nilerr // it may not be sent again, and is counted so
			}
			started, err := resend(ctx, org, retry)
			sent[i] = started || isAgain
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("resend a batch: %w", err)
	}
	var all []store.NotificationState
	for i := range batch {
		if sent[i] {
			all = append(all, batch[i])
		}
	}
	return all, nil
}

// retried are the events that say that messages were sent again.
func retried(messages []store.NotificationState) []event.Event {
	events := make([]event.Event, len(messages))
	for i, m := range messages {
		events[i] = event.Message{ID: m.ID, OrderID: m.OrderID}.Event(event.MessageRetried)
	}
	return events
}
