package masterdata_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/store/storetest"
)

// TestPruningLooksForOrdersAlongIndexes requires an index on each column by
// which pruning checks whether orders refer to a row.
func TestPruningLooksForOrdersAlongIndexes(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	for _, column := range []string{
		"customer_id", "consignee_id", "consignor_id", "department_id", "vehicle_type_id", "order_type_id",
	} {
		var indexed bool
		require.NoError(t, db.Pool.QueryRow(t.Context(), `select exists (select from pg_index i
			join pg_attribute org on org.attrelid = i.indrelid and org.attnum = i.indkey[0] and org.attname = 'org_id'
			join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[1] and a.attname = $1
			where i.indrelid = 'orders'::regclass and i.indisvalid
				and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%s IS NOT NULL)', $1::text)))`,
			column).Scan(&indexed))
		require.True(t, indexed, column)
	}
}
