// Package bookings takes seats of intervals for orders and drafts, and holds them for baskets.
package bookings

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"waybill/domain/booking"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/internal/limit"
	"waybill/internal/wait"
	"waybill/operations/core"
	"waybill/store"
)

// Operations carries out what callers ask for.
type Operations struct {
	store *store.Store
	now   func() time.Time
	// bookings bounds how many bookings of one interval run at once.
	bookings *limit.PerKey[seat]
}

// New makes the operations over a store; now is the clock.
func New(s *store.Store, now func() time.Time) *Operations {
	return &Operations{store: s, now: now, bookings: limit.New[seat](seatsAtOnce)}
}

// taken is a seat that was taken, and by which booking.
type taken struct {
	Slot    booking.Slot
	Booking store.Booking
}

// Book takes a seat of an interval for an order or draft, with its stops'
// windows and its event; by a hold, when that is not 0. The slot is as it is then.
func (o *Operations) Book(
	ctx context.Context, c caller.Caller, who store.Booked, id booking.IntervalID, hold int64,
) (booking.Slot, error) {
	before, done, err := core.Earlier[taken](c)
	if done || err != nil {
		return before.Slot, err
	}
	for try := 1; ; try++ {
		slot, err := o.bookOnce(ctx, c, who, id, hold)
		switch {
		case errors.Is(err, store.ErrSubjectChanged): // judge it again
			if !lookAgain(ctx, try) {
				return booking.Slot{}, bookingBusy(who)
			}
		case errors.Is(err, store.ErrNoSeat):
			return booking.Slot{}, fault.Illegal("booking.full", "interval", fmt.Sprint(id))
		case errors.Is(err, store.ErrHoldEnded):
			return booking.Slot{}, fault.Illegal("booking.hold_ended", "hold", fmt.Sprint(hold))
		case err != nil:
			return booking.Slot{}, fmt.Errorf("book: %w", err)
		default:
			return slot, nil
		}
	}
}

func (o *Operations) bookOnce(
	ctx context.Context, c caller.Caller, who store.Booked, id booking.IntervalID, hold int64,
) (booking.Slot, error) {
	interval, day, ok := id.Split()
	if !ok {
		return booking.Slot{}, noInterval(id)
	}
	subject, offered, err := o.bookingSubject(ctx, c.OrgID, who, interval, day)
	if err != nil {
		return booking.Slot{}, err
	}
	if offered == nil || !offered.Offered(day) {
		return booking.Slot{}, noInterval(id)
	}
	slot := offered.Slot(day, subject.zone)
	if misfits := slot.Misfits(subject.Subject, o.now()); len(misfits) > 0 {
		return booking.Slot{}, &fault.Error{
			Kind: fault.Unprocessable, Text: fault.Say("booking.unfit"), Violations: misfits,
			Resource: "interval", Name: fmt.Sprint(id),
		}
	}
	seat, err := o.takeSeat(ctx, c, who, subject.version, slot, hold)
	return seat.Slot, err
}

// mostLooks is how often a booking that others overtake is tried, and longestLook the
// longest pause between two tries.
const (
	mostLooks   = 20
	longestLook = 100 * time.Millisecond
)

// lookAgain pauses before the next try, and reports whether there is one.
func lookAgain(ctx context.Context, try int) bool {
	return try < mostLooks && wait.For(ctx, rand.N(longestLook)) //nolint:gosec // it keeps no secret
}

// bookingBusy says that others overtook every try. The caller may try again.
func bookingBusy(who store.Booked) error {
	resource, id := who.Resource()
	return &fault.Error{
		Kind: fault.Conflict, Text: fault.Say("booking.busy", "name", fmt.Sprint(id)), Resource: resource, Name: fmt.Sprint(id),
	}
}

func noInterval(id booking.IntervalID) error { return fault.Missing("interval", fmt.Sprint(id)) }

// ScheduleOrder takes a seat for an order in the first interval of a day that
// it fits; without a day, on the order's own.
func (o *Operations) ScheduleOrder(
	ctx context.Context, c caller.Caller, orderID int64, day *time.Time,
) (store.Booking, error) {
	before, done, err := core.Earlier[taken](c)
	if done || err != nil {
		return before.Booking, err
	}
	for try := 1; ; try++ {
		found, err := o.scheduleOnce(ctx, c, orderID, day)
		switch {
		case errors.Is(err, store.ErrNoSeat), errors.Is(err, store.ErrSubjectChanged): // others were faster
			if !lookAgain(ctx, try) {
				return store.Booking{}, bookingBusy(store.Booked{OrderID: orderID})
			}
		case err != nil:
			return store.Booking{}, fmt.Errorf("schedule: %w", err)
		default:
			return found, nil
		}
	}
}

func (o *Operations) scheduleOnce(
	ctx context.Context, c caller.Caller, orderID int64, day *time.Time,
) (store.Booking, error) {
	who := store.Booked{OrderID: orderID}
	subject, _, err := o.bookingSubject(ctx, c.OrgID, who, 0, time.Time{})
	if err != nil {
		return store.Booking{}, err
	}
	wanted := subject.day
	if day != nil {
		wanted = *day
	}
	slots, err := o.slots(ctx, c.OrgID, subject.zone, []time.Time{wanted}, 0)
	if err != nil {
		return store.Booking{}, err
	}
	fitting := booking.Choose(slots, subject.Subject, o.now())
	if len(fitting) == 0 {
		return store.Booking{}, &fault.Error{
			Kind: fault.IllegalState, Text: fault.Say("booking.nothing_fits", "date", wanted.Format(time.DateOnly)),
			Resource: "order", Name: fmt.Sprint(orderID),
		}
	}
	seat, err := o.takeSeat(ctx, c, who, subject.version, fitting[0], 0)
	return seat.Booking, err
}

// seat is an interval of an organization.
type seat struct {
	org      int64
	interval booking.IntervalID
}

// seatsAtOnce is how many take a seat of one interval at the same time. The
// database lets one after the other count it; the others prepare meanwhile.
const seatsAtOnce = 4

// takeSeat keeps the booking of an order or draft that was judged in this
// version, and counts a seat as taken. The slot then knows how many are taken.
func (o *Operations) takeSeat(
	ctx context.Context, c caller.Caller, who store.Booked, version string, slot booking.Slot, hold int64,
) (taken, error) {
	if slot.Full() && hold == 0 {
		return taken{}, store.ErrNoSeat
	}
	leave, err := o.bookings.Acquire(ctx, seat{c.OrgID, slot.ID})
	if err != nil {
		return taken{}, fmt.Errorf("wait for a seat: %w", err)
	}
	defer leave()
	if c.Repeat == nil { // one round trip will do
		booked, err := o.store.SaveBooking(ctx, c, who, version, &slot, hold)
		return taken{slot, booked}, err
	}
	// Nobody asks a slot that was taken for its rule, which cannot be kept.
	offered := *slot.Interval
	offered.Rule = nil
	slot.Interval = &offered
	return core.Once(ctx, o.store, c, func(t *store.Tx) (taken, error) {
		booked, err := t.SaveBooking(ctx, who, version, &slot, hold)
		return taken{slot, booked}, err
	})
}

// CancelBooking ends the booking of an order or draft, and returns the interval
// whose seat is free again. Its stops have their own windows back.
func (o *Operations) CancelBooking(ctx context.Context, c caller.Caller, who store.Booked) (booking.IntervalID, error) {
	var ended store.Booking
	err := o.store.InTx(ctx, c, func(t *store.Tx) (err error) {
		if err := t.LockBooked(ctx, who); err != nil {
			return err
		}
		ended, err = t.LoadBooking(ctx, who)
		if errors.Is(err, store.ErrNotFound) {
			resource, id := who.Resource()
			return fault.Illegal("booking.none."+resource, resource, fmt.Sprint(id))
		}
		if err != nil {
			return err
		}
		return t.SaveBookingEnded(ctx, who)
	})
	if err != nil {
		return 0, fmt.Errorf("cancel booking: %w", err)
	}
	return ended.IntervalID, nil
}
