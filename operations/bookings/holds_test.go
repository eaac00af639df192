package bookings_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/booking"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/operations/operationstest"
	"waybill/store"
	"waybill/store/storetest"
)

// dock is an office with an interval of every day.
type dock struct {
	*operationstest.Office

	org, interval int64
	clerk         caller.Caller
}

func newDock(t *testing.T, seats int) dock {
	t.Helper()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	return dock{o, org, operationstest.One[int64](o, `
		insert into schedule_intervals (org_id, name, rrule, pickup_earliest, pickup_latest, delivery_earliest, delivery_latest, slots)
		values ($1, 'Day', 'FREQ=DAILY', 480, 600, 600, 960, $2) returning id`, org, seats), operationstest.Clerk(org)}
}

// on is the interval so many days ahead.
func (d dock) on(ahead int) booking.IntervalID {
	return booking.NewIntervalID(d.interval, time.Now().UTC().AddDate(0, 0, ahead).Truncate(24*time.Hour))
}

func (d dock) orders(prefix string, many int) []store.Booked {
	d.T.Helper()
	all := make([]store.Booked, many)
	for i := range all {
		all[i] = store.Booked{OrderID: d.Imported(d.org, operationstest.HeavyOrder(fmt.Sprint(prefix, "-", i))).Orders[0].ID}
	}
	return all
}

// TestAHoldCountsUntilItEnds follows the one seat of an interval.
func TestAHoldCountsUntilItEnds(t *testing.T) {
	t.Parallel()
	d := newDock(t, 1)
	slot, orders := d.on(3), d.orders("A", 2)
	ended := func(hold int64) {
		operationstest.One[int64](d.Office, "update schedule_holds set ends_at = clock_timestamp() where id = $1 returning id", hold)
	}

	hold, err := d.Bookings.Hold(t.Context(), d.clerk, slot, time.Hour)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(time.Hour), hold.EndsAt, time.Minute)
	_, err = d.Bookings.Hold(t.Context(), d.clerk, slot, time.Hour)
	require.ErrorContains(t, err, "booking.full")
	_, err = d.Bookings.Book(t.Context(), d.clerk, orders[0], slot, 0)
	require.ErrorContains(t, err, "booking.full", "a hold is as good as a booking")
	_, err = d.Bookings.Book(t.Context(), d.clerk, orders[0], d.on(4), hold.ID)
	require.ErrorContains(t, err, "booking.hold_ended", "it is of another day")

	booked, err := d.Bookings.Book(t.Context(), d.clerk, orders[0], slot, hold.ID)
	require.NoError(t, err)
	require.Equal(t, "1 0", fmt.Sprint(booked.Booked, " ", booked.Held))
	_, err = d.Bookings.Book(t.Context(), d.clerk, orders[1], slot, hold.ID)
	require.ErrorContains(t, err, "booking.hold_ended", "it is of use once")
	_, err = d.Bookings.CancelBooking(t.Context(), d.clerk, orders[0])
	require.NoError(t, err)

	hold, err = d.Bookings.Hold(t.Context(), d.clerk, slot, time.Hour)
	require.NoError(t, err, "the seat of the booking is free again")
	ended(hold.ID)
	_, err = d.Bookings.Book(t.Context(), d.clerk, orders[0], slot, hold.ID)
	require.ErrorContains(t, err, "booking.hold_ended")
	require.Equal(t, fault.NotFound, fault.KindOf(d.Bookings.ReleaseHold(t.Context(), d.clerk, hold.ID)))
	hold, err = d.Bookings.Hold(t.Context(), d.clerk, slot, time.Hour)
	require.NoError(t, err, "what has ended counts for nothing")

	other := operationstest.Clerk(storetest.Organization(t, d.Database, "other"))
	require.Equal(t, fault.NotFound, fault.KindOf(d.Bookings.ReleaseHold(t.Context(), other, hold.ID)))
	require.NoError(t, d.Bookings.ReleaseHold(t.Context(), d.clerk, hold.ID))
	_, err = d.Bookings.Book(t.Context(), d.clerk, orders[0], slot, 0)
	require.NoError(t, err)
}

// TestHoldsAndBookingsNeverOversell lets many hold, book, release and cancel at once,
// with holds that end meanwhile, and looks again and again whether there is one too many.
func TestHoldsAndBookingsNeverOversell(t *testing.T) {
	t.Parallel()
	const rounds, workers, steps = 4, 8, 12
	seats := 1 + rand.IntN(4)
	d := newDock(t, seats)
	for round := range rounds {
		slot, orders := d.on(3+round), d.orders(fmt.Sprint("R", round), workers)
		var wg sync.WaitGroup
		for _, who := range orders {
			wg.Go(func() { d.wander(who, slot, steps) })
		}
		done := make(chan struct{})
		go func() { wg.Wait(); close(done) }()
		for busy := true; busy; {
			select {
			case <-done:
				busy = false
			default:
			}
			require.LessOrEqual(t, operationstest.One[int](d.Office, `
				select coalesce(max(d.booked + seats_held(d.org_id, d.interval_id, d.day)), 0) from schedule_interval_days d
				where d.org_id = $1`, d.org), seats, "round %d", round)
		}
		_, day, _ := slot.Split()
		require.Equal(t, operationstest.One[int](d.Office, "select count(*) from bookings where org_id = $1 and day = $2", d.org, day),
			operationstest.One[int](d.Office, "select coalesce(sum(booked), 0) from schedule_interval_days where org_id = $1 and day = $2", d.org, day))
	}
}

// wander has one order try this and that with an interval. That it is refused is
// no wonder.
func (d dock) wander(who store.Booked, slot booking.IntervalID, steps int) {
	hold := int64(0)
	for range steps {
		var err error
		switch rand.IntN(5) {
		case 0, 1:
			var held store.Hold
			held, err = d.Bookings.Hold(d.T.Context(), d.clerk, slot, time.Duration(1+rand.IntN(2))*time.Second)
			hold = held.ID
		case 2:
			_, err = d.Bookings.Book(d.T.Context(), d.clerk, who, slot, hold)
		case 3:
			_, err = d.Bookings.CancelBooking(d.T.Context(), d.clerk, who)
		case 4:
			err = d.Bookings.ReleaseHold(d.T.Context(), d.clerk, hold)
		}
		if kind := fault.KindOf(err); err != nil && kind != fault.IllegalState && kind != fault.NotFound {
			d.T.Errorf("unexpected: %v", err)
		}
	}
}
