package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/export"
	"waybill/store"
)

// ExportStore is what exports need of the store.
type ExportStore interface {
	InTx(ctx context.Context, by caller.Caller, work func(*store.Tx) error) error
}

// Exports are the activities of the workflow ExportOrder.
type Exports struct {
	store  ExportStore
	window time.Duration
}

// NewExports makes the activities of exports. The window is how long after its
// last successful export an order may come back.
func NewExports(s ExportStore, window time.Duration) *Exports {
	return &Exports{store: s, window: window}
}

// ExportInput names the order whose export it is about.
type ExportInput struct {
	OrgID   int64 `json:"orgId"`
	OrderID int64 `json:"orderId"`
}

// ExportStatus is where an export stands.
type ExportStatus struct {
	// State is empty for an order that is not subject to export.
	State    export.State  `json:"state,omitempty"`
	Reason   export.Reason `json:"reason,omitempty"`
	Used     int           `json:"acknowledgements"`
	Left     int           `json:"acknowledgementsLeft"`
	IsUpdate bool          `json:"isUpdate,omitempty"`
	ClosesAt *time.Time    `json:"closesAt,omitempty"`
	// Owed asks to be considered at once: the carrier lacks something newer.
	Owed bool `json:"owed,omitempty"`
}

func newExportStatus(r export.Record) ExportStatus {
	s := ExportStatus{
		State: r.State, Reason: r.Reason, Used: r.Used, Left: r.Left(), IsUpdate: r.State == export.Pending && r.IsUpdate(), Owed: r.Owed,
	}
	if !r.ClosesAt.IsZero() {
		s.ClosesAt = &r.ClosesAt
	}
	return s
}

// ConsiderExport decides what becomes of the export of an order as the order is
// now, in one transaction. Done again it changes nothing, because the rules only
// look at what is so.
func (a *Exports) ConsiderExport(ctx context.Context, in ExportInput) (ExportStatus, error) {
	defer heartbeat(ctx)()
	var after export.Record
	err := a.store.InTx(ctx, workflowOf(ctx, in.OrgID), func(tx *store.Tx) error {
		shipments, err := tx.Shipments(ctx, []int64{in.OrderID}, true)
		if err != nil {
			return err
		}
		shipment, found := shipments[in.OrderID]
		if !found {
			return fmt.Errorf("order %d: %w", in.OrderID, store.ErrNotFound)
		}
		before, facts, err := tx.LockExport(ctx, in.OrderID, a.window)
		if err != nil {
			return fmt.Errorf("lock export: %w", err)
		}
		after = export.Consider(before, shipment.Order, facts)
		return tx.SaveExport(ctx, in.OrderID, shipment, before, after)
	})
	return newExportStatus(after), permanent(ctx, err)
}

// AcknowledgeInput names an acknowledgement that was received.
type AcknowledgeInput struct {
	OrgID             int64 `json:"orgId"`
	OrderID           int64 `json:"orderId"`
	AcknowledgementID int64 `json:"acknowledgementId"`
}

// Acknowledged is what became of an acknowledgement: whether it counted, which
// one of the order's it was, and where the export stood then. Status is where it
// stands now.
type Acknowledged struct {
	Counted bool         `json:"counted"`
	Number  int          `json:"number"`
	State   export.State `json:"state"`
	Status  ExportStatus `json:"status"`
}

// Acknowledge lets an acknowledgement take effect, in one transaction with its
// entry in the order's timeline. The acknowledgement's row is the key that every
// attempt shares: it takes effect once.
func (a *Exports) Acknowledge(ctx context.Context, in AcknowledgeInput) (Acknowledged, error) {
	defer heartbeat(ctx)()
	var out Acknowledged
	err := a.store.InTx(ctx, workflowOf(ctx, in.OrgID), func(tx *store.Tx) error {
		receipt, err := tx.LockReceipt(ctx, in.AcknowledgementID)
		if err != nil {
			return err
		}
		before, facts, err := tx.LockExport(ctx, in.OrderID, a.window)
		if err != nil {
			return fmt.Errorf("lock export: %w", err)
		}
		after, taken := before, receipt.Taken
		if taken == nil {
			after, taken, err = acknowledge(ctx, tx, &receipt, before, facts)
		}
		if err != nil {
			return err
		}
		out = Acknowledged{Counted: taken.Counted, Number: taken.Number, State: taken.State, Status: newExportStatus(after)}
		return nil
	})
	return out, permanent(ctx, err)
}

func acknowledge(
	ctx context.Context, tx *store.Tx, receipt *store.Receipt, before export.Record, f export.Facts,
) (export.Record, *store.Taken, error) {
	after, err := export.Acknowledge(before, receipt.Acknowledgement, f)
	taken := &store.Taken{Counted: !errors.Is(err, export.ErrSpent), Number: after.Used, State: after.State}
	if taken.Counted {
		if err := tx.SaveExport(ctx, receipt.OrderID, store.Shipment{}, before, after); err != nil {
			return after, nil, fmt.Errorf("save export: %w", err)
		}
	}
	return after, taken, tx.FinishReceipt(ctx, receipt, *taken, f)
}
