package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"waybill/domain/housekeeping"
	"waybill/workflows"
)

// TestWhatLivesGetsItsWorkflowBack asks a real server about workflows that run, were
// terminated, have failed and never were, of each kind that rows speak of.
func TestWhatLivesGetsItsWorkflowBack(t *testing.T) {
	t.Parallel()
	server := startServer(t,
		"--search-attribute", "WaybillOrg=Int", "--search-attribute", "WaybillOrderId=Int",
		"--search-attribute", "WaybillTemplateId=Int", "--search-attribute", "WaybillExternalId=Keyword",
		"--search-attribute", "WaybillChannel=Keyword")
	lives := workflows.Lives{Temporal: server}
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for duty, of := range map[housekeeping.Duty]struct {
		life housekeeping.Life
		id   string
	}{
		housekeeping.LiveTemplates:   {housekeeping.Life{OrgID: 1, ID: 5}, "recurring-order/1/5"},
		housekeeping.LiveExports:     {housekeeping.Life{OrgID: 1, ID: 7, Name: "SO-7"}, "export/1/7"},
		housekeeping.LivePlans:       {housekeeping.Life{OrgID: 1, ID: 9, Other: 3, Day: day}, "plan/1/3/2026-03-02"},
		housekeeping.LiveDrives:      {housekeeping.Life{OrgID: 1, ID: 17, Day: day}, "drive/1/2026-03-02/17"},
		housekeeping.LiveSimulations: {housekeeping.Life{OrgID: 1, ID: 4, Day: day, Other: 60}, "simulate/1/2026-03-02"},
		housekeeping.LiveWebhooks:    {housekeeping.Life{OrgID: 1, ID: 4}, "webhook/1/4"},
		housekeeping.LiveMessages: {housekeeping.Life{
			OrgID: 1, ID: 8, Name: "notification/acme/1-1-0-r1", Key: "1-1-0", Event: "ORDER_CREATED", Channel: "EMAIL",
		}, "notification/acme/1-1-0-r1"},
	} {
		gone := func() bool {
			t.Helper()
			found, err := lives.Gone(t.Context(), duty, []housekeeping.Life{of.life})
			require.NoError(t, err)
			return len(found) == 1
		}
		require.True(t, gone(), "%s: it never was", duty)
		for range 2 {
			require.NoError(t, lives.Start(t.Context(), duty, of.life), "%s: one that runs goes on", duty)
			found, err := server.DescribeWorkflowExecution(t.Context(), of.id, "")
			require.NoError(t, err)
			require.Equal(t, enums.WORKFLOW_EXECUTION_STATUS_RUNNING, found.GetWorkflowExecutionInfo().GetStatus())
			require.False(t, gone(), "%s: it runs", duty)
		}
		require.NoError(t, server.TerminateWorkflow(t.Context(), of.id, "", "a test"))
		// What is listed as running may be behind by a moment.
		require.Eventually(t, gone, 30*time.Second, 50*time.Millisecond, "%s: somebody ended it", duty)
		require.NoError(t, lives.Start(t.Context(), duty, of.life))
		require.False(t, gone(), "%s: it is there again", duty)
	}

	w := worker.New(server, "failing", worker.Options{})
	w.RegisterWorkflowWithOptions(func(workflow.Context) error {
		return temporal.NewNonRetryableApplicationError("poison", "Poison", nil)
	}, workflow.RegisterOptions{Name: "Failing"})
	require.NoError(t, w.Start())
	defer w.Stop()
	run, err := server.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "export/1/666", TaskQueue: "failing"}, "Failing")
	require.NoError(t, err)
	require.Error(t, run.Get(t.Context(), nil))
	found, err := lives.Gone(t.Context(), housekeeping.LiveExports, []housekeeping.Life{{OrgID: 1, ID: 666}})
	require.NoError(t, err)
	require.Empty(t, found, "what failed is left to people")
}
