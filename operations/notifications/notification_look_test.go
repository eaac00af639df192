package notifications_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/operations/notifications"
	"waybill/operations/operationstest"
	"waybill/providers"
	"waybill/store"
)

func TestSupersededMessageIsNotSent(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		kind    string
		rule    int64
		happens string
		later   time.Duration
	}{
		"RegisteredAndCancelled": {kind: "order.created", rule: operationstest.MailOfCreated, happens: "update orders set status_id = 8, cancelled_at = now()"},
		"RegisteredAndPickedUp":  {kind: "order.created", rule: operationstest.MailOfCreated, later: 4 * time.Hour},
		"ItsReceiverIsGone":      {kind: "order.created", rule: operationstest.MailOfCreated, happens: "delete from stop_contacts"},
		"ApproachingAndDelivered": {kind: "stop.approaching", rule: operationstest.TextOfApproaches, happens: `
			insert into order_progress (org_id, order_id, pickup_status, delivery_status) values (1, 1, 'completed', 'completed')`},
		"ArrivedMinutesAgo": {kind: "stop.arrived", rule: operationstest.TextOfArrived, later: 16 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := operationstest.NewPostbox(t, nil)
			if tc.rule == operationstest.TextOfApproaches {
				o.Now = o.Now.Add(4 * time.Hour) // its window is open
			}
			recorded := o.Record(tc.kind, tc.rule)
			require.Empty(t, recorded.Failure)
			if tc.happens != "" {
				o.Do(tc.happens)
			}
			o.Now = o.Now.Add(tc.later)
			require.Equal(t, notification.Superseded, o.Refused(recorded.ID))
			requireSuperseded(t, o, recorded.ID)
			require.Empty(t, o.Mails)
			require.Empty(t, o.Texts)
		})
	}

	// The window opens at 7:00; the driver is there long before.
	t.Run("OutsideItsWindowNobodyWaitsWithWhatIsOfThisMoment", func(t *testing.T) {
		t.Parallel()
		o := operationstest.NewPostbox(t, nil)
		recorded := o.Record("stop.approaching", operationstest.TextOfApproaches)
		require.Equal(t, notification.Superseded, recorded.Failure)
		requireSuperseded(t, o, recorded.ID)
	})

	t.Run("ThatItExpiredAsWellIsNoFailure", func(t *testing.T) {
		t.Parallel()
		o := operationstest.NewPostbox(t, nil)
		recorded := o.Record("stop.arrived", operationstest.TextOfArrived)
		o.Now = o.Now.Add(time.Hour)
		settled, err := o.Notifications.SettleNotification(t.Context(), o.By, recorded.ID, "r",
			notifications.Ending{Channel: notification.SMS, Failure: notification.Expired})
		require.NoError(t, err)
		require.Equal(t, notification.Superseded, settled.Failure)
	})
}

// requireSuperseded settles a message that no longer holds, and looks for it among the
// failures.
func requireSuperseded(t *testing.T, o *operationstest.Postbox, id int64) {
	t.Helper()
	channel := notification.Channel(operationstest.One[string](o.Office, "select channel from notifications where org_id = 1 and id = $1", id))
	settled, err := o.Notifications.SettleNotification(t.Context(), o.By, id, "r",
		notifications.Ending{Channel: channel, Failure: notification.Superseded})
	require.NoError(t, err)
	require.Equal(t, notifications.SettledMessage{Status: notification.Failed, Failure: notification.Superseded}, settled)
	require.Equal(t, "notification.queued notification.superseded", o.Kinds(id))
	search := store.LogSearch{Channel: channel, Statuses: []string{"failed"}, Page: store.Page{Number: 1, Size: 10}}
	day := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	for _, date := range []*time.Time{nil, &day} {
		search.OrderDate = date
		_, total, err := o.Store.SearchLog(t.Context(), 1, search)
		require.NoError(t, err)
		require.Zero(t, total)
	}
	failed, err := o.Store.CountFailures(t.Context(), 1, notification.Selection{Until: time.Now().Add(time.Hour), DeadAddresses: true})
	require.NoError(t, err)
	require.Empty(t, failed)
	_, err = o.Notifications.RetryNotification(t.Context(), o.By, id)
	require.ErrorContains(t, err, "notification.superseded")
}

// TestACorrectedReceiverGetsTheCorrectedMessage corrects an order while its message waits.
func TestACorrectedReceiverGetsTheCorrectedMessage(t *testing.T) {
	t.Parallel()
	o := operationstest.NewPostbox(t, nil)
	id := o.Record("order.created", operationstest.MailOfCreated).ID
	o.Do(`update stop_contacts set email_address = 'right@example.com';
		update order_stops set earliest = '2026-11-24 09:00Z' where kind = 'delivery'`)
	require.Equal(t, notification.Sent, o.Deliver(id).Status)
	require.Len(t, o.Mails, 1)
	require.Equal(t, "right@example.com", o.Mails[0].To)
	require.Equal(t, "From 24 November 2026, 10:00", o.Mails[0].Text)
	require.Equal(t, "right@example.com From 24 November 2026, 10:00", operationstest.One[string](o.Office,
		"select receiver || ' ' || body from notifications where org_id = 1 and id = $1", id), "the log shows what was sent")

	// What may have arrived stays as it is for the same receiver, and is new to another.
	o.Fault = &providers.Fault{Failure: notification.Unavailable, Passing: true, Unanswered: true}
	id = o.Record("order.created", operationstest.MailOfCreated).ID
	require.Equal(t, notification.Unavailable, o.Refused(id))
	o.Do("update order_stops set earliest = '2026-11-24 08:00Z' where kind = 'delivery'")
	o.LongAgo(id, 6*time.Minute)
	require.Equal(t, notification.Unavailable, o.Refused(id))
	require.Equal(t, o.Mails[1], o.Mails[2], "the repeat is the same")
	o.Do("update stop_contacts set email_address = 'third@example.com'")
	o.LongAgo(id, time.Hour)
	o.Fault = nil
	require.Equal(t, notification.Sent, o.Deliver(id).Status)
	require.Equal(t, "third@example.com", o.Mails[3].To)
	require.Equal(t, "From 24 November 2026, 09:00", o.Mails[3].Text)
}

// TestMessagesOfAnOrderLeaveInTheOrderOfItsEvents has the first one wait for its server.
func TestMessagesOfAnOrderLeaveInTheOrderOfItsEvents(t *testing.T) {
	t.Parallel()
	o := operationstest.NewPostbox(t, nil)
	created, text := o.Record("order.created", operationstest.MailOfCreated).ID, o.Record("order.created", operationstest.TextOfCreated).ID
	delivered := o.Record("order.delivered", operationstest.MailOfDelivered).ID
	require.Equal(t, 5*time.Second, o.Postponed(delivered))
	require.Empty(t, o.Mails)
	require.Equal(t, notification.Sent, o.Deliver(text).Status, "another receiver waits for nobody")
	require.Equal(t, notification.Sent, o.Deliver(created).Status)
	require.Equal(t, notification.Sent, o.Deliver(delivered).Status)

	// It does not wait for ever.
	o.Record("order.created", operationstest.MailOfCreated)
	delivered = o.Record("order.delivered", operationstest.MailOfDelivered).ID
	require.NotZero(t, o.Postponed(delivered))
	o.Do("update notifications set created_at = created_at - interval '10 minutes'")
	require.Equal(t, notification.Sent, o.Deliver(delivered).Status)
}

// TestUnloggedMessageIsNotOvertaken has the worker of the first message die before
// it wrote a row.
func TestUnloggedMessageIsNotOvertaken(t *testing.T) {
	t.Parallel()
	o := operationstest.NewPostbox(t, nil)
	kinds := []string{"order.created", "order.delivered", "order.failed"}
	rules := []int64{operationstest.MailOfCreated, operationstest.MailOfDelivered, operationstest.MailOfFailed}
	var due []store.DueNotification
	for i, kind := range kinds {
		key := notification.Key{EventID: o.Happened(kind), RuleID: rules[i]}
		due = append(due, store.DueNotification{OrgID: 1, Key: key, Channel: notification.Email, OrderID: 1})
	}
	require.NoError(t, o.Store.HandOver(t.Context(), due))
	require.NoError(t, o.Store.HandOver(t.Context(), due), "a batch that is handed twice")
	delivered := o.Written(due[1].Key).ID
	require.Equal(t, 5*time.Second, o.Postponed(delivered), "the first is not in the log, but comes")
	created := o.Written(due[0].Key).ID
	require.Equal(t, notification.Sent, o.Deliver(created).Status)
	require.Equal(t, notification.Sent, o.Deliver(delivered).Status, "nobody waits for a later one")

	// One about which nothing is to be said any more is waited for no longer.
	last := o.Record("order.delivered", operationstest.MailOfDelivered).ID
	require.NotZero(t, o.Postponed(last))
	o.Do("delete from notification_rules where id = 7")
	require.Zero(t, o.Written(due[2].Key).ID)
	require.Equal(t, notification.Sent, o.Deliver(last).Status)
	require.Zero(t, operationstest.One[int](o.Office, "select count(*)::int from notification_handovers"))

	// What is in the log is not noted again, and nobody waits for ever for what never comes.
	require.NoError(t, o.Store.HandOver(t.Context(), due[:1]))
	require.Zero(t, operationstest.One[int](o.Office, "select count(*)::int from notification_handovers"))
	lost := store.DueNotification{
		OrgID: 1, Key: notification.Key{EventID: o.Happened("order.created"), RuleID: 99}, Channel: notification.Email, OrderID: 1,
	}
	require.NoError(t, o.Store.HandOver(t.Context(), []store.DueNotification{lost}))
	last = o.Record("order.delivered", operationstest.MailOfDelivered).ID
	require.NotZero(t, o.Postponed(last))
	o.Do("update notification_handovers set handed_at = handed_at - interval '10 minutes'")
	require.Equal(t, notification.Sent, o.Deliver(last).Status)
	o.Do("update notification_handovers set handed_at = handed_at - interval '1 hour'")
	require.NoError(t, o.Store.HandOver(t.Context(), due[:1]))
	require.Zero(t, operationstest.One[int](o.Office, "select count(*)::int from notification_handovers"))
}

// TestAttemptsWithTheSameAnswerAreOneStep has a server be away, and then answer otherwise.
func TestAttemptsWithTheSameAnswerAreOneStep(t *testing.T) {
	t.Parallel()
	o := operationstest.NewPostbox(t, nil)
	id := o.Record("order.created", operationstest.MailOfCreated).ID
	refused := func(times int, fault *providers.Fault) {
		o.Fault = fault
		for range times {
			_, err := o.Notifications.SendNotification(t.Context(), o.By, id)
			var refused *notifications.SendingRefused
			require.ErrorAs(t, err, &refused)
		}
	}
	refused(4, &providers.Fault{Failure: notification.Unavailable, Passing: true, Code: "421", Answer: "closing"})
	refused(2, &providers.Fault{Failure: notification.Unavailable, Passing: true, Code: "451", Answer: "later"})
	refused(1, &providers.Fault{Failure: notification.Unavailable, Passing: true, Code: "421", Answer: "closing"})
	o.Fault = nil
	require.Equal(t, notification.Sent, o.Deliver(id).Status)
	require.Equal(t, "queued 1, attempt 1, fault 4 421, attempt 1, fault 2 451, attempt 1, fault 1 421, attempt 1, sent 1",
		operationstest.One[string](o.Office, `select string_agg(kind || ' ' || times || case kind when 'fault' then ' ' || right(code, 3) else '' end,
			', ' order by id) from notification_steps where org_id = 1 and notification_id = 100`))
	require.Equal(t, 2, operationstest.One[int](o.Office, "select count(*)::int from notification_steps where last_at > at"))
	require.Equal(t, 8, operationstest.One[int](o.Office, "select attempts::int from notifications where org_id = 1 and id = 100"))
}

// TestDoubtIsNotFailure has a provider take a message and not say so.
func TestDoubtIsNotFailure(t *testing.T) {
	t.Parallel()
	unclear := &providers.Fault{Failure: notification.Unavailable, Passing: true, Unanswered: true}
	waits := func(o *operationstest.Postbox, id int64) time.Duration {
		_, err := o.Notifications.SendNotification(t.Context(), o.By, id)
		var refused *notifications.SendingRefused
		require.ErrorAs(t, err, &refused)
		return refused.RetryAfter
	}

	t.Run("AReceiptSettlesIt", func(t *testing.T) {
		t.Parallel()
		o := operationstest.NewPostbox(t, nil)
		o.Fault = unclear
		id := o.Record("order.created", operationstest.MailOfCreated).ID
		require.Equal(t, 5*time.Minute, waits(o, id))
		require.InDelta(t, 5*time.Minute, o.Postponed(id), float64(time.Minute))
		require.Equal(t, notification.Delivered, o.Reported(operationstest.Report(id, "a", notification.ReportedDelivered)).Messages[0].Status)
		require.Equal(t, notification.Delivered, o.Deliver(id).Status)
		require.Len(t, o.Mails, 1)
		require.Equal(t, "notification.queued notification.delivered", o.Kinds(id))
	})

	t.Run("SoDoesOneThatCameBeforeAWorkerDied", func(t *testing.T) {
		t.Parallel()
		o := operationstest.NewPostbox(t, nil)
		o.Fault = unclear
		id := o.Record("order.created", operationstest.MailOfCreated).ID
		waits(o, id)
		o.Do("delete from notification_steps where kind = 'fault'") // as if nobody had noted it
		require.Equal(t, notification.Queued, o.Reported(operationstest.Report(id, "a", notification.ReportedDelivered)).Messages[0].Status)
		require.Equal(t, notification.Delivered, o.Deliver(id).Status)
		require.Len(t, o.Mails, 1)
	})

	t.Run("WithoutOneItIsSentAndUncertain", func(t *testing.T) {
		t.Parallel()
		o := operationstest.NewPostbox(t, nil)
		o.Fault = unclear
		id := o.Record("order.created", operationstest.MailOfCreated).ID
		waits(o, id)
		o.LongAgo(id, 6*time.Minute)
		require.Equal(t, 30*time.Minute, waits(o, id))
		o.LongAgo(id, 31*time.Minute)
		require.Equal(t, notification.Uncertain, o.Refused(id))
		require.Len(t, o.Mails, 2, "the repeat, and no more")
		require.Equal(t, notifications.SettledMessage{Status: notification.Sent},
			o.Settle(id, notifications.Ending{Failure: notification.Uncertain}))
		shown := func() string {
			return operationstest.One[string](o.Office, `select concat_ws(' ', email ->> 'status', email ->> 'uncertain', email ->> 'failureReason')
				from notification_log where org_id = 1 and id = $1`, id)
		}
		require.Equal(t, "sent true", shown())
		_, err := o.Notifications.RetryNotification(t.Context(), o.By, id)
		require.NoError(t, err, "a person may know better")
		failed, err := o.Store.CountFailures(t.Context(), 1, notification.Selection{Until: time.Now().Add(time.Hour), DeadAddresses: true})
		require.NoError(t, err)
		require.Empty(t, failed)
		require.Equal(t, notification.Delivered, o.Reported(operationstest.Report(id, "a", notification.ReportedDelivered)).Messages[0].Status)
		require.Equal(t, "delivered", shown())
		_, err = o.Notifications.RetryNotification(t.Context(), o.By, id)
		require.ErrorContains(t, err, "notification.not_failed")
	})

	t.Run("NothingIsSentAgainThatHasAReceipt", func(t *testing.T) {
		t.Parallel()
		o := operationstest.NewPostbox(t, nil)
		id := o.Record("order.created", operationstest.MailOfCreated).ID
		require.Equal(t, notification.Failed, o.Settle(id, notifications.Ending{Failure: notification.Rejected}).Status)
		_, err := o.Notifications.RetryNotification(t.Context(), o.By, id)
		require.NoError(t, err)
		o.Reported(operationstest.Report(id, "a", notification.ReportedDelivered))
		_, err = o.Notifications.RetryNotification(t.Context(), o.By, id)
		require.ErrorContains(t, err, "notification.received")
	})
}

// TestNoWaitForImpossibleReport counts on providers that report.
func TestNoWaitForImpossibleReport(t *testing.T) {
	t.Parallel()
	plain := operationstest.NewPostbox(t, nil)
	require.Zero(t, plain.Record("order.created", operationstest.MailOfCreated).ReportWait, "mail servers report nothing")
	require.Equal(t, 72*time.Hour, plain.Record("order.created", operationstest.TextOfCreated).ReportWait)
	plain.Do("insert into messaging_settings (org_id, postmark_login) values (1, 'WAYBILL_POSTMARK_ONE')")
	require.Equal(t, 72*time.Hour, plain.Record("order.created", operationstest.MailOfCreated).ReportWait)
	plain.Do("update organizations set sandbox = true where id = 1")
	require.Zero(t, plain.Record("order.created", operationstest.TextOfCreated).ReportWait, "nothing goes out")
	reporting := operationstest.NewPostbox(t, func(m *notifications.Messaging) { m.MailReports = true })
	require.Equal(t, 72*time.Hour, reporting.Record("order.created", operationstest.MailOfCreated).ReportWait)
}

// TestTextsAreNotDeliveredLate gives the provider as much time as the message has.
func TestTextsAreNotDeliveredLate(t *testing.T) {
	t.Parallel()
	o := operationstest.NewPostbox(t, nil)
	o.Deliver(o.Record("order.created", operationstest.TextOfCreated).ID)
	arrived := o.Record("stop.arrived", operationstest.TextOfArrived).ID
	o.Now = o.Now.Add(5 * time.Minute)
	o.Deliver(arrived)
	o.Now = o.Now.Add(4*time.Hour - 5*time.Minute)
	o.Deliver(o.Record("stop.approaching", operationstest.TextOfApproaches).ID)
	o.Mu.Lock()
	defer o.Mu.Unlock()
	require.Equal(t, 3*time.Hour, o.Texts[0].Validity, "until the pickup is over")
	require.Equal(t, 10*time.Minute, o.Texts[1].Validity)
	require.Equal(t, time.Hour, o.Texts[2].Validity)
}

// TestAbandonedAttemptKeepsItsResult gives up while the server takes the message.
func TestAbandonedAttemptKeepsItsResult(t *testing.T) {
	t.Parallel()
	l := operationstest.NewLetters(t, 1)
	ctx, giveUp := context.WithCancel(t.Context())
	l.Answer = func() error {
		giveUp()
		return nil
	}
	sent, err := l.Notifications.SendNotification(ctx, caller.Service(1, "notification/1/1"), 1)
	require.NoError(t, err)
	require.Equal(t, notifications.SentMessage{Status: notification.Sent}, sent)
	require.Equal(t, notification.Sent, l.Status(1))
}

// TestMessagesWithTimesWaitForTheRelease records a message that says when the driver comes, days ahead.
func TestMessagesWithTimesWaitForTheRelease(t *testing.T) {
	t.Parallel()
	o := operationstest.NewPostbox(t, nil)
	o.Do(`insert into departments (org_id, id, name, release_minute) values (1, 1, 'Oslo', 17 * 60);
		insert into plans (org_id, id, department_id, day) values (1, 1, 1, '2026-11-24');
		update orders set department_id = 1;
		update notification_rules set body = 'We come at {{ stop.arrival }}' where id = 2;
		insert into notification_rules (org_id, id, event, channel, receiver, body, days_ahead) values
			(1, 20, 'ORDER_REMINDER', 'EMAIL', 'DELIVERY_CONTACTS', 'We come at {{ stop.eta }}', 3)`)
	due := time.Date(2026, 11, 23, 16, 0, 0, 0, time.UTC) // 17:00 in Oslo
	o.Now = due.Add(-40 * time.Hour)
	times := []int64{o.Record("order.created", operationstest.MailOfCreated).ID, o.Record("order.coming_up", 20).ID}
	require.Equal(t, &due, o.Record("order.created", operationstest.MailOfCreated).ReleaseAt)
	others := o.Record("order.created", operationstest.TextOfCreated)
	require.Nil(t, others.ReleaseAt)
	require.Equal(t, 15*time.Minute, o.Postponed(times[0]))
	o.Now = due.Add(-10 * time.Minute)
	require.Equal(t, 10*time.Minute, o.Postponed(times[1]))
	o.Now = due.Add(time.Minute)
	require.Equal(t, time.Minute, o.Postponed(times[0]), "the plan is late")
	require.Empty(t, o.Mails)

	o.Do("update departments set release_minute = 18 * 60")
	require.Equal(t, 15*time.Minute, o.Postponed(times[0]), "the setting has changed")
	o.Do("update plans set released_at = now()")
	require.Equal(t, notification.Sent, o.Deliver(times[0]).Status)
	require.Equal(t, notification.Sent, o.Deliver(times[1]).Status)

	o.Do("update plans set released_at = null; update departments set release_minute = null")
	require.Nil(t, o.Record("order.created", operationstest.MailOfCreated).ReleaseAt, "nobody waits for what does not happen")
}

// TestAWindowOpensAfterTheRelease has a rule with a send window.
func TestAWindowOpensAfterTheRelease(t *testing.T) {
	t.Parallel()
	o := operationstest.NewPostbox(t, nil)
	o.Do(`insert into departments (org_id, id, name, release_minute) values (1, 1, 'Oslo', 17 * 60);
		update orders set department_id = 1;
		update notification_rules set window_from = 8 * 60, window_to = 20 * 60 where id in (2, 4);
		update notification_rules set body = 'We come at {{ stop.arrival }}' where id = 2`)
	due := time.Date(2026, 11, 23, 16, 0, 0, 0, time.UTC)
	o.Now = due.Add(-30 * time.Hour)
	closes := time.Date(2026, 11, 23, 19, 0, 0, 0, time.UTC)
	require.Equal(t, closes, o.Record("order.created", operationstest.MailOfCreated).SendUntil.UTC())
	require.Equal(t, closes.AddDate(0, 0, -1), o.Record("order.created", operationstest.TextOfCreated).SendUntil.UTC())
}
