package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"waybill/store/queries"
	"waybill/store/storetest"
)

var errExplained = errors.New("explained")

// explainer explains queries instead of running them. It uses the application's
// role, so the plan includes row-level security.
type explainer struct {
	tx   pgx.Tx
	plan string
}

func (e *explainer) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return nil, e.explain(ctx, sql, args)
}

func (e *explainer) explain(ctx context.Context, sql string, args []any) error {
	rows, err := e.tx.Query(ctx, "explain "+sql, args...)
	if err != nil {
		return err
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	e.plan = strings.Join(lines, "\n")
	return errExplained
}

func (e *explainer) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	return pgconn.CommandTag{}, errors.New("only queries are explained")
}

func (e *explainer) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return unread{e.explain(ctx, sql, args)}
}

// unread is a row whose contents are unknown.
type unread struct{ err error }

func (u unread) Scan(...any) error { return u.err }

// TestPlansUseTheirIndexes fails if a plan scans a whole table that has a
// suitable index.
func TestPlansUseTheirIndexes(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	_, err = owner.Exec(t.Context(), `
		insert into organizations (id, slug, name, timezone) select i, 'org-' || i, 'Org', 'Europe/Oslo'
			from generate_series(1, 3) i;
		insert into customers (org_id, id, business_name) select i, i, 'C' from generate_series(1, 3) i;
		insert into vehicle_types (org_id, id, name) select i, i, 'V' from generate_series(1, 3) i;
		insert into order_types (org_id, id, name) select i, i, 'T' from generate_series(1, 3) i;
		insert into orders (org_id, id, number, serial, date, customer_id, order_type_id, vehicle_type_id)
			select 1 + i % 3, i, 'N-' || i, i, date '2026-01-01' + i % 400, 1 + i % 3, 1 + i % 3, 1 + i % 3
				from generate_series(1, 30000) i;
		insert into events (org_id, kind, subject_type, subject_id, actor, cause, order_id, order_status_id, position)
			select 1 + i % 3, 'order.created', 'order', i, 'system', 'test', i, case when i % 2 = 0 then 1 end, i
				from generate_series(1, 60000) i;
		update events set product_ids = array[id, id + 1], product_status_id = 1 where order_status_id is not null;
		insert into order_products (org_id, id, order_id, number, seq)
			select 1 + i % 3, i, i, 'N-' || i, 0 from generate_series(1, 30000) i;
		insert into order_numbers (org_id, number, order_id) select org_id, number, id from orders;
		insert into drafts (org_id, id, external_id, state, request, order_id)
			select 1 + i % 3, i, 'D-' || i, case when i % 100 = 0 then 'incomplete' else 'promoted' end, '{}',
				case when i % 100 <> 0 then i end from generate_series(1, 30000) i;
		insert into order_exports (org_id, order_id, state, place, version, reexport, succeeded_at)
			select 1 + i % 3, i, case when i % 10 = 0 then 'pending' else 'exported' end, case when i % 10 = 0 then i end, 1,
				i % 20 = 0, now()
			from generate_series(1, 30000) i;
		insert into export_versions (org_id, order_id, version, token, fingerprint, payload)
			select 1 + i % 3, i, 1, 'T-' || i, '\x00', '{}' from generate_series(1, 30000) i;`)
	require.NoError(t, err)
	_, err = owner.Exec(t.Context(), "analyze")
	require.NoError(t, err)
	require.NoError(t, owner.Close(t.Context()))

	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	cases := []struct {
		name  string
		index string
		query func(context.Context, *queries.Queries) error
	}{
		{"status feed", "events_status_feed_idx", func(ctx context.Context, q *queries.Queries) error {
			_, err := q.OrderStatusFeed(ctx, queries.OrderStatusFeedParams{
				OrgID: 1, After: 59_000, AfterPlace: 1, PageSize: 100,
			})
			return err
		}},
		{"status feed from the beginning", "events_status_feed_idx", func(ctx context.Context, q *queries.Queries) error {
			_, err := q.OrderStatusFeed(ctx, queries.OrderStatusFeedParams{OrgID: 1, PageSize: 100})
			return err
		}},
		{"product status feed", "events_product_feed_idx", func(ctx context.Context, q *queries.Queries) error {
			_, err := q.ProductStatusFeed(ctx, queries.ProductStatusFeedParams{
				OrgID: 1, After: 59_000, AfterPlace: 1, PageSize: 100,
			})
			return err
		}},
		{"product status feed in full", "events_product_feed_idx", func(ctx context.Context, q *queries.Queries) error {
			_, err := q.ProductStatusFeed(ctx, queries.ProductStatusFeedParams{OrgID: 1, PageSize: 100})
			return err
		}},
		{"drafts that wait", "drafts_state_idx", func(ctx context.Context, q *queries.Queries) error {
			state := "incomplete"
			_, err := q.ListDrafts(ctx, queries.ListDraftsParams{OrgID: 1, State: &state, After: 1000, PageSize: 100})
			return err
		}},
		{"drafts that changed", "drafts_updated_idx", func(ctx context.Context, q *queries.Queries) error {
			since := time.Now().AddDate(1, 0, 0)
			_, err := q.ListDrafts(ctx, queries.ListDraftsParams{OrgID: 1, UpdatedSince: &since, PageSize: 100})
			return err
		}},
		{"all drafts", "drafts_pkey", func(ctx context.Context, q *queries.Queries) error {
			_, err := q.ListDrafts(ctx, queries.ListDraftsParams{OrgID: 1, After: 1000, PageSize: 100})
			return err
		}},
		{"export feed", "order_exports_feed_idx", func(ctx context.Context, q *queries.Queries) error {
			_, err := q.FetchFeed(ctx, queries.FetchFeedParams{OrgID: 1, After: 1500, Until: 30_000, PageSize: 100})
			return err
		}},
		{"versions of the export feed", "export_versions_pkey", func(ctx context.Context, q *queries.Queries) error {
			_, err := q.FetchFeed(ctx, queries.FetchFeedParams{OrgID: 1, Until: 30_000, PageSize: 100})
			return err
		}},
		{"subjects of export", "order_exports_pkey", func(ctx context.Context, q *queries.Queries) error {
			_, err := q.ExportSubjects(ctx, queries.ExportSubjectsParams{OrgID: 1, OrderIds: []int64{3, 6, 9}})
			return err
		}},
		{"order list", "orders_date_idx", func(ctx context.Context, q *queries.Queries) error {
			_, err := q.ListOrders(ctx, queries.ListOrdersParams{
				OrgID: 1, Loads: []string{}, StartDate: day, EndDate: day.AddDate(0, 0, 7), AfterDate: day, PageSize: 500,
			})
			return err
		}},
		{"count of some days", "orders_date_idx", func(ctx context.Context, q *queries.Queries) error {
			_, err := q.CountOrders(ctx, queries.CountOrdersParams{
				OrgID: 1, StartDate: day, EndDate: day.AddDate(0, 0, 7), Most: 1000,
			})
			return err
		}},
		{"page of a status", "orders_date_idx|orders_status_idx", func(ctx context.Context, q *queries.Queries) error {
			_, err := q.PageOrders(ctx, queries.PageOrdersParams{
				OrgID: 1, StatusIds: []int64{1}, StartDate: day, EndDate: day.AddDate(0, 0, 7), SortBy: "-date", PageSize: 100,
			})
			return err
		}},
		{"count of a status", "orders_status_idx", func(ctx context.Context, q *queries.Queries) error {
			_, err := q.CountOrders(ctx, queries.CountOrdersParams{
				OrgID: 1, StartDate: day, EndDate: day.AddDate(1, 0, 0), StatusID: 7, Most: 1000,
			})
			return err
		}},
		{"search by number", "order_numbers_pkey", func(ctx context.Context, q *queries.Queries) error {
			_, err := q.OrdersWithText(ctx, queries.OrdersWithTextParams{OrgID: 1, Field: "number", Term: "N-3", Most: 100})
			return err
		}},
		{"search among some orders", "orders_pkey", func(ctx context.Context, q *queries.Queries) error {
			_, err := q.SearchOrders(ctx, queries.SearchOrdersParams{OrgID: 1, Ids: []int64{3, 6}, PageSize: 100})
			return err
		}},
	}
	byWhole := wholeIndexes(t, db)
	thisMonth := time.Now().UTC().Format("events_2006_01")
	for _, tc := range cases {
		plan := byWhole.Replace(explain(t, db, 1, tc.query))
		require.Regexp(t, tc.index, plan, "%s:\n%s", tc.name, plan)
		require.NotContains(t, plan, "Seq Scan on orders", plan)
		require.NotContains(t, plan, "Seq Scan on "+thisMonth, plan)
		require.NotContains(t, plan, "Seq Scan on order_products", plan)
		require.NotContains(t, plan, "Seq Scan on order_exports", plan)
		require.NotContains(t, plan, "Seq Scan on export_versions", plan)
	}
}

// wholeIndexes replaces the names of the indexes of partitions by that of the
// index of the whole table.
func wholeIndexes(t *testing.T, db *storetest.Database) *strings.Replacer {
	t.Helper()
	rows, err := db.Pool.Query(t.Context(), `
		select array[part.relname::text, whole.relname::text] from pg_inherits i
		join pg_class part on part.oid = i.inhrelid and part.relkind = 'i' join pg_class whole on whole.oid = i.inhparent
		order by length(part.relname) desc`)
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[[]string])
	require.NoError(t, err)
	require.NotEmpty(t, names)
	return strings.NewReplacer(slices.Concat(names...)...)
}

// explain returns the plan of a query in the name of an organization.
func explain(
	t *testing.T, db *storetest.Database, org int64, query func(context.Context, *queries.Queries) error,
) string {
	t.Helper()
	tx, err := db.Pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "select set_config('app.org_id', $1::bigint::text, true)", org)
	require.NoError(t, err)
	e := &explainer{tx: tx}
	err = query(t.Context(), queries.New(e))
	require.NoError(t, tx.Rollback(t.Context()))
	require.ErrorIs(t, err, errExplained)
	return e.plan
}

// TestPlansForAnOrganizationWithoutStatistics imports, as it were, into an
// organization that the planner has never seen and so takes to have one row.
// No part of a plan may look through all rows of the organization.
func TestPlansForAnOrganizationWithoutStatistics(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	const fill = `
		insert into organizations (id, slug, name, timezone) select i, 'org-' || i, 'Org', 'Europe/Oslo'
			from generate_series($1::int, $2::int) i;
		insert into customers (org_id, id, business_name) select i, i, 'C' from generate_series($1::int, $2::int) i;
		insert into vehicle_types (org_id, id, name) select i, i, 'V' from generate_series($1::int, $2::int) i;
		insert into order_types (org_id, id, name) select i, i, 'T' from generate_series($1::int, $2::int) i;
		insert into locations (org_id, id, external_id, match_key, name)
			select o, o * 10000 + i, case when i % 2 = 0 then 'L-' || i end, int8send(i), 'L'
				from generate_series($1::int, $2::int) o, generate_series(1, 5000) i;
		insert into orders (org_id, id, number, serial, date, customer_id, order_type_id, vehicle_type_id)
			select o, o * 10000 + i, 'N-' || i, i, date '2026-01-01' + i % 400, o, o, o
				from generate_series($1::int, $2::int) o, generate_series(1, 5000) i;
		insert into order_stops (org_id, id, order_id, kind, location_id, name, earliest, latest, window_source)
			select org_id, id, id, 'pickup', id, 'S', now(), now() + interval '1 hour', 'default' from orders
				where org_id between $1::int and $2::int;
		insert into stop_contacts (org_id, stop_id, seq) select org_id, id, 0 from order_stops
			where org_id between $1::int and $2::int;
		insert into order_products (org_id, id, order_id, number, seq)
			select org_id, id, id, number, 0 from orders where org_id between $1::int and $2::int;
		insert into order_numbers (org_id, number, order_id)
			select org_id, number, id from orders where org_id between $1::int and $2::int;`
	for _, statement := range []string{
		strings.NewReplacer("$1", "1", "$2", "3").Replace(fill), "analyze",
		strings.NewReplacer("$1", "4", "$2", "4").Replace(fill),
	} {
		_, err = owner.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	require.NoError(t, owner.Close(t.Context()))

	var numbers []string
	var ids []int64
	var keys [][]byte
	for i := range 500 {
		numbers, ids, keys = append(numbers, fmt.Sprint("N-", i)), append(ids, int64(40_000+i)), append(keys, []byte{
			0, 0, 0, byte(i),
		})
	}
	const org = 4
	for name, query := range map[string]func(context.Context, *queries.Queries) error{
		"locations": func(ctx context.Context, q *queries.Queries) error {
			_, err := q.FindLocations(ctx, queries.FindLocationsParams{
				OrgID: org, ExternalIds: numbers, MatchKeys: keys, Ids: ids,
			})
			return err
		},
		"numbers": func(ctx context.Context, q *queries.Queries) error {
			_, err := q.LockNumbers(ctx, queries.LockNumbersParams{OrgID: org, Numbers: numbers})
			return err
		},
		"orders": func(ctx context.Context, q *queries.Queries) error {
			_, err := q.FindOrders(ctx, queries.FindOrdersParams{OrgID: org, Ids: ids})
			return err
		},
		"stops": func(ctx context.Context, q *queries.Queries) error {
			_, err := q.FindStops(ctx, queries.FindStopsParams{OrgID: org, OrderIds: ids})
			return err
		},
		"contacts": func(ctx context.Context, q *queries.Queries) error {
			_, err := q.FindStopContacts(ctx, queries.FindStopContactsParams{OrgID: org, StopIds: ids})
			return err
		},
		"products": func(ctx context.Context, q *queries.Queries) error {
			_, err := q.FindProducts(ctx, queries.FindProductsParams{OrgID: org, OrderIds: ids})
			return err
		},
		"numbers of orders": func(ctx context.Context, q *queries.Queries) error {
			_, err := q.NumbersOfOrders(ctx, queries.NumbersOfOrdersParams{OrgID: org, OrderIds: ids})
			return err
		},
	} {
		plan := explain(t, db, org, query)
		require.NotRegexp(t, `Index Cond: \(org_id = '4'::bigint\)\n|Seq Scan on (locations|orders|order_|stop_)`,
			plan+"\n", "%s:\n%s", name, plan)
	}
}

// TestOrdersAreFoundByTheirKey queries plans right after a first import, when
// the database has no statistics: no other index may look as cheap as the key.
func TestOrdersAreFoundByTheirKey(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	_, err = owner.Exec(t.Context(), `
		insert into organizations (id, slug, name, timezone) values (1, 'org', 'Org', 'Europe/Oslo');
		insert into customers (org_id, id, business_name) values (1, 1, 'C');
		insert into vehicle_types (org_id, id, name) values (1, 1, 'V');
		insert into order_types (org_id, id, name) values (1, 1, 'T');
		insert into orders (org_id, id, number, serial, date, customer_id, order_type_id, vehicle_type_id)
			select 1, i, 'N-' || i, i, date '2026-01-01', 1, 1, 1 from generate_series(1, 2000) i`)
	require.NoError(t, err)
	require.NoError(t, owner.Close(t.Context()))
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for name, query := range map[string]func(context.Context, *queries.Queries) error{
		"an order to book": func(ctx context.Context, q *queries.Queries) error {
			_, err := q.OrderToBook(ctx, queries.OrderToBookParams{OrgID: 1, OrderID: 1, IntervalID: 1, OnDay: day})
			return err
		},
		"what a message tells of an order": func(ctx context.Context, q *queries.Queries) error {
			_, err := q.NotificationFacts(ctx, queries.NotificationFactsParams{OrgID: 1, RuleID: 1, EventID: 1})
			return err
		},
		"one order to export": func(ctx context.Context, q *queries.Queries) error {
			_, err := q.ExportSubjects(ctx, queries.ExportSubjectsParams{OrgID: 1, OrderIds: []int64{1}})
			return err
		},
		"orders to export": func(ctx context.Context, q *queries.Queries) error {
			_, err := q.ExportSubjects(ctx, queries.ExportSubjectsParams{OrgID: 1, OrderIds: make([]int64, 100)})
			return err
		},
	} {
		plan := explain(t, db, 1, query)
		require.Contains(t, plan, "orders_pkey", "%s:\n%s", name, plan)
	}
}
