package orders_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/caller"
	"waybill/operations/operationstest"
	"waybill/store/storetest"
)

// TestServiceChangesAreNotEdits: the service itself may choose another vehicle type, and
// nobody has edited the order by that.
func TestServiceChangesAreNotEdits(t *testing.T) {
	t.Parallel()
	o := operationstest.NewOffice(t)
	org := storetest.Organization(t, o.Database, "acme")
	require.Len(t, o.Imported(org, operationstest.HeavyOrder("A-1")).Orders, 1)
	types := operationstest.One[[]int64](o, "select array_agg(id order by id) from vehicle_types where org_id = $1", org)
	o.Do("update orders set edited_at = null where org_id = $1", org)
	edited := func() bool {
		return operationstest.One[bool](o, "select edited_at is not null from orders where org_id = $1", org)
	}

	require.NoError(t, o.Orders.ChangeVehicleType(t.Context(), caller.Service(org, "test"), "A-1", types[1]))
	require.Equal(t, types[1], operationstest.One[int64](o, "select vehicle_type_id from orders where org_id = $1", org))
	require.False(t, edited())
	require.NoError(t, o.Orders.ChangeVehicleType(t.Context(), operationstest.Clerk(org), "A-1", types[0]))
	require.True(t, edited())

	said := operationstest.One[string](o, `select data -> 'differences' ->> 0 from events
		where org_id = $1 and kind = 'order.updated' order by id desc limit 1`, org)
	require.JSONEq(t, fmt.Sprintf(`{"what": "VEHICLE_TYPE", "from": "%d", "to": "%d"}`, types[1], types[0]), said)
}
