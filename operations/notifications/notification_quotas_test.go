package notifications_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/housekeeping"
	"waybill/domain/notification"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/operations/operationstest"
)

// quotas is an organization that may make four emails a day, two of them for one
// receiver. It has three orders with a contact each.
type quotas struct {
	*operationstest.Letters

	now    time.Time
	mu     sync.Mutex
	alarms []notifications.OverQuota
	events int
}

func newQuotas(t *testing.T) *quotas {
	t.Helper()
	q := &quotas{Letters: operationstest.NewLetters(t, 1), now: time.Date(2026, 3, 2, 22, 30, 0, 0, time.UTC)}
	q.Operations = operations.New(q.Store, func() time.Time { return q.now }, operations.Settings{
		Messaging: notifications.Messaging{
			Mail: q.Letters, Secrets: func(string) string { return "" }, MailFrom: "post@nordfrakt.example",
			EmailQuota: notification.Quota{Together: 4, Received: 2},
			Alarm: func(_ context.Context, over notifications.OverQuota) {
				q.mu.Lock()
				defer q.mu.Unlock()
				q.alarms = append(q.alarms, over)
			},
		},
	})
	q.Do(`
		alter table notifications alter column id restart with 100;
		insert into customers (org_id, id, external_id, business_name, email_address)
			select 1, n, 'C-' || n, 'Customer', 'name' || n || '@example.com' from generate_series(1, 3) n;
		insert into vehicle_types (org_id, id, name) values (1, 1, 'Van');
		insert into order_types (org_id, id, name, ready_from, pick_up_before, deliver_before)
			values (1, 1, 'Standard', 480, 720, 960);
		insert into orders (org_id, id, number, serial, date, customer_id, order_type_id, vehicle_type_id)
			select 1, n, 'SO-' || n, n, '2026-03-02', n, 1, 1 from generate_series(1, 3) n;
		insert into notification_rules (org_id, id, event, channel, receiver, address)
			values (1, 2, 'ORDER_CREATED', 'EMAIL', 'ADDRESS', 'depot@nordfrakt.example'),
				(1, 3, 'ORDER_CREATED', 'EMAIL', 'DELIVERY_CONTACTS', '');
		insert into locations (org_id, id, name, match_key) values (1, 1, 'Place', '\x00');
		insert into order_stops (org_id, id, order_id, kind, location_id, earliest, latest, window_source)
			select 1, n, n, 'delivery', 1, '2026-03-02 08:00Z', '2026-03-02 12:00Z', 'request' from generate_series(1, 3) n;
		insert into stop_contacts (org_id, stop_id, seq, email_address)
			select 1, n, 0, 'Name' || n || '@example.com' from generate_series(1, 3) n`)
	return q
}

// record writes a message of a new event of an order into the log.
func (q *quotas) record(order, rule int64) notifications.RecordedMessage {
	q.T.Helper()
	return q.recordWith(order, rule, "{}")
}

// recordWith is like record, of an event with data.
func (q *quotas) recordWith(order, rule int64, data string) notifications.RecordedMessage {
	q.T.Helper()
	q.events++
	event := operationstest.One[int64](q.Office, `
		insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id, data)
		values (1, 'order.created', 'order', $1, 'test', 'test', $1, $2::jsonb) returning id`, order, data)
	recorded, err := q.Notifications.RecordNotification(q.T.Context(), q.By, notifications.NewMessage{
		Key: notification.Key{EventID: event, RuleID: rule}, WorkflowID: fmt.Sprint("w", q.events), RunID: "r",
	})
	require.NoError(q.T, err)
	require.NotZero(q.T, recorded.ID, "it is in the log")
	return recorded
}

func TestMessagesOfADayAreBounded(t *testing.T) {
	t.Parallel()
	q := newQuotas(t)
	const toCustomer, toAddress, toContact = 1, 2, 3
	require.Empty(t, q.record(1, toContact).Failure)
	require.Empty(t, q.record(1, toContact).Failure)
	for range 2 {
		tooMany := q.record(1, toContact)
		require.Equal(t, notification.TooMany, tooMany.Failure, "of the receiver")
		settled := q.Settle(tooMany.ID, notifications.Ending{Failure: tooMany.Failure})
		require.Equal(t, notification.Failed, settled.Status)
	}
	require.Equal(t, notification.TooMany, q.record(2, toContact).Failure, "of the organization")
	require.Equal(t, notification.TooMany, q.record(1, toAddress).Failure)
	require.Equal(t, []notifications.OverQuota{
		{OrgID: 1, Channel: notification.Email, Bound: notification.BoundOfReceiver, First: true},
		{OrgID: 1, Channel: notification.Email, Bound: notification.BoundOfReceiver},
		{OrgID: 1, Channel: notification.Email, Bound: notification.BoundOfOrganization, First: true},
		{OrgID: 1, Channel: notification.Email, Bound: notification.BoundOfOrganization},
	}, q.alarms)

	q.now = q.now.Add(time.Hour) // it is the next day in Oslo
	for range 4 {
		require.Empty(t, q.record(1, toCustomer).Failure, "whom the organization has named may get more than others")
	}

	require.NotZero(t, operationstest.One[int](q.Office, "select count(*)::int from message_tallies where day = '2026-03-02'"))
	q.now = q.now.Add(72 * time.Hour)
	_, err := q.Housekeeping.KeepHouse(t.Context(), housekeeping.Tallies, false)
	require.NoError(t, err)
	require.Zero(t, operationstest.One[int](q.Office, "select count(*)::int from message_tallies where day = '2026-03-02'"))
	require.NotZero(t, operationstest.One[int](q.Office, "select count(*)::int from message_tallies"))
	require.Zero(t, operationstest.One[int](q.Office,
		"select count(*)::int from message_tallies where receiver = 'name1@example.com'::bytea"), "no address is kept")
}

func TestASeriesLeavesMessagesToOthers(t *testing.T) {
	t.Parallel()
	q := newQuotas(t)
	const toContact, ofSeries = 3, `{"series": {"template": 7}}`
	require.Empty(t, q.recordWith(1, toContact, ofSeries).Failure)
	for range 3 {
		require.Equal(t, notification.TooMany, q.recordWith(1, toContact, ofSeries).Failure, "half of the receiver's")
	}
	require.Empty(t, q.record(1, toContact).Failure, "an order of its own is told")
	require.Equal(t, notification.BoundOfSeries, q.alarms[0].Bound)
	require.Len(t, q.alarms, 3)
	require.True(t, q.alarms[0].First)
	require.False(t, q.alarms[1].First)
	require.Equal(t, 2, operationstest.One[int](q.Office, "select made from message_tallies where receiver = ''::bytea"), "what is not sent does not count")
}
