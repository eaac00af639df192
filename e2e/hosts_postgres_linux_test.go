package e2e_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"waybill/testing/stack"
)

func (s *site) startPostgres(t *testing.T) {
	t.Helper()
	for _, name := range []string{"postgres-a", "postgres-b"} {
		pg, err := stack.NewPostgres(stack.PostgresOptions{
			Like: migrated, Port: 5432, Host: &stack.Host{Address: s.hosts[name].Address, Within: s.hosts[name].Within},
		})
		require.NoError(t, err)
		s.servers[name] = pg
	}
	s.postgres = s.servers[s.primary]
	require.NoError(t, s.postgres.Start(t.Context()))
	for _, timeout := range []string{"wal_sender_timeout", "wal_receiver_timeout", "tcp_user_timeout"} {
		require.NoError(t, s.postgres.Set(t.Context(), timeout, "5s"))
	}
	require.NoError(t, s.hosts[s.primary].Take(t.Context(), floatingAddress))
	require.NoError(t, s.servers["postgres-b"].StartStandby(t.Context(), s.postgres))
	require.NoError(t, s.synchronous(t.Context(), true))
}

// synchronous has the primary wait for its standby before it commits, or not, as
// a manager of the two does, for example Patroni with synchronous_mode.
func (s *site) synchronous(ctx context.Context, on bool) error {
	names := ""
	if on {
		names = "*"
	}
	return s.servers[s.primary].Set(ctx, "synchronous_standby_names", names)
}

// keepStandby does what a manager of two servers does: the primary waits for its
// standby while that answers, and not for one that has been away for two seconds.
func (s *site) keepStandby(ctx context.Context, t *testing.T) {
	pools := map[string]*pgxpool.Pool{}
	for name, pg := range s.servers {
		pool, err := pgxpool.New(ctx, pg.URL(stack.Superuser, stack.Maintenance))
		require.NoError(t, err)
		t.Cleanup(pool.Close)
		pools[name] = pool
	}
	waits, missed := true, 0
	every(ctx, 500*time.Millisecond, func() {
		s.roles.Lock()
		defer s.roles.Unlock()
		asked, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		missed++
		if pools[s.standby()].Ping(asked) == nil {
			missed = 0
		}
		should := missed < 2
		if should == waits {
			return
		}
		told, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		if err := s.synchronous(told, should); err == nil {
			waits = should
		}
	})
}

// standby is the host of Postgres that is not the primary.
func (s *site) standby() string {
	if s.primary == "postgres-a" {
		return "postgres-b"
	}
	return "postgres-a"
}

// promote kills the primary, and has the standby take its place and address.
func promote(t *testing.T, s *site, load *steadyLoad) []measured {
	t.Helper()
	return []measured{watched(t, load, "promotion", s.primary, func() {
		s.roles.Lock()
		defer s.roles.Unlock()
		old, next := s.primary, s.standby()
		require.NoError(t, s.crash(old))
		require.NoError(t, s.hosts[old].Drop(t.Context(), floatingAddress))
		s.primary, s.postgres = next, s.servers[next]
		require.NoError(t, s.postgres.Promote(t.Context()))
		require.NoError(t, s.hosts[next].Take(t.Context(), floatingAddress))
		require.NoError(t, s.synchronous(t.Context(), false))
		require.NoError(t, s.servers[old].StartStandby(t.Context(), s.postgres))
		require.NoError(t, s.synchronous(t.Context(), true))
	}, func() {}, 20*time.Second, false)}
}
