package bookings

import (
	"context"
	"errors"
	"slices"
	"time"

	"waybill/domain/booking"
	"waybill/domain/fault"
	"waybill/store"
)

// SlotsOfOrder returns the slots on the day of an order that it may have: those that it fits and of which a seat is
// free, and the one in which it has a seat, whose id is has; 0 without one. An order that may not be booked any more
// has none.
func (o *Operations) SlotsOfOrder(
	ctx context.Context, org, orderID int64,
) (slots []booking.Slot, has booking.IntervalID, err error) {
	found, _, err := o.store.OrderToBook(ctx, org, orderID, 0, o.now())
	if err != nil || !booking.Bookable(found.Status) {
		return nil, 0, err
	}
	if found.Booked {
		booked, err := o.store.Booking(ctx, org, store.Booked{OrderID: orderID})
		if err != nil && fault.KindOf(err) != fault.NotFound { // the office may just have cancelled it
			return nil, 0, err
		}
		has = booked.IntervalID
	}
	slots, err = o.slots(ctx, org, found.Zone, []time.Time{found.Day}, 0)
	if err != nil {
		return nil, 0, err
	}
	subject, now := subjectOf(&found), o.now()
	return slices.DeleteFunc(slots, func(s booking.Slot) bool {
		return s.ID != has && !s.Takes(subject, now)
	}), has, nil
}

// Queue waits until few others take a seat of a slot. The caller must call leave.
func (o *Operations) Queue(ctx context.Context, org int64, id booking.IntervalID) (leave func(), err error) {
	return o.bookings.Acquire(ctx, seat{org, id})
}

// Rebook moves an order, which is locked, to another slot of its day, within a transaction: the seat that it had is
// free then. It returns the slot, or nil if the order is in it already. A slot that the order may not have is a fault
// of the field slot; store.ErrSubjectChanged says that others want the same seats, and that the transaction is over.
func (o *Operations) Rebook(
	ctx context.Context, t *store.Tx, orderID int64, id booking.IntervalID,
) (*booking.Slot, error) {
	who := store.Booked{OrderID: orderID}
	had, err := t.LoadBooking(ctx, who)
	switch {
	case errors.Is(err, store.ErrNotFound):
	case err != nil:
		return nil, err
	case had.IntervalID == id:
		return nil, nil
	default:
		if err := t.SaveBookingEnded(ctx, who); err != nil {
			return nil, err
		}
	}
	interval, day, ok := id.Split()
	if !ok {
		return nil, slotGone()
	}
	found, offered, err := t.OrderToBook(ctx, orderID, interval, day)
	switch {
	case err != nil:
		return nil, err
	case offered == nil || !offered.Offered(day) || !day.Equal(found.Day) || !booking.Bookable(found.Status):
		return nil, slotGone()
	}
	slot := offered.Slot(day, found.Zone)
	if !slot.Takes(subjectOf(&found), o.now()) {
		return nil, slotGone()
	}
	if _, err = t.SaveBooking(ctx, who, found.Version, &slot, 0); errors.Is(err, store.ErrNoSeat) {
		return nil, slotGone()
	}
	return &slot, err
}

func slotGone() error { return fault.Field("slot", fault.Say("recipient.slot_gone")) }
