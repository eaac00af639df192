package workflows

import (
	"context"
	"fmt"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

// DriveNews signals the workflow of a driver's day on the road that something
// has happened, and starts it when it is not running.
func DriveNews(ctx context.Context, c client.Client, in DriveInput) error {
	org, err := OrgName(ctx, c, in.OrgID)
	if err != nil {
		return err
	}
	options := client.StartWorkflowOptions{
		ID:                    DriveID(org, in.Day, in.DriverID),
		TaskQueue:             string(DrivingQueue),
		Priority:              turnOf(DriveID(org, in.Day, in.DriverID)),
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		TypedSearchAttributes: temporal.NewSearchAttributes(searchOrg.ValueSet(in.OrgID)),
		StaticSummary:         fmt.Sprintf("driver %d on %s", in.DriverID, in.Day),
	}
	_, err = c.SignalWithStartWorkflow(ctx, options.ID, DriveNewsSignal, nil, options, DriveDay, in)
	return outOfReach(err)
}
