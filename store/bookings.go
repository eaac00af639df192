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

// Booked is what an order or a draft may be called by: one of them is set.
type Booked struct {
	OrderID int64
	DraftID int64
}

// resource is what messages call it.
func (b Booked) resource() (name string, id int64) {
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

// Book takes a seat of an interval for an order or draft, in one transaction
// with its stops' windows and its event. The slot is as it is then.
func (s *Store) Book(ctx context.Context, by caller.Caller, who Booked, id booking.IntervalID, now time.Time) (booking.Slot, error) {
	for {
		slot, err := s.bookOnce(ctx, by, who, id, now)
		switch {
		case errors.Is(err, errChanged): // it is to be judged anew
		case errors.Is(err, errFull):
			return booking.Slot{}, illegalState("booking.full", "interval", fmt.Sprint(id))
		case err != nil:
			return booking.Slot{}, fmt.Errorf("book: %w", err)
		default:
			return slot, nil
		}
	}
}

func (s *Store) bookOnce(ctx context.Context, by caller.Caller, who Booked, id booking.IntervalID, now time.Time) (booking.Slot, error) {
	interval, day, ok := id.Split()
	if !ok {
		return booking.Slot{}, noInterval(id)
	}
	subject, offered, err := s.subject(ctx, by.OrgID, who, interval, day)
	if err != nil {
		return booking.Slot{}, err
	}
	if offered == nil || !offered.Offered(day) {
		return booking.Slot{}, noInterval(id)
	}
	slot := offered.On(day, subject.zone, offered.taken)
	if misfits := slot.Misfits(subject.Subject, now); len(misfits) > 0 {
		return booking.Slot{}, &fault.Error{
			Kind: fault.Unprocessable, Text: fault.Say("booking.unfit"), Violations: misfits,
			Resource: "interval", Name: fmt.Sprint(id),
		}
	}
	_, err = s.takeSeat(ctx, by, who, subject.version, &slot)
	return slot, err
}

func noInterval(id booking.IntervalID) error { return fault.Missing("interval", fmt.Sprint(id)) }

// Schedule takes a seat for an order in the first interval of a day that it
// fits; without a day, on the order's own.
func (s *Store) Schedule(ctx context.Context, by caller.Caller, orderID int64, day *time.Time, now time.Time) (Booking, error) {
	for {
		found, err := s.scheduleOnce(ctx, by, orderID, day, now)
		switch {
		case errors.Is(err, errFull), errors.Is(err, errChanged): // others were faster: look again
		case err != nil:
			return Booking{}, fmt.Errorf("schedule: %w", err)
		default:
			return found, nil
		}
	}
}

func (s *Store) scheduleOnce(ctx context.Context, by caller.Caller, orderID int64, day *time.Time, now time.Time) (Booking, error) {
	who := Booked{OrderID: orderID}
	subject, _, err := s.subject(ctx, by.OrgID, who, 0, time.Time{})
	if err != nil {
		return Booking{}, err
	}
	wanted := subject.day
	if day != nil {
		wanted = *day
	}
	slots, err := s.slots(ctx, by.OrgID, subject.zone, wanted, 0)
	if err != nil {
		return Booking{}, err
	}
	fitting := booking.Choose(slots, subject.Subject, now)
	if len(fitting) == 0 {
		return Booking{}, &fault.Error{
			Kind: fault.IllegalState, Text: fault.Say("booking.nothing_fits", "date", wanted.Format(time.DateOnly)),
			Resource: "order", Name: fmt.Sprint(orderID),
		}
	}
	return s.takeSeat(ctx, by, who, subject.version, &fitting[0])
}

// seat is what seekers want.
type seat struct {
	org      int64
	interval booking.IntervalID
}

// seatsAtOnce is how many take a seat of one interval at the same time. The
// database lets one after the other count it; the others prepare meanwhile.
const seatsAtOnce = 4

// Why a seat is not taken; nothing is written then.
var (
	errFull    = errors.New("no seat is left")
	errChanged = errors.New("what was judged has changed")
)

// The codes of the function take_seat.
const (
	codeChanged = "WB001"
	codeFull    = "WB002"
)

// draftBookedOnce is the constraint that sees another booking of a draft: it
// does not write the draft anew.
const draftBookedOnce = "bookings_draft_key"

// takeSeat keeps the booking of an order or draft that was judged in this
// version, and counts a seat as taken, or gives errFull or errChanged. The slot
// then knows how many are taken.
func (s *Store) takeSeat(ctx context.Context, by caller.Caller, who Booked, version string, slot *booking.Slot) (Booking, error) {
	if slot.Full() {
		return Booking{}, errFull
	}
	leave, err := s.seekers.enter(ctx, seat{by.OrgID, slot.ID})
	if err != nil {
		return Booking{}, fmt.Errorf("wait for a seat: %w", err)
	}
	defer leave()
	row, err := s.lookupsAs(by).TakeSeat(ctx, queries.TakeSeatParams{
		OrderID: who.OrderID, DraftID: who.DraftID, Version: version, IntervalID: slot.Interval.ID, Day: slot.Day,
		PickupEarliest: slot.Pickup.Earliest, PickupLatest: slot.Pickup.Latest,
		DeliveryEarliest: slot.Delivery.Earliest, DeliveryLatest: slot.Delivery.Latest,
	})
	var refused *pgconn.PgError
	switch {
	case err == nil:
		slot.Booked = row.Taken
		return Booking{IntervalID: slot.ID, BookedAt: row.TakenAt, Pickup: slot.Pickup, Delivery: slot.Delivery}, nil
	case errors.As(err, &refused) && refused.Code == codeFull:
		return Booking{}, errFull
	case errors.As(err, &refused) && (refused.Code == codeChanged || refused.ConstraintName == draftBookedOnce), brokenOff(err):
		return Booking{}, errChanged
	}
	return Booking{}, fmt.Errorf("take seat: %w", translate(err))
}

// Intervals gives the slots that are offered on a day; for one order type, by
// id or name, when that is not empty.
func (s *Store) Intervals(ctx context.Context, org int64, day time.Time, orderType string) ([]booking.Slot, error) {
	wanted, err := s.bookableOrderType(ctx, org, orderType)
	if err != nil {
		return nil, err
	}
	zone, err := organizationZone(ctx, s.of(org), org)
	if err != nil {
		return nil, err
	}
	return s.slots(ctx, org, zone, day, wanted)
}

// Booking reads the seat of an order or draft.
func (s *Store) Booking(ctx context.Context, org int64, who Booked) (Booking, error) {
	var found Booking
	err := s.InReadOnlyTx(ctx, org, func(t *Tx) (err error) {
		found, err = t.booking(ctx, who)
		if !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		name, id := who.resource()
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

func (t *Tx) booking(ctx context.Context, who Booked) (Booking, error) {
	row, err := t.q.FindBooking(ctx, queries.FindBookingParams{OrgID: t.org, OrderID: &who.OrderID, DraftID: &who.DraftID})
	if err != nil {
		return Booking{}, err
	}
	return Booking{
		IntervalID: booking.NewIntervalID(row.IntervalID, row.Day), BookedAt: row.BookedAt,
		Pickup:   order.Window{Earliest: row.PickupEarliest, Latest: row.PickupLatest, Source: order.FromBooking},
		Delivery: order.Window{Earliest: row.DeliveryEarliest, Latest: row.DeliveryLatest, Source: order.FromBooking},
	}, nil
}

// CancelBooking ends the booking of an order or draft, and gives the interval
// whose seat is free again. Its stops have their own windows back.
func (s *Store) CancelBooking(ctx context.Context, by caller.Caller, who Booked) (booking.IntervalID, error) {
	var ended Booking
	err := s.InTx(ctx, by, func(t *Tx) error {
		name, id := who.resource()
		if err := t.lockBooked(ctx, who); err != nil {
			return err
		}
		exists, err := t.exists(ctx, who)
		if err != nil {
			return err
		}
		if !exists {
			return fault.Missing(name, fmt.Sprint(id))
		}
		ended, err = t.booking(ctx, who)
		if errors.Is(err, pgx.ErrNoRows) {
			return &fault.Error{
				Kind: fault.IllegalState, Text: fault.Say("booking.none."+name, "name", fmt.Sprint(id)),
				Resource: name, Name: fmt.Sprint(id),
			}
		}
		if err != nil {
			return err
		}
		release := queries.ReleaseSeatsParams{OrgID: by.OrgID, OrderIds: []int64{who.OrderID}, DraftIds: []int64{who.DraftID}}
		return t.q.ReleaseSeats(ctx, release)
	})
	if err != nil {
		return 0, fmt.Errorf("cancel booking: %w", err)
	}
	return ended.IntervalID, nil
}

// lockBooked keeps an order or draft for this transaction, when it is there.
func (t *Tx) lockBooked(ctx context.Context, who Booked) error {
	if who.DraftID == 0 {
		return t.q.LockOrders(ctx, queries.LockOrdersParams{OrgID: t.org, Ids: []int64{who.OrderID}})
	}
	_, err := t.q.LockDraft(ctx, queries.LockDraftParams{OrgID: t.org, DraftID: who.DraftID})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	return err
}

// slots loads the intervals that are offered on a day, for an order type or,
// with 0, for all.
func (s *Store) slots(ctx context.Context, org int64, zone *time.Location, day time.Time, orderType int64) ([]booking.Slot, error) {
	rows, err := s.of(org).FindIntervals(ctx, queries.FindIntervalsParams{OrgID: org, Day: day})
	if err != nil {
		return nil, fmt.Errorf("intervals: %w", translate(err))
	}
	var slots []booking.Slot
	for i := range rows {
		offered, err := newOffer(&rows[i])
		if err != nil {
			return nil, err
		}
		if offered.Offered(day) && (orderType == 0 || offered.For(orderType)) {
			slots = append(slots, offered.On(day, zone, offered.taken))
		}
	}
	return slots, nil
}
