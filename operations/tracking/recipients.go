package tracking

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/recipient"
	"waybill/store"
)

// Recipient is the caller behind a link of an organization; cause is the id of the request.
func Recipient(org int64, cause string) caller.Caller {
	return caller.Caller{OrgID: org, Kind: caller.Recipient, Cause: cause}
}

// Instruct keeps what a recipient asks of the driver, and returns their stop as it is then. keepCode leaves the door
// code as it was. The same again changes nothing.
func (o *Operations) Instruct(
	ctx context.Context, c caller.Caller, code string, asked recipient.Instructions, keepCode bool,
) (store.TrackedStop, error) {
	asked, err := asked.Tidy()
	if err != nil {
		return store.TrackedStop{}, err
	}
	return o.act(ctx, c, code, recipient.LeaveInstructions, func(t *store.Tx, stop *store.TrackedStop) error {
		if keepCode {
			asked.DoorCode = stop.Instructions.DoorCode
		}
		return changes(asked, stop.Instructions, stop.Instructed, func() error {
			return t.SaveRecipientInstructions(ctx, stop.OrderID, asked)
		})
	})
}

// Rate keeps what a recipient thinks of a delivery, and returns their stop as it is then. The same again changes
// nothing.
func (o *Operations) Rate(ctx context.Context, c caller.Caller, code string, rating recipient.Rating) (store.TrackedStop, error) {
	rating, err := rating.Tidy()
	if err != nil {
		return store.TrackedStop{}, err
	}
	return o.act(ctx, c, code, recipient.RateDelivery, func(t *store.Tx, stop *store.TrackedStop) error {
		return changes(rating, stop.Rating, stop.Rated, func() error {
			return t.SaveRecipientRating(ctx, stop.OrderID, rating)
		})
	})
}

// Prefer keeps how a recipient wants to hear of a delivery, and returns their stop as it is then. The same again
// changes nothing.
func (o *Operations) Prefer(
	ctx context.Context, c caller.Caller, code string, preferences recipient.Preferences,
) (store.TrackedStop, error) {
	preferences, err := preferences.Checked()
	if err != nil {
		return store.TrackedStop{}, err
	}
	return o.act(ctx, c, code, recipient.ChooseMessages, func(t *store.Tx, stop *store.TrackedStop) error {
		return changes(preferences, stop.Preferences, stop.Preferred, func() error {
			return t.SaveRecipientPreferences(ctx, stop.OrderID, preferences)
		})
	})
}

// changes saves what a recipient says now in place of what they said before, so many times. The same again is not
// saved, and what was changed too often is refused.
func changes[T comparable](now, before T, times int, save func() error) error {
	if now == before {
		return nil
	}
	if err := recipient.Changed(times); err != nil {
		return err
	}
	return save()
}

// act carries out an action of a recipient if it is allowed now, and returns their stop as it is then. Whatever else
// changes the order waits, so that nothing counts that came too late.
func (o *Operations) act(
	ctx context.Context, c caller.Caller, code string, action recipient.Action,
	do func(*store.Tx, *store.TrackedStop) error,
) (stop store.TrackedStop, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if stop, err = t.LockTrackedStop(ctx, code); err != nil {
			return err
		}
		if err := stop.Page.Actions.Allow(action, stop.Moment(o.now())); err != nil {
			return err
		}
		if err := do(t, &stop); err != nil {
			return err
		}
		stop, err = t.TrackedStop(ctx, code)
		return err
	})
	if err != nil {
		return store.TrackedStop{}, fmt.Errorf("%s of a recipient: %w", action, err)
	}
	return stop, nil
}
