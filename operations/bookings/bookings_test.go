package bookings_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/booking"
	"waybill/domain/fault"
	"waybill/operations/operationstest"
	"waybill/store"
	"waybill/store/storetest"
)

// TestSeatsAreNotTakenTwice has more orders want an interval than it has seats.
func TestSeatsAreNotTakenTwice(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	const seats, orders = 3, 12
	day := time.Now().UTC().AddDate(0, 0, 3).Truncate(24 * time.Hour)
	interval := booking.NewIntervalID(operationstest.One[int64](o, `
		insert into schedule_intervals (org_id, name, rrule, pickup_earliest, pickup_latest, delivery_earliest, delivery_latest, slots)
		values ($1, 'Day', 'FREQ=DAILY', 480, 600, 600, 960, $2) returning id`, org, seats), day)
	ids := make([]int64, orders)
	for i := range ids {
		ids[i] = o.Imported(org, operationstest.HeavyOrder("A-"+string(rune('a'+i)))).Orders[0].ID
	}

	results := make([]error, orders)
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Go(func() {
			_, results[i] = o.Bookings.Book(t.Context(), operationstest.Clerk(org), store.Booked{OrderID: id}, interval, 0)
		})
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
		_, err = o.Bookings.CancelBooking(t.Context(), operationstest.Clerk(org), store.Booked{OrderID: ids[i]})
		require.ErrorContains(t, err, "booking.none.order")
	}
	require.Equal(t, seats, booked)
	require.Equal(t, seats, operationstest.One[int](o, "select booked::int from schedule_interval_days where org_id = $1", org))
	require.Equal(t, seats, operationstest.One[int](o, "select count(*)::int from bookings where org_id = $1", org))

	_, err := o.Bookings.Book(t.Context(), operationstest.Clerk(org), store.Booked{OrderID: ids[0] + 1000}, interval, 0)
	require.Equal(t, fault.NotFound, fault.KindOf(err))
}

// TestBookingGivesUpAfterRepeatedConflicts has the database say at each try that the order
// was changed meanwhile.
func TestBookingGivesUpAfterRepeatedConflicts(t *testing.T) {
	t.Parallel()
	d := newDock(t, 9)
	order := d.orders("A", 1)[0]
	d.Do(`create sequence looks;
		create function overtake() returns trigger language plpgsql security definer as $$ begin
			perform nextval('looks');
			raise exception 'changed' using errcode = 'WB001';
		end $$;
		create trigger overtake before insert on bookings for each row execute function overtake()`)
	day := time.Now().UTC().AddDate(0, 0, 3).Truncate(24 * time.Hour)
	for name, book := range map[string]func(context.Context) error{
		"book": func(ctx context.Context) error {
			_, err := d.Bookings.Book(ctx, d.clerk, order, d.on(3), 0)
			return err
		},
		"schedule": func(ctx context.Context) error {
			_, err := d.Bookings.ScheduleOrder(ctx, d.clerk, order.OrderID, &day)
			return err
		},
	} {
		before := operationstest.One[int64](d.Office, "select case when is_called then last_value else 0 end from looks")
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		err := book(ctx)
		cancel()
		require.Equal(t, fault.Conflict, fault.KindOf(err), "%s: %v", name, err)
		require.ErrorContains(t, err, "booking.busy")
		require.Equal(t, before+20, operationstest.One[int64](d.Office, "select last_value from looks"), name)
	}
}
