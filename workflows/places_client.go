package workflows

import (
	"context"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

// PlacesNews signals the workflow of an organization's addresses that there may be some to place,
// and starts it when it is not running.
func PlacesNews(ctx context.Context, c client.Client, orgID int64) error {
	org, err := OrgName(ctx, c, orgID)
	if err != nil {
		return err
	}
	options := client.StartWorkflowOptions{
		ID:                    PlacesID(org),
		TaskQueue:             string(PlacesQueue),
		Priority:              turnOf(PlacesID(org)),
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		TypedSearchAttributes: temporal.NewSearchAttributes(searchOrg.ValueSet(orgID)),
		StaticSummary:         "addresses that no register has",
	}
	_, err = c.SignalWithStartWorkflow(ctx, options.ID, PlacesNewsSignal, nil, options, PlaceAddresses, PlacesInput{OrgID: orgID})
	return outOfReach(err)
}
