package tracking

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"waybill/domain/booking"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/recipient"
	"waybill/internal/wait"
	"waybill/store"
)

// Seats moves orders to other slots of their day.
type Seats interface {
	// SlotsOfOrder returns the slots that an order may have, and the one that it has.
	SlotsOfOrder(ctx context.Context, org, orderID int64) ([]booking.Slot, booking.IntervalID, error)
	// Queue waits until few others take a seat of a slot.
	Queue(ctx context.Context, org int64, id booking.IntervalID) (leave func(), err error)
	// Rebook moves an order, and returns nil if it is in the slot already.
	Rebook(ctx context.Context, t *store.Tx, orderID int64, id booking.IntervalID) (*booking.Slot, error)
}

// Slots returns the slots from which the recipient of a stop may choose, and the one that they have.
func (o *Operations) Slots(ctx context.Context, stop *store.TrackedStop) ([]booking.Slot, booking.IntervalID, error) {
	return o.seats.SlotsOfOrder(ctx, stop.OrgID, stop.OrderID)
}

// Those who give up a seat for the other's wait for each other, and one of them is broken off.
const (
	mostTries    = 5
	longestPause = 100 * time.Millisecond
)

// ChooseSlot moves the order of a recipient to another slot of its day, whose window is their promise from then on. It
// returns their stop as it is then. The same again changes nothing.
func (o *Operations) ChooseSlot(
	ctx context.Context, c caller.Caller, code string, id booking.IntervalID,
) (store.TrackedStop, error) {
	for try := 1; ; try++ {
		stop, err := o.chooseOnce(ctx, c, code, id)
		switch {
		case !errors.Is(err, store.ErrSubjectChanged):
			return stop, err
		case try == mostTries || !wait.For(ctx, rand.N(longestPause)): //nolint:gosec // it keeps no secret
			return stop, &fault.Error{
				Kind: fault.Conflict, Text: fault.Say("recipient.busy"), Resource: "tracking_link",
			}
		}
	}
}

func (o *Operations) chooseOnce(
	ctx context.Context, c caller.Caller, code string, id booking.IntervalID,
) (store.TrackedStop, error) {
	leave, err := o.seats.Queue(ctx, c.OrgID, id)
	if err != nil {
		return store.TrackedStop{}, err
	}
	defer leave()
	return o.act(ctx, c, code, recipient.ChooseSlot, func(t *store.Tx, stop *store.TrackedStop) error {
		slot, err := o.seats.Rebook(ctx, t, stop.OrderID, id)
		if err != nil || slot == nil {
			return err
		}
		kept, err := t.PromiseChosen(ctx, stop.OrderID, slot.Delivery, recipient.MostChanges)
		if err == nil && !kept {
			err = recipient.Changed(recipient.MostChanges)
		}
		return err
	})
}
