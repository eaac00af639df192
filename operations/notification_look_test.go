package operations_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/providers"
	"waybill/store"
)

// postbox is an organization with an order, 1, that Kari gets on 24 November 2026 between
// 8 and 12 UTC, and what went out to her. It is 4:00 UTC, 5:00 in Oslo.
type postbox struct {
	*letters

	now time.Time

	mu    sync.Mutex
	mails []providers.Email
	texts []providers.Text
	fault error // of each attempt
}

// The rules of the postbox.
const (
	mailOfCreated, mailOfDelivered  = 2, 3
	textOfCreated, textOfApproaches = 4, 5
	textOfArrived, mailOfFailed     = 6, 7
)

func newPostbox(t *testing.T, set func(*notifications.Messaging)) *postbox {
	t.Helper()
	o := &postbox{letters: newLetters(t, 1), now: time.Date(2026, 11, 24, 4, 0, 0, 0, time.UTC)}
	m := notifications.Messaging{
		Mail: letterSlot{o}, SMS: textSlot{o}, Secrets: func(string) string { return "" },
		MailFrom: "post@nordfrakt.example", SMSFrom: "Nordfrakt", ReportWait: 72 * time.Hour,
	}
	if set != nil {
		set(&m)
	}
	o.Operations = operations.New(o.store, func() time.Time { return o.now }, operations.Settings{Messaging: m})
	o.do(`
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
	letterSlot struct{ *postbox }
	textSlot   struct{ *postbox }
)

// Send implements notifications.MailSender.
func (m letterSlot) Send(_ context.Context, _ string, email providers.Email) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mails = append(m.mails, email)
	return m.fault
}

// Send implements notifications.SMSSender.
func (p textSlot) Send(_ context.Context, _ providers.SMSAccount, text providers.Text) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.texts = append(p.texts, text)
	return fmt.Sprint("SM", len(p.texts)), p.fault
}

// record writes a message of a new event of the order into the log.
func (o *postbox) record(kind string, rule int64) notifications.RecordedMessage {
	o.t.Helper()
	recorded := o.written(notification.Key{EventID: o.happened(kind), RuleID: rule})
	require.NotZero(o.t, recorded.ID, "it is in the log")
	return recorded
}

// happened is a new event of the order.
func (o *postbox) happened(kind string) int64 {
	o.t.Helper()
	return one[int64](o.office, `
		insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id, stop, occurred_at)
		values (1, $1, 'order', 1, 'test', 'test', 1, case when $1 like 'stop.%' then 'delivery' end, $2) returning id`,
		kind, o.now)
}

// written has the workflow of a message write it into the log.
func (o *postbox) written(key notification.Key) notifications.RecordedMessage {
	o.t.Helper()
	recorded, err := o.Notifications.RecordNotification(o.t.Context(), o.by, notifications.NewMessage{
		Key: key, WorkflowID: fmt.Sprint("w", key.EventID), RunID: "r",
	})
	require.NoError(o.t, err)
	return recorded
}

// postponed is for how long an attempt puts a message off.
func (o *postbox) postponed(id int64) time.Duration {
	o.t.Helper()
	_, err := o.Notifications.SendNotification(o.t.Context(), o.by, id)
	var later *notifications.SendingPostponed
	require.ErrorAs(o.t, err, &later)
	return later.For
}

// longAgo moves the attempts of a message into the past.
func (o *postbox) longAgo(id int64, ago time.Duration) {
	o.t.Helper()
	_, err := o.owner.Exec(o.t.Context(), `update notification_steps set at = at - make_interval(secs => $2)
		where org_id = 1 and notification_id = $1 and kind = 'attempt'`, id, ago.Seconds())
	require.NoError(o.t, err)
}

func (o *postbox) kinds(id int64) string {
	return one[string](o.office, `select string_agg(kind, ' ' order by id) from events where org_id = 1 and notification_id = $1`, id)
}

func TestWhatNoLongerHoldsIsNotSent(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		kind    string
		rule    int64
		happens string
		later   time.Duration
	}{
		"RegisteredAndCancelled": {kind: "order.created", rule: mailOfCreated, happens: "update orders set status_id = 8, cancelled_at = now()"},
		"RegisteredAndPickedUp":  {kind: "order.created", rule: mailOfCreated, later: 4 * time.Hour},
		"ItsReceiverIsGone":      {kind: "order.created", rule: mailOfCreated, happens: "delete from stop_contacts"},
		"ApproachingAndDelivered": {kind: "stop.approaching", rule: textOfApproaches, happens: `
			insert into order_progress (org_id, order_id, pickup_status, delivery_status) values (1, 1, 'completed', 'completed')`},
		"ArrivedMinutesAgo": {kind: "stop.arrived", rule: textOfArrived, later: 16 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newPostbox(t, nil)
			if tc.rule == textOfApproaches {
				o.now = o.now.Add(4 * time.Hour) // its window is open
			}
			recorded := o.record(tc.kind, tc.rule)
			require.Empty(t, recorded.Failure)
			if tc.happens != "" {
				o.do(tc.happens)
			}
			o.now = o.now.Add(tc.later)
			require.Equal(t, notification.Superseded, o.refused(recorded.ID))
			requireSuperseded(t, o, recorded.ID)
			require.Empty(t, o.mails)
			require.Empty(t, o.texts)
		})
	}

	// The window opens at 7:00; the driver is there long before.
	t.Run("OutsideItsWindowNobodyWaitsWithWhatIsOfThisMoment", func(t *testing.T) {
		t.Parallel()
		o := newPostbox(t, nil)
		recorded := o.record("stop.approaching", textOfApproaches)
		require.Equal(t, notification.Superseded, recorded.Failure)
		requireSuperseded(t, o, recorded.ID)
	})

	t.Run("ThatItExpiredAsWellIsNoFailure", func(t *testing.T) {
		t.Parallel()
		o := newPostbox(t, nil)
		recorded := o.record("stop.arrived", textOfArrived)
		o.now = o.now.Add(time.Hour)
		settled, err := o.Notifications.SettleNotification(t.Context(), o.by, recorded.ID, "r",
			notifications.Ending{Channel: notification.SMS, Failure: notification.Expired})
		require.NoError(t, err)
		require.Equal(t, notification.Superseded, settled.Failure)
	})
}

// requireSuperseded settles a message that no longer holds, and looks for it among the
// failures.
func requireSuperseded(t *testing.T, o *postbox, id int64) {
	t.Helper()
	channel := notification.Channel(one[string](o.office, "select channel from notifications where org_id = 1 and id = $1", id))
	settled, err := o.Notifications.SettleNotification(t.Context(), o.by, id, "r",
		notifications.Ending{Channel: channel, Failure: notification.Superseded})
	require.NoError(t, err)
	require.Equal(t, notifications.SettledMessage{Status: notification.Failed, Failure: notification.Superseded}, settled)
	require.Equal(t, "notification.queued notification.superseded", o.kinds(id))
	search := store.LogSearch{Channel: channel, Statuses: []string{"failed"}, Page: store.Page{Number: 1, Size: 10}}
	day := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	for _, date := range []*time.Time{nil, &day} {
		search.OrderDate = date
		_, total, err := o.store.SearchLog(t.Context(), 1, search)
		require.NoError(t, err)
		require.Zero(t, total)
	}
	failed, err := o.store.CountFailures(t.Context(), 1, notification.Selection{Until: time.Now().Add(time.Hour), DeadAddresses: true})
	require.NoError(t, err)
	require.Empty(t, failed)
	_, err = o.Notifications.RetryNotification(t.Context(), o.by, id)
	require.ErrorContains(t, err, "notification.superseded")
}

// TestACorrectedReceiverGetsTheCorrectedMessage corrects an order while its message waits.
func TestACorrectedReceiverGetsTheCorrectedMessage(t *testing.T) {
	t.Parallel()
	o := newPostbox(t, nil)
	id := o.record("order.created", mailOfCreated).ID
	o.do(`update stop_contacts set email_address = 'right@example.com';
		update order_stops set earliest = '2026-11-24 09:00Z' where kind = 'delivery'`)
	require.Equal(t, notification.Sent, o.send(id).Status)
	require.Len(t, o.mails, 1)
	require.Equal(t, "right@example.com", o.mails[0].To)
	require.Equal(t, "From 2026-11-24 10:00", o.mails[0].Text)
	require.Equal(t, "right@example.com From 2026-11-24 10:00", one[string](o.office,
		"select receiver || ' ' || body from notifications where org_id = 1 and id = $1", id), "the log shows what was sent")

	// What may have arrived stays as it is for the same receiver, and is new to another.
	o.fault = &providers.Fault{Failure: notification.Unavailable, Passing: true, Unanswered: true}
	id = o.record("order.created", mailOfCreated).ID
	require.Equal(t, notification.Unavailable, o.refused(id))
	o.do("update order_stops set earliest = '2026-11-24 08:00Z' where kind = 'delivery'")
	o.longAgo(id, 6*time.Minute)
	require.Equal(t, notification.Unavailable, o.refused(id))
	require.Equal(t, o.mails[1], o.mails[2], "the repeat is the same")
	o.do("update stop_contacts set email_address = 'third@example.com'")
	o.longAgo(id, time.Hour)
	o.fault = nil
	require.Equal(t, notification.Sent, o.send(id).Status)
	require.Equal(t, "third@example.com", o.mails[3].To)
	require.Equal(t, "From 2026-11-24 09:00", o.mails[3].Text)
}

// TestMessagesOfAnOrderLeaveInTheOrderOfItsEvents has the first one wait for its server.
func TestMessagesOfAnOrderLeaveInTheOrderOfItsEvents(t *testing.T) {
	t.Parallel()
	o := newPostbox(t, nil)
	created, text := o.record("order.created", mailOfCreated).ID, o.record("order.created", textOfCreated).ID
	delivered := o.record("order.delivered", mailOfDelivered).ID
	require.Equal(t, 5*time.Second, o.postponed(delivered))
	require.Empty(t, o.mails)
	require.Equal(t, notification.Sent, o.send(text).Status, "another receiver waits for nobody")
	require.Equal(t, notification.Sent, o.send(created).Status)
	require.Equal(t, notification.Sent, o.send(delivered).Status)

	// It does not wait for ever.
	o.record("order.created", mailOfCreated)
	delivered = o.record("order.delivered", mailOfDelivered).ID
	require.NotZero(t, o.postponed(delivered))
	o.do("update notifications set created_at = created_at - interval '10 minutes'")
	require.Equal(t, notification.Sent, o.send(delivered).Status)
}

// TestAMessageThatIsNotInTheLogYetIsNotOvertaken has the worker of the first message die before
// it wrote a row.
func TestAMessageThatIsNotInTheLogYetIsNotOvertaken(t *testing.T) {
	t.Parallel()
	o := newPostbox(t, nil)
	kinds := []string{"order.created", "order.delivered", "order.failed"}
	rules := []int64{mailOfCreated, mailOfDelivered, mailOfFailed}
	var due []store.DueNotification
	for i, kind := range kinds {
		key := notification.Key{EventID: o.happened(kind), RuleID: rules[i]}
		due = append(due, store.DueNotification{OrgID: 1, Key: key, Channel: notification.Email, OrderID: 1})
	}
	require.NoError(t, o.store.HandOver(t.Context(), due))
	require.NoError(t, o.store.HandOver(t.Context(), due), "a batch that is handed twice")
	delivered := o.written(due[1].Key).ID
	require.Equal(t, 5*time.Second, o.postponed(delivered), "the first is not in the log, but comes")
	created := o.written(due[0].Key).ID
	require.Equal(t, notification.Sent, o.send(created).Status)
	require.Equal(t, notification.Sent, o.send(delivered).Status, "nobody waits for a later one")

	// One about which nothing is to be said any more is waited for no longer.
	last := o.record("order.delivered", mailOfDelivered).ID
	require.NotZero(t, o.postponed(last))
	o.do("delete from notification_rules where id = 7")
	require.Zero(t, o.written(due[2].Key).ID)
	require.Equal(t, notification.Sent, o.send(last).Status)
	require.Zero(t, one[int](o.office, "select count(*)::int from notification_handovers"))

	// What is in the log is not noted again, and nobody waits for ever for what never comes.
	require.NoError(t, o.store.HandOver(t.Context(), due[:1]))
	require.Zero(t, one[int](o.office, "select count(*)::int from notification_handovers"))
	lost := store.DueNotification{
		OrgID: 1, Key: notification.Key{EventID: o.happened("order.created"), RuleID: 99}, Channel: notification.Email, OrderID: 1,
	}
	require.NoError(t, o.store.HandOver(t.Context(), []store.DueNotification{lost}))
	last = o.record("order.delivered", mailOfDelivered).ID
	require.NotZero(t, o.postponed(last))
	o.do("update notification_handovers set handed_at = handed_at - interval '10 minutes'")
	require.Equal(t, notification.Sent, o.send(last).Status)
	o.do("update notification_handovers set handed_at = handed_at - interval '1 hour'")
	require.NoError(t, o.store.HandOver(t.Context(), due[:1]))
	require.Zero(t, one[int](o.office, "select count(*)::int from notification_handovers"))
}

// TestAttemptsWithTheSameAnswerAreOneStep has a server be away, and then answer otherwise.
func TestAttemptsWithTheSameAnswerAreOneStep(t *testing.T) {
	t.Parallel()
	o := newPostbox(t, nil)
	id := o.record("order.created", mailOfCreated).ID
	refused := func(times int, fault *providers.Fault) {
		o.fault = fault
		for range times {
			_, err := o.Notifications.SendNotification(t.Context(), o.by, id)
			var refused *notifications.SendingRefused
			require.ErrorAs(t, err, &refused)
		}
	}
	refused(4, &providers.Fault{Failure: notification.Unavailable, Passing: true, Code: "421", Answer: "closing"})
	refused(2, &providers.Fault{Failure: notification.Unavailable, Passing: true, Code: "451", Answer: "later"})
	refused(1, &providers.Fault{Failure: notification.Unavailable, Passing: true, Code: "421", Answer: "closing"})
	o.fault = nil
	require.Equal(t, notification.Sent, o.send(id).Status)
	require.Equal(t, "queued 1, attempt 1, fault 4 421, attempt 1, fault 2 451, attempt 1, fault 1 421, attempt 1, sent 1",
		one[string](o.office, `select string_agg(kind || ' ' || times || case kind when 'fault' then ' ' || right(code, 3) else '' end,
			', ' order by id) from notification_steps where org_id = 1 and notification_id = 100`))
	require.Equal(t, 2, one[int](o.office, "select count(*)::int from notification_steps where last_at > at"))
	require.Equal(t, 8, one[int](o.office, "select attempts::int from notifications where org_id = 1 and id = 100"))
}

// TestDoubtIsNotFailure has a provider take a message and not say so.
func TestDoubtIsNotFailure(t *testing.T) {
	t.Parallel()
	unclear := &providers.Fault{Failure: notification.Unavailable, Passing: true, Unanswered: true}
	waits := func(o *postbox, id int64) time.Duration {
		_, err := o.Notifications.SendNotification(t.Context(), o.by, id)
		var refused *notifications.SendingRefused
		require.ErrorAs(t, err, &refused)
		return refused.RetryAfter
	}

	t.Run("AReceiptSettlesIt", func(t *testing.T) {
		t.Parallel()
		o := newPostbox(t, nil)
		o.fault = unclear
		id := o.record("order.created", mailOfCreated).ID
		require.Equal(t, 5*time.Minute, waits(o, id))
		require.InDelta(t, 5*time.Minute, o.postponed(id), float64(time.Minute))
		require.Equal(t, notification.Delivered, o.reported(report(id, "a", notification.ReportedDelivered)).Messages[0].Status)
		require.Equal(t, notification.Delivered, o.send(id).Status)
		require.Len(t, o.mails, 1)
		require.Equal(t, "notification.queued notification.delivered", o.kinds(id))
	})

	t.Run("SoDoesOneThatCameBeforeAWorkerDied", func(t *testing.T) {
		t.Parallel()
		o := newPostbox(t, nil)
		o.fault = unclear
		id := o.record("order.created", mailOfCreated).ID
		waits(o, id)
		o.do("delete from notification_steps where kind = 'fault'") // as if nobody had noted it
		require.Equal(t, notification.Queued, o.reported(report(id, "a", notification.ReportedDelivered)).Messages[0].Status)
		require.Equal(t, notification.Delivered, o.send(id).Status)
		require.Len(t, o.mails, 1)
	})

	t.Run("WithoutOneItIsSentAndUncertain", func(t *testing.T) {
		t.Parallel()
		o := newPostbox(t, nil)
		o.fault = unclear
		id := o.record("order.created", mailOfCreated).ID
		waits(o, id)
		o.longAgo(id, 6*time.Minute)
		require.Equal(t, 30*time.Minute, waits(o, id))
		o.longAgo(id, 31*time.Minute)
		require.Equal(t, notification.Uncertain, o.refused(id))
		require.Len(t, o.mails, 2, "the repeat, and no more")
		require.Equal(t, notifications.SettledMessage{Status: notification.Sent},
			o.settle(id, notifications.Ending{Failure: notification.Uncertain}))
		shown := func() string {
			return one[string](o.office, `select concat_ws(' ', email ->> 'status', email ->> 'uncertain', email ->> 'failureReason')
				from notification_log where org_id = 1 and id = $1`, id)
		}
		require.Equal(t, "sent true", shown())
		_, err := o.Notifications.RetryNotification(t.Context(), o.by, id)
		require.NoError(t, err, "a person may know better")
		failed, err := o.store.CountFailures(t.Context(), 1, notification.Selection{Until: time.Now().Add(time.Hour), DeadAddresses: true})
		require.NoError(t, err)
		require.Empty(t, failed)
		require.Equal(t, notification.Delivered, o.reported(report(id, "a", notification.ReportedDelivered)).Messages[0].Status)
		require.Equal(t, "delivered", shown())
		_, err = o.Notifications.RetryNotification(t.Context(), o.by, id)
		require.ErrorContains(t, err, "notification.not_failed")
	})

	t.Run("NothingIsSentAgainThatHasAReceipt", func(t *testing.T) {
		t.Parallel()
		o := newPostbox(t, nil)
		id := o.record("order.created", mailOfCreated).ID
		require.Equal(t, notification.Failed, o.settle(id, notifications.Ending{Failure: notification.Rejected}).Status)
		_, err := o.Notifications.RetryNotification(t.Context(), o.by, id)
		require.NoError(t, err)
		o.reported(report(id, "a", notification.ReportedDelivered))
		_, err = o.Notifications.RetryNotification(t.Context(), o.by, id)
		require.ErrorContains(t, err, "notification.received")
	})
}

// TestNobodyWaitsForAReportThatCannotCome counts on providers that report.
func TestNobodyWaitsForAReportThatCannotCome(t *testing.T) {
	t.Parallel()
	plain := newPostbox(t, nil)
	require.Zero(t, plain.record("order.created", mailOfCreated).ReportWait, "mail servers report nothing")
	require.Equal(t, 72*time.Hour, plain.record("order.created", textOfCreated).ReportWait)
	plain.do("insert into messaging_settings (org_id, postmark_login) values (1, 'WAYBILL_POSTMARK_ONE')")
	require.Equal(t, 72*time.Hour, plain.record("order.created", mailOfCreated).ReportWait)
	plain.do("update organizations set sandbox = true where id = 1")
	require.Zero(t, plain.record("order.created", textOfCreated).ReportWait, "nothing goes out")
	reporting := newPostbox(t, func(m *notifications.Messaging) { m.MailReports = true })
	require.Equal(t, 72*time.Hour, reporting.record("order.created", mailOfCreated).ReportWait)
}

// TestTextsAreNotDeliveredLate gives the provider as much time as the message has.
func TestTextsAreNotDeliveredLate(t *testing.T) {
	t.Parallel()
	o := newPostbox(t, nil)
	o.send(o.record("order.created", textOfCreated).ID)
	arrived := o.record("stop.arrived", textOfArrived).ID
	o.now = o.now.Add(5 * time.Minute)
	o.send(arrived)
	o.now = o.now.Add(4*time.Hour - 5*time.Minute)
	o.send(o.record("stop.approaching", textOfApproaches).ID)
	o.mu.Lock()
	defer o.mu.Unlock()
	require.Equal(t, 3*time.Hour, o.texts[0].Validity, "until the pickup is over")
	require.Equal(t, 10*time.Minute, o.texts[1].Validity)
	require.Equal(t, time.Hour, o.texts[2].Validity)
}

// TestAnAttemptThatIsGivenUpKeepsWhatCameOfIt gives up while the server takes the message.
func TestAnAttemptThatIsGivenUpKeepsWhatCameOfIt(t *testing.T) {
	t.Parallel()
	l := newLetters(t, 1)
	ctx, giveUp := context.WithCancel(t.Context())
	l.answer = func() error {
		giveUp()
		return nil
	}
	sent, err := l.Notifications.SendNotification(ctx, caller.Service(1, "notification/1/1"), 1)
	require.NoError(t, err)
	require.Equal(t, notifications.SentMessage{Status: notification.Sent}, sent)
	require.Equal(t, notification.Sent, l.status(1))
}
