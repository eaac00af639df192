package store_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"waybill/store/queries"
)

// waits reports whether one transaction waits for the other until that ends.
func (d *documents) waits(first, second func(*queries.Queries) error) bool {
	d.t.Helper()
	ctx := d.t.Context()
	held, err := d.Pool.Begin(ctx)
	require.NoError(d.t, err)
	defer func() { _ = held.Rollback(ctx) }()
	require.NoError(d.t, first(queries.New(held)))
	err = pgx.BeginFunc(ctx, d.Pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "set local lock_timeout = '50ms'")
		require.NoError(d.t, err)
		return second(queries.New(tx))
	})
	var refused *pgconn.PgError
	if err == nil {
		return false
	}
	require.ErrorAs(d.t, err, &refused)
	require.Equal(d.t, "55P03", refused.Code)
	return true
}

// alike are two numbers whose texts behind a prefix have the same hash of 32 bits.
func (d *documents) alike(prefix string) (a, b int64) {
	d.t.Helper()
	pair := one[[]int64](d, `select (array_agg(n))[1:2] from generate_series(1::bigint, 400000) n
		group by hashtext($1::text || n) having count(*) > 1 limit 1`, prefix)
	return pair[0], pair[1]
}

func TestOrganizationsShareNoLockOfMerging(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	merging := func(org int64) func(*queries.Queries) error {
		return func(q *queries.Queries) error { return q.LockMerging(t.Context(), org) }
	}
	one, other := d.alike("")
	require.False(t, d.waits(merging(one), merging(other)))
	require.True(t, d.waits(merging(one), merging(one)))
}

func TestDriversShareNoLockOfETAs(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	etas := func(driver int64) func(*queries.Queries) error {
		return func(q *queries.Queries) error {
			return q.LockETAs(t.Context(), queries.LockETAsParams{OrgID: 1, DriverIds: []int64{driver}})
		}
	}
	one, other := d.alike("1/")
	require.False(t, d.waits(etas(one), etas(other)))
	require.True(t, d.waits(etas(one), etas(one)))
}

// TestMergingExcludesThePreviousRelease runs v0.2.0 concurrently, as during a
// rolling upgrade.
func TestMergingExcludesThePreviousRelease(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	const org = 7
	previous := func(*queries.Queries) error { return nil }
	merging := func(q *queries.Queries) error { return q.LockMerging(t.Context(), org) }
	held, err := d.Pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = held.Exec(
		t.Context(),
		fmt.Sprintf("select pg_advisory_xact_lock(hashtext('waybill.merge'), hashtext('%d'))", org),
	)
	require.NoError(t, err)
	require.True(t, d.waits(previous, merging))
	require.NoError(t, held.Rollback(t.Context()))
	require.False(t, d.waits(previous, merging))
}
