package planning_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/planning"
	"waybill/operations/operationstest"
	"waybill/store"
)

// TestPartialReadingOfADayEqualsFullReading reads two orders and a driver, with an order that is for
// another day by now and one that is left over.
func TestPartialReadingOfADayEqualsFullReading(t *testing.T) {
	t.Parallel()
	r, _ := busyDay(t)
	r.Load("A-8", "D-4") // nobody knows where that is
	r.Plan()
	r.Do("update orders set date = date + 1 where org_id = $1 and number = 'A-2'", r.Org)
	ids := func(names ...string) []int64 {
		return operationstest.One[[]int64](r.Office, "select array_agg(id order by id) from orders where org_id = $1 and number = any($2)", r.Org, names)
	}
	orders := ids("A-0", "A-2", "A-8")
	drivers := operationstest.One[[]int64](r.Office, "select array_agg(id) from drivers where org_id = $1 and name = 'Amir'", r.Org)
	whole, err := r.Store.PlanningDay(t.Context(), r.Org, operationstest.Area, r.Now)
	require.NoError(t, err)
	var part planning.Day
	require.NoError(t, r.Store.InTx(t.Context(), operationstest.Clerk(r.Org), func(x *store.Tx) (err error) {
		part, err = x.LoadPlanningPart(t.Context(), operationstest.Area, whole.Now, orders, drivers)
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
