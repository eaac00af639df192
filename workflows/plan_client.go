package workflows

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"waybill/domain/planning"
)

// PlanChanged signals the plan of an area that its input may have changed, and
// starts it if it is not running.
func PlanChanged(ctx context.Context, c client.Client, orgID int64, area planning.Area) error {
	org, err := OrgName(ctx, c, orgID)
	if err != nil {
		return err
	}
	date := area.Date.Format(time.DateOnly)
	options := client.StartWorkflowOptions{
		ID:                    PlanID(org, area.DepartmentID, date),
		TaskQueue:             string(PlanningQueue),
		Priority:              turnOf(PlanID(org, area.DepartmentID, date)),
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		TypedSearchAttributes: temporal.NewSearchAttributes(searchOrg.ValueSet(orgID)),
		StaticSummary:         fmt.Sprintf("plan of %s, department %d", date, area.DepartmentID),
	}
	in := PlanInput{OrgID: orgID, DepartmentID: area.DepartmentID, Date: date}
	_, err = c.SignalWithStartWorkflow(ctx, options.ID, PlanChangedSignal, nil, options, PlanDay, in)
	return outOfReach(err)
}
