package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"

	"waybill/api/contract"
	"waybill/workflows"
)

// TestAcknowledgementsNeedNoWorkflow acknowledges without a worker and after
// the workflow was terminated: it counts at once, and the workflow is updated
// later.
func TestAcknowledgementsNeedNoWorkflow(t *testing.T) {
	t.Parallel()
	i := install(t, "serve", "work")
	o := i.organization(t)
	id := orderID(t, o.importOrders(t, orders(carrierOrder("GONE")))[0])
	token := o.awaitFeed(t, 1)[0].ExportToken
	c, workflow := o.temporalClient(t), workflows.ExportID(o.slug, id)
	require.NoError(t, c.TerminateWorkflow(t.Context(), workflow, "", "a test"))
	i.kill("work")
	done := o.exported(t, token, "Idempotency-Key", "K-1")
	require.Equal(t, contract.OrderExportStateExported, done.State)
	require.Equal(t, done, o.exported(t, token, "Idempotency-Key", "K-1"))
	require.NoError(t, i.start("work"))
	state := func(status string) func() bool {
		query := fmt.Sprintf("WorkflowId = '%s' and ExecutionStatus = '%s' and WaybillState = '%s'",
			workflow, status, map[string]string{"Running": "exported", "Completed": "closed"}[status])
		return func() bool {
			found, err := c.CountWorkflow(t.Context(), &workflowservice.CountWorkflowExecutionsRequest{
				Namespace: i.temporal.Namespace(), Query: query,
			})
			return err == nil && found.GetCount() == 1
		}
	}
	eventually(t, "a new run waits for the end of the window", state("Running"))
	for n := range 4 {
		require.Equal(t, http.StatusOK, o.acknowledge(t, token, fmt.Sprintf("refused %d", n)).status)
	}
	eventually(t, "the run ends with the last acknowledgement", state("Completed"))
}
