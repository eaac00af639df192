package stack_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/internal/child"
	"waybill/testing/stack"
)

func startPostgres(t *testing.T, options stack.PostgresOptions) *stack.Postgres {
	t.Helper()
	options.NoSync = true
	pg, err := stack.NewPostgres(options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pg.Close()) })
	require.NoError(t, pg.Start(t.Context()))
	return pg
}

func execute(t *testing.T, url, sql string) {
	t.Helper()
	conn := connect(t, url)
	_, err := conn.Exec(t.Context(), sql)
	require.NoError(t, err)
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func count(t *testing.T, url string) (n int) {
	t.Helper()
	require.NoError(t, connect(t, url).QueryRow(t.Context(), "SELECT count(*) FROM kept").Scan(&n))
	return n
}

func TestPostgres(t *testing.T) {
	t.Parallel()

	t.Run("KeepsWhatWasCommittedThroughStopAndKill", func(t *testing.T) {
		t.Parallel()
		pg := startPostgres(t, stack.PostgresOptions{})
		url := pg.URL(stack.Superuser, stack.Maintenance)
		execute(t, url, "CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)")

		require.NoError(t, pg.Restart(t.Context()))
		require.Equal(t, 1, count(t, url))

		execute(t, url, "INSERT INTO kept VALUES (2)")
		pg.Kill()
		// The server's children hold the port for a moment after it.
		require.Eventually(t, func() bool { return !child.PortInUse(pg.Port()) }, time.Minute, 10*time.Millisecond)
		require.NoError(t, pg.Start(t.Context()))
		require.Equal(t, 2, count(t, url))
	})

	t.Run("OwnerOwnsTheDatabaseAndIsNoSuperuser", func(t *testing.T) {
		t.Parallel()
		pg := startPostgres(t, stack.PostgresOptions{})
		for _, first := range []bool{true, false} {
			made, err := pg.EnsureDatabase(t.Context(), "app", "app_owner")
			require.NoError(t, err)
			require.Equal(t, first, made)
		}
		conn := connect(t, pg.URL("app_owner", "app"))
		var super, createRole bool
		require.NoError(t, conn.QueryRow(t.Context(),
			"SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user").Scan(&super, &createRole))
		require.False(t, super)
		require.True(t, createRole)
		execute(t, pg.URL("app_owner", "app"), "CREATE TABLE kept (n int)")
	})

	t.Run("AsksForAPassword", func(t *testing.T) {
		t.Parallel()
		pg := startPostgres(t, stack.PostgresOptions{})
		config, err := pgx.ParseConfig(pg.URL(stack.Superuser, stack.Maintenance))
		require.NoError(t, err)
		config.Password = "guess"
		_, err = pgx.ConnectConfig(t.Context(), config)
		require.ErrorContains(t, err, "password authentication failed")
	})

	t.Run("ANamedFolderIsKept", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		t.Cleanup(func() { require.NoError(t, stack.ForgetPostgres(dir)) })
		first := startPostgres(t, stack.PostgresOptions{Dir: dir})
		execute(t, first.URL(stack.Superuser, stack.Maintenance), "CREATE TABLE kept (n int)")
		require.NoError(t, first.Close())

		second := startPostgres(t, stack.PostgresOptions{Dir: dir})
		require.Zero(t, count(t, second.URL(stack.Superuser, stack.Maintenance)))
	})

	t.Run("AServerThatACrashedRunLeftIsReplaced", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		t.Cleanup(func() { require.NoError(t, stack.ForgetPostgres(dir)) })
		lost := startPostgres(t, stack.PostgresOptions{Dir: dir})

		found := startPostgres(t, stack.PostgresOptions{Dir: dir})
		execute(t, found.URL(stack.Superuser, stack.Maintenance), "SELECT 1")
		select {
		case <-lost.Done():
		case <-time.After(time.Minute):
			t.Fatal("the first server still runs")
		}
	})

	t.Run("ABusyPortIsNamed", func(t *testing.T) {
		t.Parallel()
		pg := startPostgres(t, stack.PostgresOptions{})
		other, err := stack.NewPostgres(stack.PostgresOptions{Port: pg.Port(), NoSync: true})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, other.Close()) })
		require.ErrorContains(t, other.Start(t.Context()), "is in use")
	})
}
