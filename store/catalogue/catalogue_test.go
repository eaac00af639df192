package catalogue_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"waybill/store/catalogue"
	"waybill/store/storetest"
)

func read(t *testing.T, db *pgxpool.Pool) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.Read(t.Context(), db)
	require.NoError(t, err)
	return c
}

// TestEveryTableOfOrganizationsIsInTheCatalogue compares the catalogue with all
// tables that have the column, and checks that each table comes before those it
// refers to.
func TestEveryTableOfOrganizationsIsInTheCatalogue(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	c := read(t, db.Pool)
	var want []string
	require.NoError(t, db.Pool.QueryRow(t.Context(), `
		select array_agg(distinct c.table_name::text order by c.table_name::text)
		from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
		where c.table_schema = 'public' and c.column_name = 'org_id' and t.table_type = 'BASE TABLE'`).Scan(&want))
	ordered, err := c.DependentsFirst()
	require.NoError(t, err)
	var parts []string
	place := map[string]int{}
	for i, table := range ordered {
		place[table.Name] = i
		parts = append(parts, table.Parts...)
		require.NotEmpty(t, table.Key, table.Name)
		if len(table.Parts) > 1 {
			parts = append(parts, table.Name)
		}
	}
	require.ElementsMatch(t, want, parts, "the application sees all of them")
	require.NotEmpty(t, c.References)
	for _, r := range c.References {
		if !r.Self() {
			require.Less(t, place[r.From], place[r.To], "%s refers to %s", r.From, r.To)
		}
	}
}
