package operations_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/store"
)

// TestAPartOfADayIsReadAsTheWholeIs reads two orders and a driver, with an order that is for
// another day by now and one that is left over.
func TestAPartOfADayIsReadAsTheWholeIs(t *testing.T) {
	t.Parallel()
	r, _ := busyDay(t)
	r.load("A-8", "D-4") // nobody knows where that is
	r.plan()
	r.do("update orders set date = date + 1 where org_id = $1 and number = 'A-2'", r.org)
	ids := func(names ...string) []int64 {
		return one[[]int64](r.office, "select array_agg(id order by id) from orders where org_id = $1 and number = any($2)", r.org, names)
	}
	orders := ids("A-0", "A-2", "A-8")
	drivers := one[[]int64](r.office, "select array_agg(id) from drivers where org_id = $1 and name = 'Amir'", r.org)
	whole, err := r.store.PlanningDay(t.Context(), r.org, area, r.now)
	require.NoError(t, err)
	var part planning.Day
	require.NoError(t, r.store.InTx(t.Context(), clerk(r.org), func(x *store.Tx) (err error) {
		part, err = x.LoadPlanningPart(t.Context(), area, whole.Now, orders, drivers)
		return err
	}))
	require.Len(t, part.Orders, 3)
	require.Len(t, part.Drivers, 1)
	require.Len(t, part.Routes, 3, "those with the orders, and the driver's own")
	require.Len(t, part.Unplanned, 1)
	require.Equal(t, whole, whole.Renewed(&part, orders, drivers))
	require.Equal(t, slices.DeleteFunc(slices.Clone(whole.Orders), func(o planning.Order) bool { return !slices.Contains(orders, o.ID) }),
		part.Orders)
}
