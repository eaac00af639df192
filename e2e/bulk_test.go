package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflow/v1"

	"waybill/workflows"
)

// TestServeRunsOnlySmallImports has only serve running at first, which runs
// small imports, and leaves alone a large one that was accepted before them.
func TestServeRunsOnlySmallImports(t *testing.T) {
	t.Parallel()
	o := install(t, "serve").organization(t)
	location := o.begin(t)
	c := o.temporalClient(t)
	id := workflows.ImportID(o.slug, one[int64](t, o.installation, "select id from imports where org_id = $1 and chunks > 1", o.id))
	var first []*workflow.PendingActivityInfo
	eventually(t, "its first step waits for a worker", func() bool {
		seen, err := c.DescribeWorkflowExecution(t.Context(), id, "")
		first = seen.GetPendingActivities()
		return err == nil && len(first) > 0
	})
	for _, number := range series("SMALL-", 20) {
		require.Equal(t, map[string]int{"orderCreated": 1}, kinds(o.importOrders(t, orders(newOrder(number)))))
	}
	seen, err := c.DescribeWorkflowExecution(t.Context(), id, "")
	require.NoError(t, err)
	require.Len(t, seen.GetPendingActivities(), 1)
	require.Equal(t, first[0].GetActivityId(), seen.GetPendingActivities()[0].GetActivityId())
	require.Equal(t, enums.PENDING_ACTIVITY_STATE_SCHEDULED, seen.GetPendingActivities()[0].GetState())

	require.NoError(t, o.start("work"))
	require.Len(t, o.await(t, location), 5000)
}
