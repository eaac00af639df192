package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"waybill/domain/booking"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store/queries"
)

// Booked identifies an order or a draft: one field is set.
type Booked struct {
	OrderID int64
	DraftID int64
}

// Resource is its name in messages.
func (b Booked) Resource() (name string, id int64) {
	if b.DraftID != 0 {
		return "draft", b.DraftID
	}
	return "order", b.OrderID
}

// Booking is a seat that an order or draft has.
type Booking struct {
	IntervalID booking.IntervalID
	BookedAt   time.Time
	Pickup     order.Window
	Delivery   order.Window
}

// Reasons why no seat is taken; nothing is written then.
var (
	// ErrNoSeat is returned if an interval has no free seat.
	ErrNoSeat = errors.New("no seats left")
	// ErrHoldEnded is returned if a hold has ended, or is not of the interval.
	ErrHoldEnded = errors.New("the hold has ended")
	// ErrSubjectChanged reports that the order or draft has changed since it was
	// judged.
	ErrSubjectChanged = errors.New("the order or draft has changed")
)

// The codes of the function take_seat.
const (
	codeChanged = "WB001"
	codeFull    = "WB002"
	codeEnded   = "WB003"
)

// draftBookedOnce is the constraint violated by another booking of a draft,
// which does not change the draft's row.
const draftBookedOnce = "bookings_draft_key"

// SaveBooking saves the booking of an order or draft in the version that was
// checked, and takes a seat, with the stops' windows and the event. Otherwise
// it returns ErrNoSeat or ErrSubjectChanged. A hold other than 0 is converted
// to the booking, or the error is ErrHoldEnded. It updates the slot's number of
// bookings. It runs in its own transaction, in one round trip.
func (s *Store) SaveBooking(
	ctx context.Context, by caller.Caller, who Booked, version string, slot *booking.Slot, hold int64,
) (Booking, error) {
	return takeSeat(ctx, s.lookupsAs(by), who, version, slot, hold)
}

// SaveBooking is like that of Store, within a transaction.
func (t *Tx) SaveBooking(
	ctx context.Context, who Booked, version string, slot *booking.Slot, hold int64,
) (Booking, error) {
	return takeSeat(ctx, t.q, who, version, slot, hold)
}

func takeSeat(
	ctx context.Context, q *queries.Queries, who Booked, version string, slot *booking.Slot, hold int64,
) (Booking, error) {
	row, err := q.TakeSeat(ctx, queries.TakeSeatParams{
		OrderID: who.OrderID, DraftID: who.DraftID, Version: version, IntervalID: slot.Interval.ID, Day: slot.Day,
		PickupEarliest: slot.Pickup.Earliest, PickupLatest: slot.Pickup.Latest,
		DeliveryEarliest: slot.Delivery.Earliest, DeliveryLatest: slot.Delivery.Latest, Hold: hold,
	})
	var refused *pgconn.PgError
	switch {
	case err == nil:
		slot.Booked = row.Taken
		if hold != 0 {
			slot.Held = max(slot.Held-1, 0)
		}
		return Booking{IntervalID: slot.ID, BookedAt: row.TakenAt, Pickup: slot.Pickup, Delivery: slot.Delivery}, nil
	case errors.As(err, &refused) && refused.Code == codeFull:
		return Booking{}, ErrNoSeat
	case errors.As(err, &refused) && refused.Code == codeEnded:
		return Booking{}, ErrHoldEnded
	case errors.As(err, &refused) && (refused.Code == codeChanged || refused.ConstraintName == draftBookedOnce),
		brokenOff(err):
		return Booking{}, ErrSubjectChanged
	}
	return Booking{}, fmt.Errorf("take seat: %w", translate(err))
}

// Booking reads the seat of an order or draft.
func (s *Store) Booking(ctx context.Context, org int64, who Booked) (Booking, error) {
	var found Booking
	err := s.InReadOnlyTx(ctx, org, func(t *Tx) (err error) {
		found, err = t.LoadBooking(ctx, who)
		if !errors.Is(err, ErrNotFound) {
			return err
		}
		name, id := who.Resource()
		exists, err := t.exists(ctx, who)
		if err != nil {
			return err
		}
		if !exists {
			return fault.Missing(name, fmt.Sprint(id))
		}
		return &fault.Error{
			Kind: fault.NotFound, Text: fault.Say("booking.none."+name, "name", fmt.Sprint(id)),
			Resource: "booking", Name: fmt.Sprint(id),
		}
	})
	return found, err
}

func (t *Tx) exists(ctx context.Context, who Booked) (bool, error) {
	if who.DraftID != 0 {
		return t.q.DraftExists(ctx, queries.DraftExistsParams{OrgID: t.org, DraftID: who.DraftID})
	}
	return t.q.OrderExists(ctx, queries.OrderExistsParams{OrgID: t.org, ID: who.OrderID})
}

// LoadBooking returns the booking of an order or draft, or ErrNotFound.
func (t *Tx) LoadBooking(ctx context.Context, who Booked) (Booking, error) {
	row, err := t.q.FindBooking(ctx, queries.FindBookingParams{OrgID: t.org, OrderID: &who.OrderID, DraftID: &who.DraftID})
	if err != nil {
		return Booking{}, translate(err)
	}
	return Booking{
		IntervalID: booking.NewIntervalID(row.IntervalID, row.Day), BookedAt: row.BookedAt,
		Pickup:   order.Window{Earliest: row.PickupEarliest, Latest: row.PickupLatest, Source: order.FromBooking},
		Delivery: order.Window{Earliest: row.DeliveryEarliest, Latest: row.DeliveryLatest, Source: order.FromBooking},
	}, nil
}

// LockBooked locks an order or draft for this transaction, or returns a
// NotFound fault.
func (t *Tx) LockBooked(ctx context.Context, who Booked) error {
	var err error
	if who.DraftID == 0 {
		err = t.q.LockOrders(ctx, queries.LockOrdersParams{OrgID: t.org, Ids: []int64{who.OrderID}})
	} else {
		_, err = t.q.LockDraft(ctx, queries.LockDraftParams{OrgID: t.org, DraftID: who.DraftID})
	}
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	exists, err := t.exists(ctx, who)
	if err == nil && !exists {
		name, id := who.Resource()
		err = fault.Missing(name, fmt.Sprint(id))
	}
	return err
}

// SaveBookingEnded frees the seat of an order or draft, with its event; its
// stops have their own windows back.
func (t *Tx) SaveBookingEnded(ctx context.Context, who Booked) error {
	return t.q.ReleaseSeats(ctx, queries.ReleaseSeatsParams{
		OrgID: t.org, OrderIds: []int64{who.OrderID}, DraftIds: []int64{who.DraftID},
	})
}

// SeatWasFreed reports whether a cancelled order lost its seat by being
// cancelled.
func (t *Tx) SeatWasFreed(ctx context.Context, orderID int64) (bool, error) {
	return t.q.SeatWasFreed(ctx, queries.SeatWasFreedParams{OrgID: t.org, OrderID: orderID})
}
