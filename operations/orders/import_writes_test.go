package orders_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/order"
	"waybill/operations/operationstest"
)

// countUpdates counts the rows of each table that are updated from now on.
const countUpdates = `
	create table updated (name text, rows bigint);
	create function count_updates() returns trigger language plpgsql security definer set search_path = public as $$ begin
		insert into updated select tg_table_name, count(*) from written;
		return null;
	end $$;
	do $$ declare name text; begin
		for name in select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace
			and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'updated'
		loop
			execute format('create trigger count_updates after update on %I referencing new table as written
				for each statement execute function count_updates()', name);
		end loop;
	end $$;`

// TestRowsOfImportedOrdersAreWrittenOnce counts the rows that an import of new orders
// writes again: the position of each order's event in the log, and a few of the import.
func TestRowsOfImportedOrdersAreWrittenOnce(t *testing.T) {
	t.Parallel()
	const orders, ofTheImport = 200, 10
	b := operationstest.NewDepot(t)
	owner, err := pgx.Connect(t.Context(), b.DB.OwnerURL)
	require.NoError(t, err)
	_, err = owner.Exec(t.Context(), countUpdates)
	require.NoError(t, err)
	requests := make([]order.Request, orders)
	for i := range requests {
		requests[i] = operationstest.Request(fmt.Sprintf("N-%d", i))
	}
	require.Equal(t, map[order.Kind]int{order.OrderCreated: orders}, b.Run(t, b.Stage(t, requests...)))
	_, err = owner.Exec(t.Context(), "select sequence_events(100000)")
	require.NoError(t, err)

	rows, err := owner.Query(t.Context(), `
		select name, sum(rows)::int from updated group by name having sum(rows) > 0 order by name`)
	require.NoError(t, err)
	var name string
	var n, total int
	updated := map[string]int{}
	_, err = pgx.ForEachRow(rows, []any{&name, &n}, func() error {
		updated[name] = n
		total += n
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, owner.Close(t.Context()))
	require.LessOrEqual(t, total, orders+ofTheImport, "updated after they were inserted: %v", updated)
	require.Equal(t, orders, b.Count(t,
		"select count(*) from order_numbers where order_id is not null and receipt is not null"))
}
