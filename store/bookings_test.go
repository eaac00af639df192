package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"waybill/store/queries"
	"waybill/store/storetest"
)

// bookable creates an order, and an interval with one seat.
const bookable = `
	insert into organizations (id, slug, name, timezone) values (1, 'org', 'Org', 'Europe/Oslo');
	insert into customers (org_id, id, business_name) values (1, 1, 'C');
	insert into vehicle_types (org_id, id, name) values (1, 1, 'V');
	insert into order_types (org_id, id, name) values (1, 1, 'T');
	insert into locations (org_id, id, match_key, name) values (1, 1, '\x01', 'L');
	insert into orders (org_id, id, number, serial, date, customer_id, order_type_id, vehicle_type_id)
		select 1, i, 'N-' || i, i, '2030-03-01', 1, 1, 1 from generate_series(1, 2) i;
	insert into order_stops (org_id, order_id, kind, location_id, name, earliest, latest, window_source)
		select 1, i, k, 1, 'S', now(), now() + interval '1 hour', 'default'
			from generate_series(1, 2) i, unnest('{pickup,delivery}'::text[]) k;
	insert into schedule_intervals (org_id, id, name, rrule, pickup_earliest, pickup_latest, delivery_earliest,
		delivery_latest, slots)
		values (1, 1, 'Day', 'FREQ=DAILY', 480, 600, 600, 960, 1);`

// TestTakeSeat checks that a subject that has changed and a missing seat are
// refused without side effects.
func TestTakeSeat(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.WithoutCancel(t.Context())) })
	_, err = owner.Exec(t.Context(), bookable)
	require.NoError(t, err)
	version := func(order int64) (v string) {
		require.NoError(t, owner.QueryRow(t.Context(), "select xmin::text from orders where id = $1", order).Scan(&v))
		return v
	}
	day := time.Date(2030, 3, 1, 0, 0, 0, 0, time.UTC)
	take := func(order int64, version string) string {
		var refused *pgconn.PgError
		err := pgx.BeginFunc(t.Context(), db.Pool, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(),
				"set local app.org_id = '1'; set local app.actor = 'system'; set local app.cause = 'test'")
			if err != nil {
				return err
			}
			_, err = queries.New(tx).TakeSeat(t.Context(), queries.TakeSeatParams{
				OrderID: order, Version: version, IntervalID: 1, Day: day,
				PickupEarliest: day, PickupLatest: day.Add(time.Hour), DeliveryEarliest: day, DeliveryLatest: day.Add(time.Hour),
			})
			return err
		})
		if err == nil {
			return ""
		}
		require.ErrorAs(t, err, &refused)
		return refused.Code
	}
	left := func() (rows int) {
		const all = `select (select count(*) from bookings) + (select count(*) from events)
			+ (select coalesce(sum(booked), 0) from schedule_interval_days)
			+ (select count(*) from order_stops where window_source = 'booking')`
		require.NoError(t, owner.QueryRow(t.Context(), all).Scan(&rows))
		return rows
	}

	judged := version(1)
	_, err = owner.Exec(t.Context(), "update orders set reference = 'changed' where id = 1")
	require.NoError(t, err)
	require.Equal(t, "WB001", take(1, judged))
	require.Zero(t, left())
	require.Empty(t, take(1, version(1)))
	require.Equal(t, 1+1+1+2, left(), "the booking, its event, the seat and both stops")
	require.Equal(t, "WB002", take(2, version(2)))
	require.Equal(t, 1+1+1+2, left())
}
