package workflows

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"waybill/activities"
	"waybill/pause"
)

// ExportedOrder is an order as the clients of its export name it.
type ExportedOrder struct {
	OrgID, OrderID int64
	ExternalID     string
}

func (o ExportedOrder) options() client.StartWorkflowOptions {
	return client.StartWorkflowOptions{
		ID:                       ExportID(o.OrgID, o.OrderID),
		TaskQueue:                string(ExportsQueue),
		WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		TypedSearchAttributes: temporal.NewSearchAttributes(
			searchOrg.ValueSet(o.OrgID), searchOrderID.ValueSet(o.OrderID), searchExternalID.ValueSet(o.ExternalID)),
		StaticSummary: fmt.Sprintf("export of order %d", o.OrderID),
	}
}

func (o ExportedOrder) input() ExportInput { return ExportInput{OrgID: o.OrgID, OrderID: o.OrderID} }

// ExportChanged tells the export of an order that the order may have changed,
// and starts it when it is not running.
func ExportChanged(ctx context.Context, c client.Client, o ExportedOrder) error {
	options := o.options()
	// A signal with start reaches what runs anyway.
	options.WorkflowIDConflictPolicy = enums.WORKFLOW_ID_CONFLICT_POLICY_UNSPECIFIED
	_, err := c.SignalWithStartWorkflow(ctx, options.ID, ExportChangedSignal, nil, options, ExportOrder, o.input())
	return outOfReach(err)
}

// AcknowledgeExport lets an acknowledgement that was received take effect, and
// returns what became of it. Sent again it takes no second effect. An export
// whose workflow has ended is started for it.
func AcknowledgeExport(
	ctx context.Context, c client.Client, o ExportedOrder, acknowledgementID int64, requestID string,
) (activities.Acknowledged, error) {
	update := client.UpdateWorkflowOptions{
		WorkflowID: ExportID(o.OrgID, o.OrderID), UpdateID: fmt.Sprintf("acknowledgement-%d", acknowledgementID),
		UpdateName: AcknowledgeUpdate, Args: []any{acknowledgementID}, WaitForStage: client.WorkflowUpdateStageCompleted,
	}
	var out activities.Acknowledged
	for wait := acknowledgePause; ; wait *= 2 {
		err := o.acknowledge(ctx, c, update, requestID, &out)
		// Its task was given up, because something came in as it was about to end.
		var busy *serviceerror.WorkflowNotReady
		if !errors.As(err, &busy) || !pause.For(ctx, wait) {
			return out, outOfReach(err)
		}
	}
}

// acknowledgePause is the first pause before an update is sent again; each
// further one is twice as long.
const acknowledgePause = 20 * time.Millisecond

func (o ExportedOrder) acknowledge(
	ctx context.Context, c client.Client,
	update client.UpdateWorkflowOptions, requestID string, out *activities.Acknowledged,
) error {
	handle, err := c.UpdateWorkflow(ctx, update)
	if ended(err) {
		options := o.options()
		options.Memo = map[string]any{RequestIDMemo: requestID}
		update.WorkflowID = ""
		handle, err = c.UpdateWithStartWorkflow(ctx, client.UpdateWithStartWorkflowOptions{
			StartWorkflowOperation: c.NewWithStartWorkflowOperation(options, ExportOrder, o.input()),
			UpdateOptions:          update,
		})
	}
	if err != nil {
		return err
	}
	return handle.Get(ctx, out)
}

// ended reports whether there is no run that could take an update, or it ended
// while the update was on its way.
func ended(err error) bool {
	var absent *serviceerror.NotFound
	return errors.As(err, &absent)
}
