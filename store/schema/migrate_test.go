package schema_test

import (
	"context"
	"fmt"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/store/schema"
	"waybill/store/storetest"
)

// later is a migration that comes after all existing ones.
func later(statements string) fstest.MapFS {
	return fstest.MapFS{"99999_later.sql": {Data: []byte("-- +goose Up\n" + statements)}}
}

// holdOn begins a transaction that has read and written customers, as a long
// report of an operator would be.
func holdOn(t *testing.T, db *storetest.Database) (pgx.Tx, uint32) {
	t.Helper()
	conn := connect(t, db.OwnerURL+"&application_name=report")
	tx, err := conn.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "lock table customers in row exclusive mode")
	require.NoError(t, err)
	return tx, conn.PgConn().PID()
}

// A migration that waits for a long transaction lets the writers behind it through,
// and runs when that transaction has ended.
func TestAMigrationLetsWritersThrough(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	storetest.Organization(t, db, "writers")
	held, pid := holdOn(t, db)
	told := make(chan string, 1000)
	done := make(chan error, 1)
	var applied []string
	go func() {
		var err error
		applied, err = schema.MigrateFiles(t.Context(), db.OwnerURL, later("ALTER TABLE customers ADD COLUMN later text;"),
			schema.Options{Tell: func(line string) { told <- line }})
		done <- err
	}()

	owner := connect(t, db.OwnerURL)
	waits := func() (n int) {
		require.NoError(t, owner.QueryRow(t.Context(), `select count(*) from pg_stat_activity
			where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`, schema.Session).Scan(&n))
		return n
	}
	writer := connect(t, db.OwnerURL)
	_, err := writer.Exec(t.Context(), "set lock_timeout = '20s'") // as long as serve waits
	require.NoError(t, err)
	for range 2 {
		for waits() == 0 {
			require.NoError(t, t.Context().Err())
			time.Sleep(10 * time.Millisecond)
		}
		// It succeeds although the transaction that the migration waits for
		// continues.
		_, err := writer.Exec(t.Context(), "update customers set updated_at = now()")
		require.NoError(t, err)
		line := <-told
		require.Contains(t, line, "99999_later.sql did not get a lock")
		require.Contains(t, line, fmt.Sprintf("pid %d (report, role waybill_test_owner), idle in transaction", pid))
		require.Contains(t, line, "retrying in")
	}
	require.NoError(t, held.Rollback(t.Context()))
	require.NoError(t, <-done)
	require.Equal(t, []string{"99999_later.sql"}, applied)
}

// A migration that never gets its lock gives up and names the blocking session.
func TestMigrationGivesUpOnBlockedTable(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	_, pid := holdOn(t, db)
	_, err := schema.MigrateFiles(t.Context(), db.OwnerURL, later("ALTER TABLE customers ADD COLUMN later text;"),
		schema.Options{Patience: time.Nanosecond})
	var blocked *schema.BlockedError
	require.ErrorAs(t, err, &blocked)
	require.Equal(t, "99999_later.sql", blocked.Migration)
	require.Len(t, blocked.By, 1)
	require.EqualValues(t, pid, blocked.By[0].PID)
	require.Equal(t, "report", blocked.By[0].Application)
	require.Positive(t, blocked.By[0].Age)
	require.ErrorContains(t, err, fmt.Sprintf("select pg_terminate_backend(%d)", pid))
	require.ErrorContains(t, err, "run waybill migrate again")
}

// A migration that fails for another reason is not tried again.
func TestAMigrationThatIsWrongFails(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	wrong := later("ALTER TABLE nowhere ADD COLUMN later text;")
	_, err := schema.MigrateFiles(t.Context(), db.OwnerURL, wrong, schema.Options{})
	require.ErrorContains(t, err, "42P01")
	require.ErrorContains(t, err, "migrate:")
}

const indexedLater = `-- +goose NO TRANSACTION
SET lock_timeout = '10min';
DROP INDEX CONCURRENTLY IF EXISTS customers_later_idx;
CREATE INDEX CONCURRENTLY customers_later_idx ON customers (org_id, updated_at);
RESET lock_timeout;
`

// An index that was left half built is built again, and no writer waits for it.
func TestIndexIsBuiltConcurrently(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	storetest.Organization(t, db, "indexed")
	held, _ := holdOn(t, db)
	owner := connect(t, db.OwnerURL)
	isThere := func(valid bool) (is bool) {
		require.NoError(t, owner.QueryRow(t.Context(), `
			select exists (select from pg_index i join pg_class c on c.oid = i.indexrelid
			where c.relname = 'customers_later_idx' and i.indisvalid = $1)`, valid).Scan(&is))
		return is
	}
	migrating, interrupt := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := schema.MigrateFiles(migrating, db.OwnerURL, later(indexedLater), schema.Options{})
		done <- err
	}()
	for !isThere(false) {
		require.NoError(t, t.Context().Err())
		time.Sleep(10 * time.Millisecond)
	}
	writer := connect(t, db.OwnerURL)
	_, err := writer.Exec(t.Context(), "set lock_timeout = '20s'")
	require.NoError(t, err)
	_, err = writer.Exec(t.Context(), "update customers set updated_at = now()")
	require.NoError(t, err)
	interrupt()
	require.Error(t, <-done)
	require.NoError(t, held.Rollback(t.Context()))

	applied, err := schema.MigrateFiles(t.Context(), db.OwnerURL, later(indexedLater), schema.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"99999_later.sql"}, applied)
	require.True(t, isThere(true))
	require.False(t, isThere(false))
}
