package operations_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/providers"
)

// letters is an organization whose log has messages that wait to be sent. Mail
// answers as answer says.
type letters struct {
	*office

	by     caller.Caller
	answer func() error
}

// Send implements notifications.MailSender.
func (l *letters) Send(context.Context, string, providers.Email) error {
	if l.answer == nil {
		return nil
	}
	return l.answer()
}

func newLetters(t *testing.T, count int) *letters {
	t.Helper()
	l := &letters{office: newOffice(t), by: caller.Service(1, "notification/1/1")}
	l.Operations = operations.New(l.store, time.Now, operations.Settings{
		Messaging: notifications.Messaging{Mail: l, Secrets: func(string) string { return "" }},
	})
	_, err := l.owner.Exec(t.Context(), fmt.Sprintf(`
		insert into organizations (id, slug, name, timezone)
			select o, 'org-' || o, 'Org', 'Europe/Oslo' from generate_series(1, 2) o;
		insert into notification_rules (org_id, id, event, channel, receiver)
			select o, 1, 'ORDER_CREATED', 'EMAIL', 'CUSTOMER' from generate_series(1, 2) o;
		insert into notifications (org_id, id, channel, key, workflow_id, run_id,
				event, event_id, rule_id, receiver, sender, provider, status)
			select o, i, 'EMAIL', i || '-1-0', 'w' || i, 'r',
				'ORDER_CREATED', i, 1, 'name' || i || '@example.com', 'a@b.example', 'smtp', 'queued'
			from generate_series(1, 2) o, generate_series(1, %d) i`, count))
	require.NoError(t, err)
	return l
}

func (l *letters) status(id int64) notification.Status {
	return notification.Status(one[string](l.office, "select status from notifications where org_id = 1 and id = $1", id))
}

// reported takes reports of one provider.
func (l *letters) reported(reports ...notification.Report) notifications.TakenReports {
	l.t.Helper()
	by := caller.Caller{OrgID: 1, Kind: caller.Provider, Name: "test", Cause: "test"}
	taken, err := l.Notifications.TakeReports(l.t.Context(), by, notification.Email, reports)
	require.NoError(l.t, err)
	return taken
}

// report is a report of one message of ours.
func report(id int64, key string, says notification.Outcome) notification.Report {
	return notification.Report{
		ID: id, Key: key, Says: says, OccurredAt: time.Now(), Suppress: says != notification.ReportedDelivered,
	}
}

func (l *letters) send(id int64) notifications.SentMessage {
	l.t.Helper()
	sent, err := l.Notifications.SendNotification(l.t.Context(), l.by, id)
	require.NoError(l.t, err)
	require.False(l.t, sent.Unrecorded)
	return sent
}

// refused is why an attempt to send a message failed.
func (l *letters) refused(id int64) notification.Failure {
	l.t.Helper()
	_, err := l.Notifications.SendNotification(l.t.Context(), l.by, id)
	var refused *notifications.SendingRefused
	require.ErrorAs(l.t, err, &refused)
	require.NoError(l.t, refused.Unnoted)
	return refused.Failure
}

func (l *letters) settle(id int64, end notifications.Ending) notifications.SettledMessage {
	l.t.Helper()
	end.Channel = notification.Email
	settled, err := l.Notifications.SettleNotification(l.t.Context(), l.by, id, "r", end)
	require.NoError(l.t, err)
	return settled
}

// TestReportsMoveMessagesOnlyForwards lets reports come early, twice, late and
// at the same moment.
func TestReportsMoveMessagesOnlyForwards(t *testing.T) {
	t.Parallel()
	l := newLetters(t, 10)
	after := func(id int64, key string, says notification.Outcome) notification.Status {
		taken := l.reported(report(id, key, says))
		require.Zero(t, taken.Unknown)
		return taken.Messages[0].Status
	}

	// Early: kept, and taken up once it is sent.
	require.Equal(t, notification.Queued, after(1, "a", notification.ReportedDelivered))
	require.Equal(t, notification.Delivered, l.send(1).Status, "the sender hears of it")
	require.Equal(t, notification.Delivered, l.status(1))
	require.Equal(t, notification.Delivered, after(1, "b", notification.ReportedBounced), "contradictory")

	// Twice, then late.
	require.Equal(t, notification.Sent, l.send(2).Status)
	require.Equal(t, notification.Bounced, after(2, "a", notification.ReportedBounced))
	require.Equal(t, notification.Bounced, after(2, "a", notification.ReportedBounced))
	require.Equal(t, notification.Bounced, after(2, "b", notification.ReportedDelivered))
	steps := one[int](l.office, "select count(*)::int from notification_steps where org_id = 1 and notification_id = 2")
	require.Equal(t, 5, steps, "attempt, sent, report, bounced, report")
	require.Equal(t, 1, one[int](l.office, "select count(*)::int from suppressions where org_id = 1"))

	// At the same moment, one of them counts.
	l.send(3)
	done := make(chan error, 2)
	for _, says := range []notification.Outcome{notification.ReportedDelivered, notification.ReportedSpam} {
		go func() {
			_, err := l.Notifications.TakeReports(t.Context(), l.by, notification.Email, []notification.Report{report(3, string(says), says)})
			done <- err
		}()
	}
	require.NoError(t, <-done)
	require.NoError(t, <-done)
	require.True(t, l.status(3).Final())
	require.Equal(t, 1, one[int](l.office, `select count(*)::int from events
		where org_id = 1 and notification_id = 3 and kind in ('notification.delivered', 'notification.spam')`))
}

// TestAnEarlyReportIsTakenUpLater is of a worker that dies between the two.
func TestAnEarlyReportIsTakenUpLater(t *testing.T) {
	t.Parallel()
	l := newLetters(t, 1)
	l.reported(report(1, "a", notification.ReportedBounced))
	_, err := l.owner.Exec(t.Context(), "update notifications set status = 'sent' where org_id = 1 and id = 1")
	require.NoError(t, err)
	require.Equal(t, notification.Bounced, l.settle(1, notifications.Ending{}).Status)
	require.Equal(t, notification.Bounced, l.status(1))
	require.Equal(t, "name1@example.com", one[string](l.office, "select address from suppressions where org_id = 1"))
}

// TestAReportOfAnUnknownMessageMovesNoOther mixes reports of what others sent
// into a batch that also speaks of ours, which have no provider's id.
func TestAReportOfAnUnknownMessageMovesNoOther(t *testing.T) {
	t.Parallel()
	l := newLetters(t, 3)
	for id := range int64(3) {
		l.settle(id+1, notifications.Ending{})
	}
	taken := l.reported(
		notification.Report{ID: 1, Key: "ours", Says: notification.ReportedDelivered},
		notification.Report{Key: "a stranger's", Says: notification.ReportedSpam, Suppress: true},
		notification.Report{ProviderID: "a stranger's", Key: "by name", Says: notification.ReportedSpam, Suppress: true},
		notification.Report{ID: 2, Key: "nothing of it", Says: notification.Noted},
		notification.Report{ID: 99, Key: "of nobody", Says: notification.ReportedBounced, Suppress: true},
	)
	require.Equal(t, 3, taken.Unknown)
	require.Equal(t, []notifications.ReportedMessage{
		{ID: 1, WorkflowID: "w1", Status: notification.Delivered}, {ID: 2, WorkflowID: "w2", Status: notification.Sent},
	}, taken.Messages)
	require.Zero(t, one[int](l.office, "select count(*)::int from suppressions"))
	require.Equal(t, 2, one[int](l.office, `
		select count(*)::int from notification_steps where org_id = 1 and kind = 'report'`))

	// Another organization's message is unknown, too.
	other := caller.Caller{OrgID: 2, Kind: caller.Provider, Name: "test", Cause: "test"}
	reports := []notification.Report{report(99, "x", notification.ReportedDelivered)}
	taken, err := l.Notifications.TakeReports(t.Context(), other, notification.Email, reports)
	require.NoError(t, err)
	require.Equal(t, 1, taken.Unknown)
}

// TestAttemptsWithoutAnAnswerAreFew is the limit of at-least-once: a message
// is repeated once at most.
func TestAttemptsWithoutAnAnswerAreFew(t *testing.T) {
	t.Parallel()
	l := newLetters(t, 3)
	l.answer = func() error {
		return &providers.Fault{Failure: notification.Unavailable, Passing: true, Unanswered: true}
	}
	anHourAgo := func() {
		l.do("update notification_steps set at = at - interval '1 hour' where notification_id = 1")
	}
	require.Equal(t, notification.Unavailable, l.refused(1))
	anHourAgo()
	require.Equal(t, notification.Unavailable, l.refused(1), "the repeat after a crash")
	anHourAgo()
	require.Equal(t, notification.Uncertain, l.refused(1))

	l.answer = func() error {
		return &providers.Fault{Failure: notification.Unavailable, Passing: true, Code: "451", Answer: "later"}
	}
	for range 5 {
		require.Equal(t, notification.Unavailable, l.refused(2))
	}
	require.Equal(t, "Unavailable 451: later", one[string](l.office, `
		select distinct code || ': ' || answer from notification_steps
		where org_id = 1 and notification_id = 2 and kind = 'fault'`))
	require.Equal(t, notification.Failed, l.settle(2, notifications.Ending{Failure: notification.Expired}).Status)
	require.Equal(t, notification.Failed, l.send(2).Status, "what has failed is not sent")
	require.Equal(t, notification.Failed, l.settle(2, notifications.Ending{}).Status)
}

func TestOnlyWhatFailedIsRetriedAndOnce(t *testing.T) {
	t.Parallel()
	l := newLetters(t, 2)
	refusal := func(id int64) string {
		_, err := l.Notifications.RetryNotification(t.Context(), l.by, id)
		require.Error(t, err)
		return err.Error()
	}
	require.Contains(t, refusal(99), "notification.not_found")
	require.Contains(t, refusal(1), "notification.not_failed")
	l.settle(1, notifications.Ending{Failure: notification.Rejected})
	require.Contains(t, refusal(1), "notification.too_old", "nobody knows any more what it was about")
	l.do(`insert into events (org_id, id, kind, subject_type, subject_id, actor, cause, data)
		values (1, 1, 'order.created', 'order', 1, 'test', 'test', '{}')`)
	retry, err := l.Notifications.RetryNotification(t.Context(), l.by, 1)
	require.NoError(t, err)
	require.Equal(t, notification.Retry{
		Of: 1, Key: notification.Key{EventID: 1, RuleID: 1},
		Event: notification.OrderCreated, Channel: notification.Email, Try: 1,
	}, retry)
	_, err = l.owner.Exec(t.Context(),
		"update notifications set retry_of = 1, key = '1-1-0', try = 1 where org_id = 1 and id = 2")
	require.NoError(t, err)
	require.Contains(t, refusal(1), "notification.retried")
}
