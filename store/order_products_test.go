package store_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"waybill/store"
	"waybill/store/storetest"
)

// longLog gives organization 1 a log of 20,000 changes of orders with one
// product each. Every seventh also removed a product, and every eleventh names
// none.
const longLog = `
	insert into organizations (id, slug, name, timezone) values (1, 'org', 'Org', 'Europe/Oslo');
	insert into customers (org_id, id, business_name) values (1, 1, 'C');
	insert into vehicle_types (org_id, id, name) values (1, 1, 'V');
	insert into order_types (org_id, id, name) values (1, 1, 'T');
	insert into orders (org_id, id, number, serial, status_id, date, customer_id, order_type_id, vehicle_type_id)
	    select 1, i, 'N-' || i, i, 1, '2026-01-01', 1, 1, 1 from generate_series(1, 20000) i;
	insert into order_products (org_id, id, order_id, number, seq, quantity)
	    select 1, i, i, 'N-' || i, 0, 1 from generate_series(1, 20000) i;
	insert into events (org_id, position, kind, subject_type, subject_id, actor, cause, order_id, external_id,
	    product_status_id, product_ids, removed_product_ids)
	select 1, i, 'order.updated', 'order', i, 'system', 'test', i, 'N-' || i, 1,
	    case when i % 11 > 0 then array[i] else '{}' end,
	    case when i % 11 > 0 and i % 7 = 0 then array[i + 100000] end
	from generate_series(1, 20000) i;`

// TestPagesOfTheProductFeedLookAtFewRows reads a page in the middle of a long
// log, compares it with the same part of the whole feed, and counts the rows it
// reads.
func TestPagesOfTheProductFeedLookAtFewRows(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	_, err = owner.Exec(t.Context(), longLog+"; analyze")
	require.NoError(t, err)
	config := db.Pool.Config()
	config.MaxConns = 1
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	s := store.New(pool)

	before := rowsOfFeed(t, pool)
	page, err := s.ProductStatusFeed(t.Context(), 1, 10_001, 1, 100)
	require.NoError(t, err)
	assert.LessOrEqual(t, rowsOfFeed(t, pool)-before, int64(500), "the page looks at too many rows")

	rows, err := owner.Query(t.Context(), `select position, place, product_id from product_status_feed
		where org_id = 1 and (position, place) > (10001, 1) order by 1, 2 limit 100`)
	require.NoError(t, err)
	type entry struct{ Position, Place, ProductID int64 }
	want, err := pgx.CollectRows(rows, pgx.RowToStructByPos[entry])
	require.NoError(t, err)
	var got []entry
	for _, e := range page {
		got = append(got, entry{e.Position, e.Place, e.ProductID})
	}
	require.Equal(t, want, got)
}

// rowsOfFeed is the number of rows read so far from the log and from products.
func rowsOfFeed(t *testing.T, pool *pgxpool.Pool) (rows int64) {
	t.Helper()
	_, err := pool.Exec(t.Context(), "select pg_stat_force_next_flush()")
	require.NoError(t, err)
	require.NoError(t, pool.QueryRow(t.Context(), `
		select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint from pg_stat_user_tables
		where relname like 'events%' or relname = 'order_products'`).Scan(&rows))
	return rows
}
