package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"waybill/domain/housekeeping"
	"waybill/workflows"
)

// TestMissingWorkflowsAreRestarted has workflows on a real server that run,
// were terminated, have failed or never existed, of each kind that records
// refer to.
func TestMissingWorkflowsAreRestarted(t *testing.T) {
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
		housekeeping.LivePlaces:      {housekeeping.Life{OrgID: 1}, "places/1"},
		housekeeping.LiveLearning:    {housekeeping.Life{OrgID: 1}, "learn-travel/1"},
		housekeeping.LiveWebhooks:    {housekeeping.Life{OrgID: 1, ID: 4}, "webhook/1/4"},
		housekeeping.LiveMessages: {housekeeping.Life{
			OrgID: 1, ID: 8, Name: "notification/acme/1-1-0-r1", Key: "1-1-0", Event: "ORDER_CREATED", Channel: "EMAIL",
		}, "notification/acme/1-1-0-r1"},
	} {
		gone := func() bool {
			t.Helper()
			look, err := lives.Look(t.Context(), duty, []housekeeping.Life{of.life})
			require.NoError(t, err)
			require.Zero(t, look.Failed)
			return len(look.Gone) == 1
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
		// The list of running workflows may lag a moment behind.
		require.Eventually(t, gone, 30*time.Second, 50*time.Millisecond, "%s: somebody ended it", duty)
		require.NoError(t, lives.Start(t.Context(), duty, of.life))
		require.False(t, gone(), "%s: it is there again", duty)
	}

	beginAgain(t, server)
}

// beginAgain fails workflows. They are counted at once and restarted a day
// later, except messages.
func beginAgain(t *testing.T, server client.Client) {
	t.Helper()
	w := worker.New(server, "failing", worker.Options{})
	w.RegisterWorkflowWithOptions(func(workflow.Context) error {
		return temporal.NewNonRetryableApplicationError("poison", "Poison", nil)
	}, workflow.RegisterOptions{Name: "Failing"})
	require.NoError(t, w.Start())
	defer w.Stop()
	lives := workflows.Lives{Temporal: server}
	tomorrow := workflows.Lives{Temporal: server, Now: func() time.Time { return time.Now().Add(25 * time.Hour) }}
	for duty, of := range map[housekeeping.Duty]struct {
		life   housekeeping.Life
		id     string
		begins bool
	}{
		housekeeping.LiveTemplates: {housekeeping.Life{OrgID: 1, ID: 665}, "recurring-order/1/665", true},
		housekeeping.LiveExports:   {housekeeping.Life{OrgID: 1, ID: 666, Name: "SO-666"}, "export/1/666", true},
		housekeeping.LiveMessages: {housekeeping.Life{
			OrgID: 1, ID: 667, Name: "notification/acme/667", Key: "1-1-0", Event: "ORDER_CREATED", Channel: "EMAIL",
		}, "notification/acme/667", false},
	} {
		run, err := server.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: of.id, TaskQueue: "failing"}, "Failing")
		require.NoError(t, err)
		require.Error(t, run.Get(t.Context(), nil))
		// The list of running workflows may lag a moment behind.
		require.EventuallyWithT(t, func(c *assert.CollectT) {
			look, err := lives.Look(t.Context(), duty, []housekeeping.Life{of.life})
			require.NoError(c, err)
			require.Equal(c, housekeeping.Look{Failed: 1}, look, duty)
		}, 30*time.Second, 50*time.Millisecond)

		look, err := tomorrow.Look(t.Context(), duty, []housekeeping.Life{of.life})
		require.NoError(t, err)
		require.Equal(t, 1, look.Failed, duty)
		require.Equal(t, of.begins, len(look.Gone) == 1, duty)
		if !of.begins {
			continue
		}
		require.NoError(t, tomorrow.Start(t.Context(), duty, look.Gone[0]))
		found, err := server.DescribeWorkflowExecution(t.Context(), of.id, "")
		require.NoError(t, err)
		require.Equal(t, enums.WORKFLOW_EXECUTION_STATUS_RUNNING, found.GetWorkflowExecutionInfo().GetStatus(), duty)
		look, err = tomorrow.Look(t.Context(), duty, []housekeeping.Life{of.life})
		require.NoError(t, err)
		require.Zero(t, look, "%s: it runs again", duty)
	}
}
