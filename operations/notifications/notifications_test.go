package notifications_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/operations/notifications"
	"waybill/operations/operationstest"
	"waybill/providers"
)

// TestReportsMoveMessagesOnlyForwards lets reports come early, twice, late and
// at the same moment.
func TestReportsMoveMessagesOnlyForwards(t *testing.T) {
	t.Parallel()
	l := operationstest.NewLetters(t, 10)
	after := func(id int64, key string, says notification.Outcome) notification.Status {
		taken := l.Reported(operationstest.Report(id, key, says))
		require.Zero(t, taken.Unknown)
		return taken.Messages[0].Status
	}

	// Early: kept, and taken up once it is sent.
	require.Equal(t, notification.Queued, after(1, "a", notification.ReportedDelivered))
	require.Equal(t, notification.Delivered, l.Deliver(1).Status, "the sender hears of it")
	require.Equal(t, notification.Delivered, l.Status(1))
	require.Equal(t, notification.Delivered, after(1, "b", notification.ReportedBounced), "contradictory")

	// Twice, then late.
	require.Equal(t, notification.Sent, l.Deliver(2).Status)
	require.Equal(t, notification.Bounced, after(2, "a", notification.ReportedBounced))
	require.Equal(t, notification.Bounced, after(2, "a", notification.ReportedBounced))
	require.Equal(t, notification.Bounced, after(2, "b", notification.ReportedDelivered))
	steps := operationstest.One[int](l.Office, "select count(*)::int from notification_steps where org_id = 1 and notification_id = 2")
	require.Equal(t, 5, steps, "attempt, sent, report, bounced, report")
	require.Equal(t, 1, operationstest.One[int](l.Office, "select count(*)::int from suppressions where org_id = 1"))

	// At the same moment, one of them counts.
	l.Deliver(3)
	done := make(chan error, 2)
	for _, says := range []notification.Outcome{notification.ReportedDelivered, notification.ReportedSpam} {
		go func() {
			_, err := l.Notifications.TakeReports(t.Context(), l.By, notification.Email, []notification.Report{operationstest.Report(3, string(says), says)})
			done <- err
		}()
	}
	require.NoError(t, <-done)
	require.NoError(t, <-done)
	require.True(t, l.Status(3).Final())
	require.Equal(t, 1, operationstest.One[int](l.Office, `select count(*)::int from events
		where org_id = 1 and notification_id = 3 and kind in ('notification.delivered', 'notification.spam')`))
}

// TestAnEarlyReportIsTakenUpLater is of a worker that dies between the two.
func TestAnEarlyReportIsTakenUpLater(t *testing.T) {
	t.Parallel()
	l := operationstest.NewLetters(t, 1)
	l.Reported(operationstest.Report(1, "a", notification.ReportedBounced))
	_, err := l.Owner.Exec(t.Context(), "update notifications set status = 'sent' where org_id = 1 and id = 1")
	require.NoError(t, err)
	require.Equal(t, notification.Bounced, l.Settle(1, notifications.Ending{}).Status)
	require.Equal(t, notification.Bounced, l.Status(1))
	require.Equal(t, "name1@example.com", operationstest.One[string](l.Office, "select address from suppressions where org_id = 1"))
}

// TestAReportOfAnUnknownMessageMovesNoOther mixes reports of what others sent
// into a batch that also speaks of ours, which have no provider's id.
func TestAReportOfAnUnknownMessageMovesNoOther(t *testing.T) {
	t.Parallel()
	l := operationstest.NewLetters(t, 3)
	for id := range int64(3) {
		l.Settle(id+1, notifications.Ending{})
	}
	taken := l.Reported(
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
	require.Zero(t, operationstest.One[int](l.Office, "select count(*)::int from suppressions"))
	require.Equal(t, 2, operationstest.One[int](l.Office, `
		select count(*)::int from notification_steps where org_id = 1 and kind = 'report'`))

	// Another organization's message is unknown, too.
	other := caller.Caller{OrgID: 2, Kind: caller.Provider, Name: "test", Cause: "test"}
	reports := []notification.Report{operationstest.Report(99, "x", notification.ReportedDelivered)}
	taken, err := l.Notifications.TakeReports(t.Context(), other, notification.Email, reports)
	require.NoError(t, err)
	require.Equal(t, 1, taken.Unknown)
}

// TestAttemptsWithoutAnAnswerAreFew is the limit of at-least-once: a message
// is repeated once at most.
func TestAttemptsWithoutAnAnswerAreFew(t *testing.T) {
	t.Parallel()
	l := operationstest.NewLetters(t, 3)
	l.Answer = func() error {
		return &providers.Fault{Failure: notification.Unavailable, Passing: true, Unanswered: true}
	}
	anHourAgo := func() {
		l.Do("update notification_steps set at = at - interval '1 hour' where notification_id = 1")
	}
	require.Equal(t, notification.Unavailable, l.Refused(1))
	anHourAgo()
	require.Equal(t, notification.Unavailable, l.Refused(1), "the repeat after a crash")
	anHourAgo()
	require.Equal(t, notification.Uncertain, l.Refused(1))

	l.Answer = func() error {
		return &providers.Fault{Failure: notification.Unavailable, Passing: true, Code: "451", Answer: "later"}
	}
	for range 5 {
		require.Equal(t, notification.Unavailable, l.Refused(2))
	}
	require.Equal(t, "Unavailable 451: later", operationstest.One[string](l.Office, `
		select distinct code || ': ' || answer from notification_steps
		where org_id = 1 and notification_id = 2 and kind = 'fault'`))
	require.Equal(t, notification.Failed, l.Settle(2, notifications.Ending{Failure: notification.Expired}).Status)
	require.Equal(t, notification.Failed, l.Deliver(2).Status, "what has failed is not sent")
	require.Equal(t, notification.Failed, l.Settle(2, notifications.Ending{}).Status)
}

func TestOnlyFailedMessagesAreRetriedOnce(t *testing.T) {
	t.Parallel()
	l := operationstest.NewLetters(t, 2)
	refusal := func(id int64) string {
		_, err := l.Notifications.RetryNotification(t.Context(), l.By, id)
		require.Error(t, err)
		return err.Error()
	}
	require.Contains(t, refusal(99), "notification.not_found")
	require.Contains(t, refusal(1), "notification.not_failed")
	l.Settle(1, notifications.Ending{Failure: notification.Rejected})
	require.Contains(t, refusal(1), "notification.too_old", "nobody knows any more what it was about")
	l.Do(`insert into events (org_id, id, kind, subject_type, subject_id, actor, cause, data)
		values (1, 1, 'order.created', 'order', 1, 'test', 'test', '{}')`)
	retry, err := l.Notifications.RetryNotification(t.Context(), l.By, 1)
	require.NoError(t, err)
	require.Equal(t, notification.Retry{
		Of: 1, Key: notification.Key{EventID: 1, RuleID: 1},
		Event: notification.OrderCreated, Channel: notification.Email, Try: 1,
	}, retry)
	_, err = l.Owner.Exec(t.Context(),
		"update notifications set retry_of = 1, key = '1-1-0', try = 1 where org_id = 1 and id = 2")
	require.NoError(t, err)
	require.Contains(t, refusal(1), "notification.retried")
}
