package operations_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/booking"
	"waybill/domain/fault"
	"waybill/store"
	"waybill/store/storetest"
)

// TestSeatsAreNotTakenTwice has more orders want an interval than it has seats.
func TestSeatsAreNotTakenTwice(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	const seats, orders = 3, 12
	day := time.Now().UTC().AddDate(0, 0, 3).Truncate(24 * time.Hour)
	interval := booking.NewIntervalID(one[int64](o, `
		insert into schedule_intervals (org_id, name, rrule, pickup_earliest, pickup_latest, delivery_earliest, delivery_latest, slots)
		values ($1, 'Day', 'FREQ=DAILY', 480, 600, 600, 960, $2) returning id`, org, seats), day)
	ids := make([]int64, orders)
	for i := range ids {
		ids[i] = o.imported(org, heavyOrder("A-"+string(rune('a'+i)))).Orders[0].ID
	}

	results := make([]error, orders)
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Go(func() { _, results[i] = o.Book(t.Context(), clerk(org), store.Booked{OrderID: id}, interval, 0) })
	}
	wg.Wait()
	booked := 0
	for i, err := range results {
		if err == nil {
			booked++
			continue
		}
		require.Equal(t, fault.IllegalState, fault.KindOf(err))
		require.ErrorContains(t, err, "booking.full")
		_, err = o.CancelBooking(t.Context(), clerk(org), store.Booked{OrderID: ids[i]})
		require.ErrorContains(t, err, "booking.none.order")
	}
	require.Equal(t, seats, booked)
	require.Equal(t, seats, one[int](o, "select booked::int from schedule_interval_days where org_id = $1", org))
	require.Equal(t, seats, one[int](o, "select count(*)::int from bookings where org_id = $1", org))

	_, err := o.Book(t.Context(), clerk(org), store.Booked{OrderID: ids[0] + 1000}, interval, 0)
	require.Equal(t, fault.NotFound, fault.KindOf(err))
}
