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

// SaveRecurringOrder sends a change to the workflow of its template, starts the
// workflow if it is not running, and waits until the change is made or
// rejected. The change's id is the key: sending it twice makes it once.
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
	options, err := recurringOptions(ctx, c, in.OrgID, in.TemplateID)
	if err != nil {
		return out, err
	}
	options.WorkflowIDConflictPolicy = enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING
	options.Memo = map[string]any{RequestIDMemo: requestID}
	start := c.NewWithStartWorkflowOperation(options, RecurringOrder,
		RecurringInput{OrgID: in.OrgID, TemplateID: in.TemplateID})
	handle, err := c.UpdateWithStartWorkflow(ctx, client.UpdateWithStartWorkflowOptions{
		StartWorkflowOperation: start,
		UpdateOptions: client.UpdateWorkflowOptions{
			WorkflowID: options.ID, UpdateID: fmt.Sprintf("save-%d-%d", in.ChangeID, try), UpdateName: SaveUpdate, Args: []any{in},
			WaitForStage: client.WorkflowUpdateStageCompleted,
		},
	})
	if err != nil {
		return out, err
	}
	err = handle.Get(ctx, &out)
	return out, err
}

// recurringOptions are those of the workflow of a template.
func recurringOptions(ctx context.Context, c client.Client, org, template int64) (client.StartWorkflowOptions, error) {
	name, err := OrgName(ctx, c, org)
	return client.StartWorkflowOptions{
		ID:                    RecurringOrderID(name, template),
		TaskQueue:             string(RecurringOrdersQueue),
		Priority:              turnOf(RecurringOrderID(name, template)),
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		TypedSearchAttributes: temporal.NewSearchAttributes(searchOrg.ValueSet(org), searchTemplate.ValueSet(template)),
		StaticSummary:         fmt.Sprintf("recurring order %d", template),
	}, err
}

// RecurringOrderChanged signals the workflow of an active template that something
// it depends on has changed, such as the organization's time zone. It starts a
// workflow that is not running.
func RecurringOrderChanged(ctx context.Context, c client.Client, org, template int64) error {
	options, err := recurringOptions(ctx, c, org, template)
	if err != nil {
		return err
	}
	_, err = c.SignalWithStartWorkflow(ctx, options.ID, ChangedSignal, nil, options, RecurringOrder,
		RecurringInput{OrgID: org, TemplateID: template})
	return outOfReach(err)
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
