package store_test

import (
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/store"
	"waybill/store/catalogue"
	"waybill/store/storetest"
)

// outlive are tables that name an order, and that outlive it.
var outlive = []string{
	"events",                  // the log has its own retention
	"import_results",          // imports have their own retention
	"suppressions",            // an address stays suppressed, independent of the message
	"notification_handovers",  // an hour old at most
	"cargo_carrier_movements", // the balance of an account is the sum of its movements
	"place_proposals",         // each ends after settings.retention.peopleDays
}

// TestEveryTableOfOrdersAgesOutWithThem compares the tables that depend on orders with
// those that name an order in the database's catalogue: a new one needs a foreign key,
// or an entry here.
func TestEveryTableOfOrdersAgesOutWithThem(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	c, err := catalogue.Read(t.Context(), db.Pool)
	require.NoError(t, err)
	steps, err := c.Below("orders", store.KeptReference)
	require.NoError(t, err)
	var below []string
	for _, step := range steps {
		below = append(below, step.Table.Name)
	}
	rows, err := db.Pool.Query(t.Context(), `select distinct c.relname::text
		from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
		where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
			and a.attname in ('order_id', 'stop_id', 'order_product_id', 'proof_id', 'draft_id', 'notification_id')`)
	require.NoError(t, err)
	named, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Greater(t, len(named), 20)
	for _, table := range named {
		if !slices.Contains(outlive, table) {
			require.Contains(t, below, table)
		}
	}
	for _, table := range outlive {
		require.NotContains(t, below, table)
	}
	for _, table := range []string{
		"order_stops", "stop_contacts", "completion_proof_images", "export_acknowledgements", "plan_stops",
		"notification_steps", "drafts", "draft_documents", "bookings", "erp_orders", "exceptions",
	} {
		require.Contains(t, below, table)
	}
}
