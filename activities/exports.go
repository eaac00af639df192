package activities

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"waybill/domain/caller"
	"waybill/domain/export"
	"waybill/operations/exports"
)

// ExportOperations are the operations that exports need.
type ExportOperations interface {
	ConsiderExport(ctx context.Context, c caller.Caller, orderID int64) (export.Record, error)
	Acknowledge(ctx context.Context, c caller.Caller, orderID, acknowledgementID int64) (exports.Acknowledged, error)
}

// Exports are the activities of the workflow ExportOrder.
type Exports struct {
	operations ExportOperations
}

// NewExports returns the activities of exports.
func NewExports(o ExportOperations) *Exports { return &Exports{operations: o} }

// ExportInput names the order whose export it is about.
type ExportInput struct {
	OrgID   int64 `json:"orgId"`
	OrderID int64 `json:"orderId"`
}

// ExportStatus is the state of an export.
type ExportStatus struct {
	// State is empty for an order that is not subject to export.
	State    export.State  `json:"state,omitempty"`
	Reason   export.Reason `json:"reason,omitempty"`
	Used     int           `json:"acknowledgements"`
	Left     int           `json:"acknowledgementsLeft"`
	IsUpdate bool          `json:"isUpdate,omitempty"`
	ClosesAt *time.Time    `json:"closesAt,omitempty"`
	// Owed asks for another call at once, because the carrier lacks something
	// newer.
	Owed bool `json:"owed,omitempty"`
}

func newExportStatus(r export.Record) ExportStatus {
	s := ExportStatus{
		State: r.State, Reason: r.Reason, Used: r.Used, Left: r.Left(), Owed: r.Owed,
		IsUpdate: r.State == export.Pending && r.IsUpdate(),
	}
	if !r.ClosesAt.IsZero() {
		s.ClosesAt = &r.ClosesAt
	}
	return s
}

// ConsiderExport decides about the export of an order in its current state. It
// is idempotent.
func (a *Exports) ConsiderExport(ctx context.Context, in ExportInput) (ExportStatus, error) {
	defer heartbeat(ctx)()
	ofOrder(ctx, in.OrderID)
	record, err := a.operations.ConsiderExport(ctx, workflowOf(ctx, in.OrgID), in.OrderID)
	return newExportStatus(record), permanent(ctx, err)
}

// AcknowledgeInput names an acknowledgement that was received.
type AcknowledgeInput struct {
	OrgID             int64 `json:"orgId"`
	OrderID           int64 `json:"orderId"`
	AcknowledgementID int64 `json:"acknowledgementId"`
}

// Acknowledged is the result of an acknowledgement: whether it counted, its
// number among those of the order, and the state of the export then. Status is
// the present state.
type Acknowledged struct {
	Counted bool         `json:"counted"`
	Number  int          `json:"number"`
	State   export.State `json:"state"`
	Status  ExportStatus `json:"status"`
}

// Acknowledge applies an acknowledgement, once.
func (a *Exports) Acknowledge(ctx context.Context, in AcknowledgeInput) (Acknowledged, error) {
	defer heartbeat(ctx)()
	ofOrder(ctx, in.OrderID)
	done, err := a.operations.Acknowledge(ctx, workflowOf(ctx, in.OrgID), in.OrderID, in.AcknowledgementID)
	return Acknowledged{
		Counted: done.Counted, Number: done.Number, State: done.State, Status: newExportStatus(done.Export),
	}, permanent(ctx, err)
}

// ofOrder has the activity's span name an order.
func ofOrder(ctx context.Context, id int64) {
	trace.SpanFromContext(ctx).SetAttributes(attribute.Int64("waybill.order_id", id))
}
