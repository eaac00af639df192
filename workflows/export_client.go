package workflows

import (
	"context"
	"errors"
	"fmt"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

// ExportedOrder is an order as the clients of its export name it.
type ExportedOrder struct {
	OrgID, OrderID int64
	ExternalID     string
}

func (o ExportedOrder) options(org string) client.StartWorkflowOptions {
	return client.StartWorkflowOptions{
		ID:                       ExportID(org, o.OrderID),
		TaskQueue:                string(ExportsQueue),
		Priority:                 turnOf(ExportID(org, o.OrderID)),
		WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		TypedSearchAttributes: temporal.NewSearchAttributes(
			searchOrg.ValueSet(o.OrgID), searchOrderID.ValueSet(o.OrderID), searchExternalID.ValueSet(o.ExternalID)),
		StaticSummary: fmt.Sprintf("export of order %d", o.OrderID),
	}
}

func (o ExportedOrder) input() ExportInput { return ExportInput{OrgID: o.OrgID, OrderID: o.OrderID} }

// ExportChanged signals the export of an order that the order may have changed
// or was acknowledged, and starts it when it is not running.
func ExportChanged(ctx context.Context, c client.Client, o ExportedOrder) error {
	org, err := OrgName(ctx, c, o.OrgID)
	if err != nil {
		return err
	}
	options := o.options(org)
	// A signal with start reaches a running workflow, too.
	options.WorkflowIDConflictPolicy = enums.WORKFLOW_ID_CONFLICT_POLICY_UNSPECIFIED
	_, err = c.SignalWithStartWorkflow(ctx, options.ID, ExportChangedSignal, nil, options, ExportOrder, o.input())
	return outOfReach(err)
}

// ExportClosed signals the export of an order, if it is running, that it
// was closed.
func ExportClosed(ctx context.Context, c client.Client, orgID, orderID int64) error {
	org, err := OrgName(ctx, c, orgID)
	if err != nil {
		return err
	}
	err = c.SignalWorkflow(ctx, ExportID(org, orderID), "", ExportChangedSignal, nil)
	var over *serviceerror.NotFound
	if errors.As(err, &over) {
		return nil
	}
	return outOfReach(err)
}
