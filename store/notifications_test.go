package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

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
		insert into organizations (id, slug, name, timezone)
			values (1, 'org-1', 'Org', 'Europe/Oslo'), (2, 'org-2', 'Org', 'Europe/Oslo');
		insert into notification_rules (org_id, id, event, channel, receiver)
			select o, 1, 'ORDER_CREATED', 'EMAIL', 'CUSTOMER' from generate_series(1, 2) o;
		insert into notifications (org_id, id, channel, key, workflow_id, run_id, event, event_id, rule_id, receiver,
			sender, provider, status)
			select o, i, 'EMAIL', i || '-1-0', 'w' || i, 'r', 'ORDER_CREATED', i, 1, 'name' || md5(i::text) || '@example.com',
				'a@b.example', 'smtp', 'queued'
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
	l.Pool.Reset() // The connection reports its statistics when it ends.
	require.Eventually(t, func() bool { return value[int64](t, l, uses) > before }, 20*time.Second, 50*time.Millisecond)
}
