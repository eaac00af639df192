package workflows

import (
	"context"
	"fmt"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

// StartSimulation starts the simulation of a day, or finds it running. A run
// whose workflow was ended continues from where it is.
func StartSimulation(ctx context.Context, c client.Client, in SimulationInput, requestID string) error {
	org, err := OrgName(ctx, c, in.OrgID)
	if err != nil {
		return err
	}
	_, err = c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:                       SimulationID(org, in.Date),
		TaskQueue:                string(SandboxQueue),
		Priority:                 turnOf(SimulationID(org, in.Date)),
		WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		TypedSearchAttributes:    temporal.NewSearchAttributes(searchOrg.ValueSet(in.OrgID)),
		Memo:                     map[string]any{RequestIDMemo: requestID},
		StaticSummary:            fmt.Sprintf("drivers of %s at pace %d", in.Date, in.Pace),
	}, SimulateDay, in)
	return outOfReach(err)
}
