package operationstest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/notification"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/providers"
)

// Postbox is an organization with an order, 1, that Kari gets on 24 November 2026 between
// 8 and 12 UTC, and what went out to her. It is 4:00 UTC, 5:00 in Oslo.
type Postbox struct {
	*Letters

	Now time.Time

	Mu    sync.Mutex
	Mails []providers.Email
	Texts []providers.Text
	Fault error // of each attempt
}

// The rules of the postbox.
const (
	MailOfCreated    = 2
	MailOfDelivered  = 3
	TextOfCreated    = 4
	TextOfApproaches = 5
	TextOfArrived    = 6
	MailOfFailed     = 7
)

// NewPostbox returns the organization in a database of its own. set changes the settings; nil leaves them.
func NewPostbox(t *testing.T, set func(*notifications.Messaging)) *Postbox {
	t.Helper()
	o := &Postbox{Letters: NewLetters(t, 1), Now: time.Date(2026, 11, 24, 4, 0, 0, 0, time.UTC)}
	m := notifications.Messaging{
		Mail: letterSlot{o}, SMS: textSlot{o}, Secrets: func(string) string { return "" },
		MailFrom: "post@nordfrakt.example", SMSFrom: "Nordfrakt", ReportWait: 72 * time.Hour,
	}
	if set != nil {
		set(&m)
	}
	o.Operations = operations.New(o.Store, func() time.Time { return o.Now }, operations.Settings{Messaging: m})
	o.Do(`
		alter table notifications alter column id restart with 100;
		insert into customers (org_id, id, external_id, business_name) values (1, 1, 'C-1', 'Customer');
		insert into vehicle_types (org_id, id, name) values (1, 1, 'Van');
		insert into order_types (org_id, id, name, ready_from, pick_up_before, deliver_before) values (1, 1, 'Standard', 480, 720, 960);
		insert into orders (org_id, id, number, serial, date, customer_id, order_type_id, vehicle_type_id)
			values (1, 1, 'SO-1', 1, '2026-11-24', 1, 1, 1);
		insert into notification_rules (org_id, id, event, channel, receiver, body, window_from, window_to) values
			(1, 2, 'ORDER_CREATED', 'EMAIL', 'DELIVERY_CONTACTS', 'From {{ stop.earliest }}', null, null),
			(1, 3, 'ORDER_DELIVERED', 'EMAIL', 'DELIVERY_CONTACTS', '', null, null),
			(1, 4, 'ORDER_CREATED', 'SMS', 'DELIVERY_CONTACTS', '', null, null),
			(1, 5, 'STOP_APPROACHING', 'SMS', 'DELIVERY_CONTACTS', '', 420, 1260),
			(1, 6, 'STOP_ARRIVED', 'SMS', 'DELIVERY_CONTACTS', '', null, null),
			(1, 7, 'ORDER_FAILED', 'EMAIL', 'DELIVERY_CONTACTS', '', null, null);
		insert into locations (org_id, id, name, match_key) values (1, 1, 'Place', '\x00');
		insert into order_stops (org_id, id, order_id, kind, location_id, earliest, latest, window_source) values
			(1, 1, 1, 'pickup', 1, '2026-11-24 06:00Z', '2026-11-24 07:00Z', 'request'),
			(1, 2, 1, 'delivery', 1, '2026-11-24 08:00Z', '2026-11-24 12:00Z', 'request');
		insert into stop_contacts (org_id, stop_id, seq, email_address, phone_number)
			values (1, 2, 0, 'wrong@example.com', '+4740000001')`)
	return o
}

// letterSlot and textSlot keep what is sent.
type (
	letterSlot struct{ *Postbox }
	textSlot   struct{ *Postbox }
)

// Send implements notifications.MailSender.
func (m letterSlot) Send(_ context.Context, _ string, email providers.Email) error {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	m.Mails = append(m.Mails, email)
	return m.Fault
}

// Send implements notifications.SMSSender.
func (p textSlot) Send(_ context.Context, _ providers.SMSAccount, text providers.Text) (string, error) {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	p.Texts = append(p.Texts, text)
	return fmt.Sprint("SM", len(p.Texts)), p.Fault
}

// Record writes a message of a new event of the order into the log.
func (o *Postbox) Record(kind string, rule int64) notifications.RecordedMessage {
	o.T.Helper()
	recorded := o.Written(notification.Key{EventID: o.Happened(kind), RuleID: rule})
	require.NotZero(o.T, recorded.ID, "it is in the log")
	return recorded
}

// Happened is a new event of the order.
func (o *Postbox) Happened(kind string) int64 {
	o.T.Helper()
	return One[int64](o.Office, `
		insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id, stop, occurred_at)
		values (1, $1, 'order', 1, 'test', 'test', 1, case when $1 like 'stop.%' then 'delivery' end, $2) returning id`,
		kind, o.Now)
}

// Written has the workflow of a message write it into the log.
func (o *Postbox) Written(key notification.Key) notifications.RecordedMessage {
	o.T.Helper()
	recorded, err := o.Notifications.RecordNotification(o.T.Context(), o.By, notifications.NewMessage{
		Key: key, WorkflowID: fmt.Sprint("w", key.EventID), RunID: "r",
	})
	require.NoError(o.T, err)
	return recorded
}

// Postponed is for how long an attempt puts a message off.
func (o *Postbox) Postponed(id int64) time.Duration {
	o.T.Helper()
	_, err := o.Notifications.SendNotification(o.T.Context(), o.By, id)
	var later *notifications.SendingPostponed
	require.ErrorAs(o.T, err, &later)
	return later.For
}

// LongAgo moves the attempts of a message into the past.
func (o *Postbox) LongAgo(id int64, ago time.Duration) {
	o.T.Helper()
	_, err := o.Owner.Exec(o.T.Context(), `update notification_steps set at = at - make_interval(secs => $2)
		where org_id = 1 and notification_id = $1 and kind = 'attempt'`, id, ago.Seconds())
	require.NoError(o.T, err)
}

// Kinds returns the kinds of the events of a message, the first one first.
func (o *Postbox) Kinds(id int64) string {
	return One[string](o.Office, `select string_agg(kind, ' ' order by id) from events where org_id = 1 and notification_id = $1`, id)
}
