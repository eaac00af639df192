package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/store"
	"waybill/store/storetest"
)

// TestOnlyTheLeaderGivesPositions tries with an expired lease, and with another
// member's.
func TestOnlyTheLeaderGivesPositions(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	happen := func() {
		_, err := owner.Exec(t.Context(), `
insert into organizations (id, slug, name, timezone, language) overriding system value
values (1, 'one', 'One', 'UTC', 'en') on conflict do nothing;
insert into events (org_id, kind, subject_type, subject_id, actor, cause)
values (1, 'order.created', 'order', 1, 'system', 'test')`)
		require.NoError(t, err)
	}
	expire := func() {
		_, err := owner.Exec(t.Context(), "update relay_members set expires_at = clock_timestamp()")
		require.NoError(t, err)
	}
	s := store.New(db.Pool)
	first, second := s.NewRelayMember("first", time.Minute), s.NewRelayMember("second", time.Minute)
	beat := func(m *store.RelayMember) store.Standing {
		standing, err := m.Beat(t.Context(), nil)
		require.NoError(t, err)
		return standing
	}
	refused := func(m *store.RelayMember, why string) {
		t.Helper()
		_, err := m.Sequence(t.Context(), 10)
		require.ErrorIs(t, err, store.ErrNotLeading, why)
		require.Equal(t, 1, countUnsequenced(t, owner))
	}
	happen()
	refused(first, "it has not joined")
	require.True(t, beat(first).Leads)
	require.False(t, beat(second).Leads)
	refused(second, "another one leads")
	expire()
	refused(first, "its lease has run out, though nobody else leads yet")
	require.True(t, beat(second).Leads)
	refused(first, "another one leads")
	require.False(t, beat(first).Leads)
	given, err := second.Sequence(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, 1, given)

	// While positions are being assigned, nobody takes the lead.
	tx, err := owner.Begin(t.Context())
	require.NoError(t, err)
	happen()
	_, err = tx.Exec(t.Context(), "select from event_sequencer for update")
	require.NoError(t, err)
	other, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = other.Close(context.Background()) })
	_, err = other.Exec(t.Context(), "update relay_members set expires_at = clock_timestamp()")
	require.NoError(t, err)
	require.False(t, beat(first).Leads, "it does not wait for long either")
	require.NoError(t, tx.Commit(t.Context()))
	require.True(t, beat(first).Leads)
	refused(second, "it leads no more")
}

func countUnsequenced(t *testing.T, owner *pgx.Conn) (count int) {
	t.Helper()
	require.NoError(t, owner.QueryRow(t.Context(), "select count(*) from events where position is null").Scan(&count))
	return count
}
