package store_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"waybill/store"
	"waybill/store/storetest"
)

// manyOrders is how many orders the organization of the heavy reads has.
const manyOrders = 60_000

// fillHeavily gives organization 1 many orders: the oldest, one in a thousand,
// are registered, the rest delivered. Organization 2 gets the same texts.
const fillHeavily = `
	insert into organizations (id, slug, name, timezone)
	    select i, 'org-' || i, 'Org', 'Europe/Oslo' from generate_series(1, 2) i;
	insert into customers (org_id, id, business_name) select i, i, 'C' from generate_series(1, 2) i;
	insert into vehicle_types (org_id, id, name) select i, i, 'V' from generate_series(1, 2) i;
	insert into order_types (org_id, id, name) select 1 + i % 2, i, 'T-' || i from generate_series(1, 4) i;
	insert into drivers (org_id, id, name) values (1, 1, 'D');
	insert into order_groups (org_id, id, name) values (1, 1, 'G');
	insert into locations (org_id, id, match_key, name)
	    select 1 + i % 2, i, int8send(i), 'Terminal ' || i from generate_series(1, 400) i;
	insert into orders (org_id, id, number, serial, status_id, date, customer_id, order_type_id, vehicle_type_id,
	    reference, internal_freight_number, route_number, driver_id, created_at, updated_at)
	select org, i, 'N-' || i, i, case when i % 1000 = 0 and i <= $1 / 2 then 1 else 6 end, date '2020-01-01' + i / 100,
	    org, case when i % 500 = 0 then 3 - org + 2 else 3 - org end, org, 'PO ' || i || ' of ' || org,
	    case when i % 10 = 0 then 'F-' || i end, case when i % 400 = 0 then 'R7' end,
	    case when i % 700 = 0 and org = 1 then 1 end,
	    timestamptz '2020-01-01' + i * interval '1 minute', timestamptz '2020-01-01' + i * interval '1 minute'
	from generate_series(1, $1) i, generate_series(1, 2) org where org = 1 or i <= 1000;
	insert into order_numbers (org_id, number, order_id) select org_id, number, id from orders;
	insert into order_group_members (org_id, order_id, group_id)
	    select 1, id, 1 from orders where org_id = 1 and id % 900 = 0;
	insert into order_stops (org_id, id, order_id, kind, location_id, name, earliest, latest, window_source)
	select o.org_id, o.id + (o.org_id - 1) * 1000000, o.id, 'pickup',
	    2 * (o.id % 200) + o.org_id - 1 + 2 * (2 - o.org_id),
	    case when o.id % 5000 = 0 then 'Havnelageret' else 'Terminal' end, now(), now() + interval '1 hour', 'default'
	from orders o;
	insert into custom_field_definitions (org_id, id, external_id, label, title)
	    select i, i, 'gate', 'L', 'T' from generate_series(1, 2) i;
	insert into custom_field_values (org_id, order_id, definition_id, value)
	    select org_id, id, org_id, case when id % 2 = 0 then '"open"' else to_jsonb('G-' || id / 10) end from orders;
	insert into drafts (org_id, external_id, request) select 1, 'D-' || i, '{}' from generate_series(1, 5000) i;`

// heavyStore is a store with one connection, over a database with many orders.
func heavyStore(t *testing.T) (*store.Store, *pgxpool.Pool) {
	t.Helper()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	_, err = owner.Exec(t.Context(), strings.ReplaceAll(fillHeavily, "$1", fmt.Sprint(manyOrders))+"; analyze")
	require.NoError(t, err)
	_, err = owner.Exec(t.Context(), "vacuum analyze orders")
	require.NoError(t, err)
	require.NoError(t, owner.Close(t.Context()))
	config := db.Pool.Config()
	config.MaxConns = 1
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return store.New(pool), pool
}

// rowsRead is the number of rows read so far from the tables of orders.
func rowsRead(t *testing.T, pool *pgxpool.Pool) int64 {
	t.Helper()
	_, err := pool.Exec(t.Context(), "select pg_stat_force_next_flush()")
	require.NoError(t, err)
	var rows int64
	require.NoError(t, pool.QueryRow(t.Context(), `
		select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint from pg_stat_user_tables
		where relname in ('orders', 'order_stops', 'order_numbers', 'order_group_members', 'location_names',
		    'custom_field_values', 'drafts', 'order_texts')`).Scan(&rows))
	return rows
}

// heavyRead is a read, with the total that it answers and the rows that it may
// look at.
type heavyRead struct {
	read        func() (int64, error)
	total, most int64
}

var (
	firstDay = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	lastDay  = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	everyOne = []int64{1, 2, 3, 4, 5, 6, 7, 8} // of the statuses
)

// TestHeavyReadsLookAtFewRows counts the rows that queries read in an
// organization with many orders. It fails if one of them reads all.
func TestHeavyReadsLookAtFewRows(t *testing.T) {
	t.Parallel()
	s, pool := heavyStore(t)
	cases := searchesOfMany(t, s)
	maps.Copy(cases, pagesOfMany(t, s))
	for name, c := range cases {
		before := rowsRead(t, pool)
		total, err := c.read()
		require.NoError(t, err, name)
		looked := rowsRead(t, pool) - before
		t.Logf("%s: %d rows", name, looked)
		assert.Equal(t, c.total, total, name)
		assert.LessOrEqual(t, looked, c.most, "%s looks at too many rows", name)
	}
	listsOfNumbersLookAtFewRows(t, s, pool)
	findingLooksAtFewRows(t, s, pool)
	n, err := s.CountOrders(t.Context(), 1, firstDay, lastDay, 1)
	require.NoError(t, err)
	require.Equal(t, int64(manyOrders/2000), n)
}

func searchesOfMany(t *testing.T, s *store.Store) map[string]heavyRead {
	t.Helper()
	search := func(o store.OrderSearch) func() (int64, error) {
		return func() (int64, error) {
			docs, total, err := s.SearchOrders(t.Context(), 1, o, store.Page{Number: 1, Size: 50})
			require.Len(t, docs, int(min(total, 50)))
			return total, err
		}
	}
	text := func(term string) *string { return &term }
	place := text("terminal")
	value := func(text string) func() (int64, error) {
		return func() (int64, error) {
			found, more, err := s.OrdersByCustomField(t.Context(), 1, "gate", text, 1<<62, 50)
			require.Equal(t, len(found) == 50, more)
			return int64(len(found)), err
		}
	}
	return map[string]heavyRead{
		"a rare value":          {value("G-4711"), 5, 100},
		"a common value":        {value("open"), 50, 500},
		"no value":              {value("G-"), 0, 10},
		"a reference":           {search(store.OrderSearch{Reference: text("po 12345 ")}), 1, 100},
		"a freight":             {search(store.OrderSearch{ShipmentID: text("F-12340")}), 1, 100},
		"a rare place":          {search(store.OrderSearch{LocationName: text("havnelager")}), manyOrders / 5000, 1000},
		"a text":                {search(store.OrderSearch{Text: text("PO 47777")}), 1, 1000},
		"a number as text":      {search(store.OrderSearch{Text: text("N-55000")}), 1, 1000},
		"a short number":        {search(store.OrderSearch{Number: text("N-7")}), 1, 100},
		"what all orders have":  {search(store.OrderSearch{LocationName: place}), 1_000, 5_000},
		"a place and reference": {search(store.OrderSearch{LocationName: place, Reference: text("PO 12345 ")}), 1, 100},
	}
}

func pagesOfMany(t *testing.T, s *store.Store) map[string]heavyRead {
	t.Helper()
	list := func(f store.OrderPaging, page store.Page) func() (int64, error) {
		return func() (int64, error) {
			f.Start, f.End = firstDay, lastDay
			docs, total, err := s.PageOrders(t.Context(), 1, f, page)
			require.Len(t, docs, int(min(total, int64(page.Size))))
			return total, err
		}
	}
	of := func(f store.OrderPaging, total int64) heavyRead {
		f.StatusIDs = everyOne
		return heavyRead{list(f, store.Page{Number: 1, Size: 50}), total, 3000}
	}
	first := store.Page{Number: 1, Size: 50}
	long, late := store.Page{Number: 1, Size: 1000}, store.Page{Number: 21, Size: 1000}
	open := store.OrderPaging{StatusIDs: []int64{1}, SortBy: "-order_id"}
	byDay := store.OrderPaging{StatusIDs: everyOne, SortBy: "-date"}
	cases := map[string]heavyRead{
		"a rare status": {list(open, first), manyOrders / 2000, 1000},
		"a driver":      of(store.OrderPaging{DriverIDs: []int64{1}, SortBy: "date"}, manyOrders/700),
		"a route":       of(store.OrderPaging{Routes: []string{"R7"}, SortBy: "-updated_at"}, manyOrders/400),
		"a rare type":   of(store.OrderPaging{OrderTypeIDs: []int64{4}, SortBy: "created_at"}, manyOrders/500),
		"a group":       of(store.OrderPaging{GroupIDs: []int64{1}, SortBy: "order_id"}, manyOrders/900),
		"a long page":   {list(byDay, long), 10_000, 3000},
		"a late page":   {list(byDay, late), 30_000, 23_000},
	}
	for _, by := range []string{"order_id", "date", "created_at", "updated_at"} {
		for _, sort := range []string{by, "-" + by} {
			cases["all by "+sort] = heavyRead{list(store.OrderPaging{StatusIDs: []int64{6}, SortBy: sort}, first), 10_000, 1000}
		}
	}
	return cases
}

// listsOfNumbersLookAtFewRows does the same for lists of ERP orders: the first
// page, one in the middle, and selective filters.
func listsOfNumbersLookAtFewRows(t *testing.T, s *store.Store, pool *pgxpool.Pool) {
	t.Helper()
	day, lately := time.Date(2020, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(2020, 2, 11, 10, 0, 0, 0, time.UTC)
	middle := store.ERPOrderPlace{OrderID: manyOrders / 2, Number: "N-30000"}
	for name, c := range map[string]struct {
		query       store.ERPOrderQuery
		total, most int64
	}{
		"drafts and orders":  {store.ERPOrderQuery{}, 50, 1000},
		"active, the first":  {store.ERPOrderQuery{State: store.ActiveERPOrder}, 50, 1000},
		"active, the middle": {store.ERPOrderQuery{State: store.ActiveERPOrder, Behind: middle}, 50, 1000},
		"cancelled":          {store.ERPOrderQuery{State: store.CancelledERPOrder}, 0, 100},
		"of a day":           {store.ERPOrderQuery{State: store.ActiveERPOrder, Day: &day}, 50, 1000},
		"updated lately":     {store.ERPOrderQuery{State: store.ActiveERPOrder, UpdatedSince: &lately}, 50, 5000},
	} {
		c.query.AtMost = 50
		before := rowsRead(t, pool)
		found, more, err := s.ERPOrderPage(t.Context(), 1, c.query)
		require.NoError(t, err, name)
		looked := rowsRead(t, pool) - before
		t.Logf("%s: %d rows", name, looked)
		assert.Len(t, found, int(c.total), name)
		assert.Equal(t, c.total == 50, more, name)
		assert.LessOrEqual(t, looked, c.most, "%s looks at too many rows", name)
	}
}

// findingLooksAtFewRows finds orders by words that all, few and only old orders
// have. Matches of whole words come first, then orders nearest to today.
func findingLooksAtFewRows(t *testing.T, s *store.Store, pool *pgxpool.Pool) {
	t.Helper()
	day := func(id int) time.Time { return time.Date(2020, 1, 1+id/100, 0, 0, 0, 0, time.UTC) }
	for name, c := range map[string]struct {
		text  string
		today time.Time
		want  []int64 // The orders to list first.
		total int
		most  int64
	}{
		"what all orders have": {"terminal", day(30_000), []int64{30_099, 30_098}, 50, 9_000},
		"part of it":           {"ermina", day(30_000), []int64{30_099, 30_098}, 50, 9_000},
		"a rare place":         {"havnelager", day(9_000), []int64{10_000, 5_000, 15_000}, 12, 9_000},
		"a number":             {"N-4711", day(60_000), []int64{4_711, 54_711, 47_119}, 16, 9_000},
		"of old orders alone":  {"n10", day(60_000), []int64{}, 50, 9_000},
		"a reference":          {"PO 12345 ", day(60_000), []int64{12_345}, 1, 9_000},
		"too short":            {"n1", day(30_000), []int64{}, 0, 9_000},
	} {
		before := rowsRead(t, pool)
		rows, more, err := s.FindOrders(t.Context(), 1, store.OrderWords{Text: c.text, Today: c.today}, 50)
		require.NoError(t, err, name)
		looked := rowsRead(t, pool) - before
		t.Logf("finding %s: %d rows", name, looked)
		ids := []int64{}
		for i := range rows {
			ids = append(ids, rows[i].ID)
		}
		assert.Len(t, ids, c.total, name)
		assert.Equal(t, c.total == 50, more, name)
		assert.Equal(t, c.want, ids[:min(len(c.want), len(ids))], name)
		assert.LessOrEqual(t, looked, c.most, "%s: finding looks at too many rows", name)
	}
}
