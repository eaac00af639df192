package notifications_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/operations/operationstest"
)

// onTheWay is a postbox whose order has a driver who is expected at 11:02 in Oslo.
func onTheWay(t *testing.T) *operationstest.Postbox {
	t.Helper()
	o := operationstest.NewPostbox(t, nil)
	o.Do(`insert into drivers (org_id, id, name) values (1, 1, 'Nora');
		insert into plans (org_id, id, day) values (1, 1, '2026-11-24');
		insert into plan_routes (org_id, plan_id, driver_id, starts_at, ends_at, driving_seconds, waiting_seconds, meters, weight_kg, volume_m3)
			values (1, 1, 1, '2026-11-24 06:00Z', '2026-11-24 14:00Z', 600, 0, 5000, 0, 0);
		insert into plan_stops (org_id, order_id, kind, plan_id, driver_id, seq, arrives_at, starts_at, leaves_at, slack_seconds, eta,
				driving_seconds, meters, latitude, longitude)
			select 1, 1, kind, 1, 1, id, '2026-11-24 10:02Z', '2026-11-24 10:02Z', '2026-11-24 10:10Z', 0, '2026-11-24 10:02Z', 300, 2500, 59.9, 10.7
			from order_stops;
		insert into live_etas (org_id, order_id, kind, driver_id, eta, told, ahead)
			values (1, 1, 'delivery', 1, '2026-11-24 10:02Z', '2026-11-24 10:02Z', 0);
		insert into notification_rules (org_id, id, event, channel, receiver) values (1, 30, 'TIME_MOVED', 'SMS', 'DELIVERY_CONTACTS')`)
	o.Now = time.Date(2026, 11, 24, 9, 32, 0, 0, time.UTC)
	return o
}

// promise is what the recipient was told first and last, in UTC.
func promise(o *operationstest.Postbox) string {
	o.T.Helper()
	return operationstest.One[string](o.Office, `select coalesce(string_agg(concat_ws(' ', to_char(promised_from at time zone 'UTC', 'HH24:MI'),
		to_char(promised_to at time zone 'UTC', 'HH24:MI'), to_char(told_from at time zone 'UTC', 'HH24:MI'),
		to_char(told_to at time zone 'UTC', 'HH24:MI')), ''), '') from delivery_promises where org_id = $1`, 1)
}

// TestMessagesTellARange records messages of a stop whose driver is on the way.
func TestMessagesTellARange(t *testing.T) {
	t.Parallel()
	o := onTheWay(t)
	o.Record("order.created", operationstest.TextOfCreated)
	require.Empty(t, promise(o), "a message without the time promises nothing")
	near := o.Record("stop.approaching", operationstest.TextOfApproaches)
	require.Contains(t, text(o, near.ID), "between 10:55 and 11:10.")
	require.Equal(t, "09:55 10:10 09:55 10:10", promise(o))

	o.Do("update live_etas set eta = '2026-11-24 10:40Z' where org_id = 1")
	later := o.Record("order.time_moved", 30)
	require.Contains(t, text(o, later.ID), "new time for order SO-1: between 11:25 and 11:55.")
	require.Equal(t, "09:55 10:10 10:25 10:55", promise(o), "the promise stays")

	o.Do("update organizations set language = 'da'")
	danish := o.Record("order.time_moved", 30)
	require.Contains(t, text(o, danish.ID), "mellem 11.25 og 11.55.")
}

func text(o *operationstest.Postbox, id int64) string {
	o.T.Helper()
	return operationstest.One[string](o.Office, "select body from notifications where org_id = 1 and id = $1", id)
}
