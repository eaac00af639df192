package workflows

import (
	"context"
	"errors"
	"fmt"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"waybill/activities"
)

// savesTried is how often a save is handed over when the workflow that was to
// take it ends just then.
const savesTried = 5

// SaveRecurringOrder hands a change to the workflow of its template, which is
// started when it is not running, and waits until it is made or refused. The
// change's id is the key: handing it over twice makes it once.
func SaveRecurringOrder(
	ctx context.Context, c client.Client, org, template, change int64, requestID string,
) (refused bool, err error) {
	in := activities.SaveInput{OrgID: org, TemplateID: template, ChangeID: change}
	for try := 1; ; try++ {
		out, err := saveOnce(ctx, c, in, requestID, try)
		if err == nil || try == savesTried || !endedMeanwhile(err) {
			return out.Refused, outOfReach(err)
		}
	}
}

func saveOnce(
	ctx context.Context, c client.Client, in activities.SaveInput, requestID string, try int,
) (activities.SaveOutcome, error) {
	var out activities.SaveOutcome
	id := RecurringOrderID(in.OrgID, in.TemplateID)
	start := c.NewWithStartWorkflowOperation(client.StartWorkflowOptions{
		ID:                       id,
		TaskQueue:                string(RecurringOrdersQueue),
		WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		TypedSearchAttributes: temporal.NewSearchAttributes(
			searchOrg.ValueSet(in.OrgID), searchTemplate.ValueSet(in.TemplateID),
		),
		Memo:          map[string]any{RequestIDMemo: requestID},
		StaticSummary: fmt.Sprintf("recurring order %d", in.TemplateID),
	}, RecurringOrder, RecurringInput{OrgID: in.OrgID, TemplateID: in.TemplateID})
	handle, err := c.UpdateWithStartWorkflow(ctx, client.UpdateWithStartWorkflowOptions{
		StartWorkflowOperation: start,
		UpdateOptions: client.UpdateWorkflowOptions{
			WorkflowID: id, UpdateID: fmt.Sprintf("save-%d-%d", in.ChangeID, try), UpdateName: SaveUpdate, Args: []any{in},
			WaitForStage: client.WorkflowUpdateStageCompleted,
		},
	})
	if err != nil {
		return out, err
	}
	err = handle.Get(ctx, &out)
	return out, err
}

// endedMeanwhile reports whether an update failed because its workflow ended
// before it had taken it.
func endedMeanwhile(err error) bool {
	var gone *serviceerror.NotFound
	var failed *temporal.ApplicationError
	if errors.As(err, &failed) {
		return failed.Type() == "AcceptedUpdateCompletedWorkflow"
	}
	return errors.As(err, &gone)
}
