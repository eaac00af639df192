package bookings

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"waybill/domain/booking"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/freight"
	"waybill/operations/core"
	"waybill/store"
)

// MaxSlotDays is of how many days slots are listed at once.
const MaxSlotDays = 31

// SlotQuery asks for the slots of some days.
type SlotQuery struct {
	// Days are days in a row, at least one.
	Days []time.Time
	// OrderType is that of which intervals are wanted, by id or name; empty is any.
	OrderType string
	// Who, or else Basket, is judged, when there is one.
	Who    store.Booked
	Basket *Basket
	// OnlyFree leaves out slots of which no seat is left.
	OnlyFree bool
}

// Basket is what may become an order.
type Basket struct {
	OrderType        int64
	Pickup, Delivery freight.Place
	Items            []freight.Item
}

// JudgedSlot is a slot, and why what was asked about does not fit it.
type JudgedSlot struct {
	booking.Slot

	Misfits []fault.Violation
}

// Slots returns the slots that are offered on some days, in the order of the days.
// Where the query names what is to be booked, each says whether that fits; whether a
// seat is left is another question. An order or draft that may not be booked at all
// is refused.
func (o *Operations) Slots(ctx context.Context, c caller.Caller, q SlotQuery) ([]JudgedSlot, error) {
	wanted, err := o.wantedOrderType(ctx, c, q.OrderType)
	if err != nil {
		return nil, err
	}
	judge, zone, err := o.judge(ctx, c.OrgID, q)
	if err != nil {
		return nil, err
	}
	slots, err := o.slots(ctx, c.OrgID, zone, q.Days, wanted)
	if err != nil {
		return nil, err
	}
	var judged []JudgedSlot
	for i := range slots {
		if !q.OnlyFree || !slots[i].Full() {
			judged = append(judged, JudgedSlot{slots[i], judge(&slots[i])})
		}
	}
	return judged, nil
}

// wantedOrderType finds an order type by id or name; 0 is any.
func (o *Operations) wantedOrderType(ctx context.Context, c caller.Caller, called string) (int64, error) {
	if called == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(called, 10, 64)
	if err != nil {
		id = 0 // it is a name
	}
	return o.store.BookableOrderType(ctx, c.OrgID, id, called)
}

// judge returns what says why a slot does not fit, and the organization's time zone.
func (o *Operations) judge(
	ctx context.Context, org int64, q SlotQuery,
) (judge func(*booking.Slot) []fault.Violation, zone *time.Location, err error) {
	var subject booking.Subject
	switch {
	case q.Basket != nil:
		subject, zone, err = o.basketSubject(ctx, org, q.Basket)
	case q.Who != store.Booked{}:
		var found bookingSubject
		found, _, err = o.bookingSubject(ctx, org, q.Who, 0, time.Time{})
		subject, zone = found.Subject, found.zone
	default:
		zone, err = o.store.OrganizationZone(ctx, org)
		return func(*booking.Slot) []fault.Violation { return nil }, zone, err
	}
	now := o.now()
	return func(s *booking.Slot) []fault.Violation { return s.Misfits(subject, now) }, zone, err
}

func (o *Operations) basketSubject(
	ctx context.Context, org int64, b *Basket,
) (subject booking.Subject, zone *time.Location, err error) {
	err = o.store.InReadOnlyTx(ctx, org, func(t *store.Tx) error {
		classes, organizations, err := t.LoadFreightClasses(ctx)
		if err != nil {
			return err
		}
		zone, subject.Class = organizations, classes.Of(b.Pickup, b.Delivery, b.Items)
		subject.OrderType, err = t.LoadOrderTypeToBook(ctx, b.OrderType)
		return err
	})
	return subject, zone, err
}

// slots are the intervals that are offered on some days, for an order type or, with
// 0, for all.
func (o *Operations) slots(
	ctx context.Context, org int64, zone *time.Location, days []time.Time, orderType int64,
) ([]booking.Slot, error) {
	offers, err := o.store.OffersOfDays(ctx, org, days)
	if err != nil {
		return nil, err
	}
	var slots []booking.Slot
	for _, day := range days {
		for _, offered := range offers[day] {
			if offered.Offered(day) && (orderType == 0 || offered.For(orderType)) {
				slots = append(slots, offered.Slot(day, zone))
			}
		}
	}
	return slots, nil
}

// Hold keeps a seat of an interval for a basket, until the hold ends by itself, is
// released, or becomes a booking. An interval that has begun is refused.
func (o *Operations) Hold(
	ctx context.Context, c caller.Caller, id booking.IntervalID, lasts time.Duration,
) (store.Hold, error) {
	held, err := core.Once(ctx, o.store, c, func(t *store.Tx) (store.Hold, error) {
		interval, day, ok := id.Split()
		if !ok {
			return store.Hold{}, noInterval(id)
		}
		offered, err := t.LoadOffer(ctx, interval, day)
		if err != nil {
			return store.Hold{}, err
		}
		if offered == nil || !offered.Offered(day) {
			return store.Hold{}, noInterval(id)
		}
		zone, err := t.OrganizationZone(ctx)
		if err != nil {
			return store.Hold{}, err
		}
		slot := offered.Slot(day, zone)
		if slot.Pickup.Earliest.Before(o.now()) {
			return store.Hold{}, &fault.Error{
				Kind: fault.Unprocessable, Text: fault.Say("booking.begun"), Resource: "interval", Name: fmt.Sprint(id),
			}
		}
		return t.SaveHold(ctx, &slot, lasts)
	})
	if errors.Is(err, store.ErrNoSeat) {
		return store.Hold{}, fault.Illegal("booking.full", "interval", fmt.Sprint(id))
	}
	if err != nil {
		return store.Hold{}, fmt.Errorf("hold: %w", err)
	}
	return held, nil
}

// ReleaseHold ends a hold before its time.
func (o *Operations) ReleaseHold(ctx context.Context, c caller.Caller, id int64) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error { return t.SaveHoldReleased(ctx, id) })
	if err != nil {
		return fmt.Errorf("release hold: %w", err)
	}
	return nil
}
