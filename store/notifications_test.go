package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/domain/notification"
	"waybill/store"
	"waybill/store/storetest"
)

// letters is an organization whose log has many messages.
type letters struct {
	*storetest.Database
	store *store.Store
	org   int64
}

func newLetters(t *testing.T, count int) *letters {
	t.Helper()
	db := storetest.New(t)
	l := &letters{Database: db, store: store.New(db.Pool), org: 1}
	l.own(t, fmt.Sprintf(`
		insert into organizations (id, slug, name, timezone) values (1, 'org-1', 'Org', 'Europe/Oslo'), (2, 'org-2', 'Org', 'Europe/Oslo');
		insert into notification_rules (org_id, id, event, channel, receiver) select o, 1, 'ORDER_CREATED', 'EMAIL', 'CUSTOMER' from generate_series(1, 2) o;
		insert into notifications (org_id, id, channel, key, workflow_id, run_id, event, event_id, rule_id, receiver, sender, provider, status)
			select o, i, 'EMAIL', i || '-1-0', 'w' || i, 'r', 'ORDER_CREATED', i, 1, 'name' || md5(i::text) || '@example.com', 'a@b.example', 'smtp', 'queued'
			from generate_series(1, 2) o, generate_series(1, %d) i`, count))
	l.own(t, "vacuum analyze notifications")
	return l
}

func (l *letters) own(t *testing.T, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), l.OwnerURL)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), sql)
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
}

func value[T any](t *testing.T, l *letters, sql string) T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), l.OwnerURL)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	var v T
	require.NoError(t, conn.QueryRow(t.Context(), sql).Scan(&v))
	return v
}

// TestAPartOfAnAddressIsFoundByTheIndex works in the application's role, below
// the policies that keep the planner from an index of LIKE.
func TestAPartOfAnAddressIsFoundByTheIndex(t *testing.T) {
	t.Parallel()
	l := newLetters(t, 20_000)
	uses := "select idx_scan from pg_stat_user_indexes where indexrelname = 'notifications_receiver_idx'"
	before := value[int64](t, l, uses)
	found, total, err := l.store.SearchLog(t.Context(), l.org, store.LogSearch{
		Channel: notification.Email, Receiver: "C4CA4238A0B9", Page: store.Page{Number: 1, Size: 10}, // the sum of 1
	})
	require.NoError(t, err)
	require.Equal(t, int64(1), total, "only the organization's own")
	require.Len(t, found, 1)
	l.Pool.Reset() // the connection tells its counts when it ends
	require.Eventually(t, func() bool { return value[int64](t, l, uses) > before }, 20*time.Second, 50*time.Millisecond)
}

// TestReportsMoveMessagesOnlyForwards lets reports come early, twice, late and
// at the same moment.
func TestReportsMoveMessagesOnlyForwards(t *testing.T) {
	t.Parallel()
	l := newLetters(t, 10)
	ctx := t.Context()
	report := func(id int64, key string, says notification.Happening) []store.Reported {
		messages, unknown, err := l.store.TakeReports(ctx, caller.Service(l.org, "test"), notification.Email, "test", []store.Report{
			{ID: id, Key: key, Says: says, OccurredAt: time.Now(), Suppress: says != notification.ReportedDelivered},
		})
		require.NoError(t, err)
		require.Zero(t, unknown)
		return messages
	}
	send := func(id int64) {
		attempt, err := l.store.BeginAttempt(ctx, caller.Service(l.org, "test"), id)
		require.NoError(t, err)
		require.True(t, attempt.Begun)
		moved, err := l.store.SettleNotification(ctx, caller.Service(l.org, "test"), id, store.Settlement{By: notification.HandedOver, Channel: notification.Email})
		require.NoError(t, err)
		require.True(t, moved)
	}
	status := func(id int64) notification.Status {
		n, err := l.store.NotificationState(ctx, l.org, id)
		require.NoError(t, err)
		return n.Status
	}

	// Early: kept, and taken up once it is sent.
	require.Equal(t, notification.Queued, report(1, "a", notification.ReportedDelivered)[0].Status)
	send(1)
	require.Equal(t, notification.Delivered, status(1))
	require.Equal(t, notification.Delivered, report(1, "b", notification.ReportedBounced)[0].Status, "contradictory")

	// Twice, then late.
	send(2)
	require.Equal(t, notification.Bounced, report(2, "a", notification.ReportedBounced)[0].Status)
	require.Equal(t, notification.Bounced, report(2, "a", notification.ReportedBounced)[0].Status)
	require.Equal(t, notification.Bounced, report(2, "b", notification.ReportedDelivered)[0].Status)
	steps, err := l.store.NotificationTimeline(ctx, l.org, notification.Email, 2)
	require.NoError(t, err)
	require.Len(t, steps, 5, "attempt, sent, report, bounced, report")
	closed, err := l.store.Suppressions(ctx, l.org)
	require.NoError(t, err)
	require.Len(t, closed, 1)

	// At the same moment, one of them counts.
	send(3)
	done := make(chan error, 2)
	for _, says := range []notification.Happening{notification.ReportedDelivered, notification.ReportedSpam} {
		go func() {
			_, _, err := l.store.TakeReports(ctx, caller.Service(l.org, "test"), notification.Email, "test", []store.Report{{ID: 3, Key: string(says), Says: says}})
			done <- err
		}()
	}
	require.NoError(t, <-done)
	require.NoError(t, <-done)
	require.True(t, status(3).Final())
	require.Equal(t, 1, value[int](t, l, "select count(*)::int from events where org_id = 1 and notification_id = 3 and kind in ('notification.delivered', 'notification.spam')"))

	// Another organization's message is unknown.
	_, unknown, err := l.store.TakeReports(ctx, caller.Service(2, "test"), notification.Email, "test", []store.Report{{ID: 99, Key: "x", Says: notification.ReportedDelivered}})
	require.NoError(t, err)
	require.Equal(t, 1, unknown)
}

// TestAReportOfAnUnknownMessageMovesNoOther mixes reports of what others sent
// into a batch that also speaks of ours, which have no provider's id.
func TestAReportOfAnUnknownMessageMovesNoOther(t *testing.T) {
	t.Parallel()
	l := newLetters(t, 3)
	ctx := t.Context()
	for id := range int64(3) {
		_, err := l.store.SettleNotification(ctx, caller.Service(l.org, "test"), id+1, store.Settlement{By: notification.HandedOver, Channel: notification.Email})
		require.NoError(t, err)
	}
	messages, unknown, err := l.store.TakeReports(ctx, caller.Service(l.org, "test"), notification.Email, "test", []store.Report{
		{ID: 1, Key: "ours", Says: notification.ReportedDelivered},
		{Key: "a stranger's", Says: notification.ReportedSpam, Suppress: true},
		{ProviderID: "a stranger's", Key: "by name", Says: notification.ReportedSpam, Suppress: true},
		{ID: 2, Key: "nothing of it", Says: notification.Noted},
		{ID: 99, Key: "of nobody", Says: notification.ReportedBounced, Suppress: true},
	})
	require.NoError(t, err)
	require.Equal(t, 3, unknown)
	require.Equal(t, []store.Reported{
		{ID: 1, WorkflowID: "w1", Status: notification.Delivered}, {ID: 2, WorkflowID: "w2", Status: notification.Sent},
	}, messages)
	closed, err := l.store.Suppressions(ctx, l.org)
	require.NoError(t, err)
	require.Empty(t, closed)
	require.Equal(t, 2, value[int](t, l, "select count(*)::int from notification_steps where org_id = 1 and kind = 'report'"))
}

// TestAttemptsWithoutAnAnswerAreFew is the limit of at-least-once: a message
// is repeated once at most.
func TestAttemptsWithoutAnAnswerAreFew(t *testing.T) {
	t.Parallel()
	l := newLetters(t, 3)
	begin := func(id int64) bool {
		attempt, err := l.store.BeginAttempt(t.Context(), caller.Service(l.org, "test"), id)
		require.NoError(t, err)
		return attempt.Begun
	}
	require.True(t, begin(1))
	require.True(t, begin(1), "the repeat after a crash")
	require.False(t, begin(1))

	for range 5 {
		require.True(t, begin(2))
		require.NoError(t, l.store.NoteFault(t.Context(), l.org, 2, "Unavailable 451", "later", true))
	}
	require.NoError(t, func() error {
		_, err := l.store.SettleNotification(t.Context(), caller.Service(l.org, "test"), 2, store.Settlement{
			By: notification.SendingFailed, Channel: notification.Email, Failure: notification.Expired,
		})
		return err
	}())
	require.False(t, begin(2), "what has failed is not sent")
	moved, err := l.store.SettleNotification(t.Context(), caller.Service(l.org, "test"), 2, store.Settlement{By: notification.HandedOver, Channel: notification.Email})
	require.NoError(t, err)
	require.False(t, moved)
}
