package schema_test

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/migrations"
	"waybill/store/schema"
	"waybill/store/storetest"
)

func TestPendingIsWhatMigrateWouldChange(t *testing.T) {
	t.Parallel()
	d := definer{t, storetest.New(t)}
	pending := func() schema.Done {
		pending, err := schema.Pending(t.Context(), d.db.OwnerURL)
		require.NoError(t, err)
		return pending
	}
	require.Empty(t, pending())
	d.exec("update schema_definitions set hash = 'another' where name in ('VIEW v1_orders', 'TRIGGER locations_renamed')")
	d.exec("drop function take_seat")
	expected := []string{"bookings/take_seat.sql", "orders/locations_renamed.sql", "orders/v1_orders.sql"}
	require.ElementsMatch(t, expected, pending().Definitions)
	require.ElementsMatch(t, expected, migrate(t, d.db).Definitions)

	d.exec("insert into goose_db_version (version_id, is_applied) values (100000, true)")
	d.exec("drop function take_seat")
	require.Empty(t, pending(), "a later program has migrated the database")

	empty(t, d.db)
	files, err := fs.Glob(migrations.Files, "*.sql")
	require.NoError(t, err)
	require.Equal(t, files, pending().Migrations)
	require.Greater(t, len(pending().Definitions), 180)
	const made = "select count(*) from pg_class where relnamespace = 'public'::regnamespace"
	require.Zero(t, d.number(made), "nothing is made")
}
