package workflows

import (
	"context"
	"errors"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

// StartLearning starts the workflow that learns the travel times of an organization, unless it is running.
func StartLearning(ctx context.Context, c client.Client, orgID int64) error {
	org, err := OrgName(ctx, c, orgID)
	if err != nil {
		return err
	}
	_, err = c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:                    LearningID(org),
		TaskQueue:             string(HousekeepingQueue),
		Priority:              turnOf(LearningID(org)),
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		TypedSearchAttributes: temporal.NewSearchAttributes(searchOrg.ValueSet(orgID)),
		StaticSummary:         "travel times, learned at night",
	}, LearnTravel, LearnTravelInput{OrgID: orgID})
	var started *serviceerror.WorkflowExecutionAlreadyStarted
	if errors.As(err, &started) {
		return nil
	}
	return outOfReach(err)
}
