package store_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/domain/privacy"
)

// TestEveryColumnIsAPlaceOfPersonalDataOrExempt reads from the database which
// columns can hold text. Add a new one to privacy.Places, so that erasure finds
// it, or to the exempt columns with the reason.
func TestEveryColumnIsAPlaceOfPersonalDataOrExempt(t *testing.T) {
	t.Parallel()
	d := newDocuments(t)
	rows, err := d.owner.Query(t.Context(), `
		select c.relname::text, a.attname::text from pg_class c join pg_attribute a on a.attrelid = c.oid
		join pg_type y on y.oid = a.atttypid
		where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
			and a.attnum > 0 and not a.attisdropped and (y.typcategory = 'S'
				or y.typname in ('json', 'jsonb', 'bytea', 'xml', 'hstore', 'inet', '_text', '_jsonb', '_varchar'))
		order by 1, 2`)
	require.NoError(t, err)
	type column struct{ Table, Name string }
	columns, err := pgx.CollectRows(rows, pgx.RowToStructByPos[column])
	require.NoError(t, err)

	known := map[column]string{}
	for _, place := range privacy.DataMap() {
		require.NotEmpty(t, place.What+place.Why+place.Period, place.Table)
		for _, c := range place.Columns {
			known[column{place.Table, c.Name}] = "personal"
		}
		for name := range strings.FieldsSeq(place.Codes) {
			require.Empty(t, known[column{place.Table, name}], "%s.%s is named twice", place.Table, name)
			known[column{place.Table, name}] = "code"
		}
	}
	exempt := map[string]bool{}
	for _, e := range privacy.Exemptions() {
		require.False(t, exempt[e.Table], "%s is named twice", e.Table)
		require.NotEmpty(t, e.Reason)
		exempt[e.Table] = true
	}
	tables := map[string]bool{}
	for _, c := range columns {
		tables[c.Table] = true
		require.True(t, exempt[c.Table] != (known[c] != ""),
			"%s.%s is neither a place of personal data nor exempt, or both", c.Table, c.Name)
	}
	for c := range known {
		require.True(t, slices.Contains(columns, c), "there is no column %s.%s", c.Table, c.Name)
	}
	for table := range exempt {
		require.True(t, tables[table], "there is no table %s with a text", table)
	}
}
