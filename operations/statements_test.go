package operations_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/housekeeping"
	"waybill/domain/planning"
	"waybill/operations"
	"waybill/operations/core"
	"waybill/operations/operationstest"
	planningops "waybill/operations/planning"
)

// TestTablesAreLookedUpOnceForAllThatAgesOut has two organizations whose orders age out in
// one step of the duty.
func TestTablesAreLookedUpOnceForAllThatAgesOut(t *testing.T) {
	t.Parallel()
	h := operationstest.NewOldHouse(t)
	h.Exec("update organizations set keep_orders_days = 200")
	s, count := h.Counted()
	h.Operations = operations.New(s, func() time.Time { return h.Now }, operations.Settings{
		OpenFiles: func(context.Context) (core.FileStorage, error) { return h.Attic, nil },
	})
	batch, err := h.Housekeeping.KeepHouse(t.Context(), housekeeping.Orders, false)
	require.NoError(t, err)
	require.GreaterOrEqual(t, batch.Done, 2)
	require.EqualValues(t, 1, count.Catalogues.Load())
}

func TestADayIsReadOverOneConnection(t *testing.T) {
	t.Parallel()
	d := operationstest.NewDispatch(t)
	s, count := d.Counted()
	d.Operations = operations.New(s, func() time.Time { return d.Now }, operations.Settings{
		Planning: planningops.Planning{Days: 14, Planners: 2},
	})
	done, err := d.Planning.PlanDay(t.Context(), operationstest.Clerk(d.Org), planningops.PlanningSlice{Area: operationstest.Area, Patient: true})
	require.NoError(t, err)
	require.Equal(t, planning.DayEmpty, done.State)
	require.EqualValues(t, 1, count.Connections.Load())
}
