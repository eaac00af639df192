package bookings

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/booking"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store"
)

// bookingSubject is an order or draft that is judged for a seat. It is not
// locked meanwhile: version names the row that was judged.
type bookingSubject struct {
	booking.Subject

	version string
	day     time.Time // of an order
	zone    *time.Location
}

// bookingSubject loads what decides whether an order or draft fits an interval
// on a day, and that interval, which is nil when there is none. It is a fault
// when the order or draft may not be booked at all.
func (o *Operations) bookingSubject(
	ctx context.Context, org int64, who store.Booked, interval int64, day time.Time,
) (subject bookingSubject, offered *store.Offer, err error) {
	if who.DraftID == 0 {
		return o.orderSubject(ctx, org, who.OrderID, interval, day)
	}
	err = o.store.InReadOnlyTx(ctx, org, func(t *store.Tx) (err error) {
		if subject, err = draftSubject(ctx, t, who.DraftID); err != nil {
			return err
		}
		offered, err = t.LoadOffer(ctx, interval, day)
		return err
	})
	return subject, offered, err
}

func (o *Operations) orderSubject(
	ctx context.Context, org, id, interval int64, day time.Time,
) (bookingSubject, *store.Offer, error) {
	found, offered, err := o.store.OrderToBook(ctx, org, id, interval, day)
	switch {
	case err != nil:
		return bookingSubject{}, nil, err
	case found.Booked:
		return bookingSubject{}, nil, fault.Illegal("booking.order_booked", "order", fmt.Sprint(id))
	case !booking.Bookable(found.Status):
		return bookingSubject{}, nil, fault.Illegal("booking.order_not_bookable", "order", fmt.Sprint(id))
	}
	return bookingSubject{
		version: found.Version, day: found.Day, zone: found.Zone, Subject: subjectOf(&found),
	}, offered, nil
}

// subjectOf is an order as slots judge it.
func subjectOf(found *store.OrderToBook) booking.Subject {
	return booking.Subject{Class: found.Classes.Of(found.Pickup, found.Delivery, found.Items), OrderType: found.OrderType}
}

// draftSubject judges a draft by what its request says so far.
func draftSubject(ctx context.Context, t *store.Tx, id int64) (bookingSubject, error) {
	draft, err := t.LoadDraftToBook(ctx, id)
	switch {
	case err != nil:
		return bookingSubject{}, err
	case draft.State != order.DraftIncomplete:
		return bookingSubject{}, fault.Illegal("booking.draft_"+string(draft.State), "draft", fmt.Sprint(id))
	case draft.Booked:
		return bookingSubject{}, fault.Illegal("booking.draft_booked", "draft", fmt.Sprint(id))
	}
	classes, zone, err := t.LoadFreightClasses(ctx)
	if err != nil {
		return bookingSubject{}, err
	}
	snapshot, err := t.Snapshot(ctx, store.Scope{Entries: []order.Request{draft.Request}, Defaults: draft.Defaults})
	if err != nil {
		return bookingSubject{}, fmt.Errorf("draft %d: %w", id, err)
	}
	outline := order.OutlineOf(snapshot, draft.Defaults, &draft.Request)
	subject := bookingSubject{version: draft.Version, zone: zone, Subject: booking.Subject{
		Class: classes.Of(outline.Pickup, outline.Delivery, outline.Items),
	}}
	if outline.OrderTypeID != 0 {
		subject.OrderType, err = t.LoadOrderTypeToBook(ctx, outline.OrderTypeID)
	}
	return subject, err
}
