package operations

import (
	"context"
	"errors"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/export"
	"waybill/domain/fault"
	"waybill/store"
)

// ReceiveAcknowledgement keeps what a carrier says of a shipment until it takes
// effect, which is when it counts; or it finds the same one that was sent before
// under its key. An unknown token, spent acknowledgements and a key that was
// used for something else are refused.
func (o *Operations) ReceiveAcknowledgement(
	ctx context.Context, c caller.Caller, a store.Acknowledgement,
) (store.Received, error) {
	if a.IdempotencyKey != "" {
		before, err := o.receivedBefore(ctx, c, a)
		if !errors.Is(err, store.ErrNotFound) {
			return before, err
		}
	}
	received, err := o.store.ReceiveAcknowledgement(ctx, c.OrgID, export.Limit, a)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return received, fault.Missing("export_token", a.Token)
	case err != nil:
		return received, err
	case received.Spent:
		return received, ExportSpent(received.Number)
	case received.ID == 0: // the same key came in at the same moment
		return o.receivedBefore(ctx, c, a)
	}
	return received, nil
}

// receivedBefore finds what came in before under the same key; ErrNotFound when
// nothing did.
func (o *Operations) receivedBefore(
	ctx context.Context, c caller.Caller, a store.Acknowledgement,
) (store.Received, error) {
	received, same, err := o.store.AcknowledgementByKey(ctx, c.OrgID, a.IdempotencyKey)
	if err != nil {
		return store.Received{}, err
	}
	if same != a {
		return store.Received{}, &fault.Error{
			Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"),
			Violations: []fault.Violation{{Field: "Idempotency-Key", Text: fault.Say("export.key_reused")}},
		}
	}
	return received, nil
}

// ExportSpent is the refusal of an acknowledgement beyond the limit.
func ExportSpent(number string) error {
	return &fault.Error{
		Kind: fault.IllegalState, Text: fault.Say("export.spent", "name", number), Resource: "order", Name: number,
	}
}

// Acknowledged is what became of an acknowledgement when it took effect, and
// where the export stands now.
type Acknowledged struct {
	store.Taken

	Export export.Record
}

// Acknowledge lets an acknowledgement that was received take effect, with its
// entry in the order's timeline. The acknowledgement's row is the key: it takes
// effect once.
func (o *Operations) Acknowledge(
	ctx context.Context, c caller.Caller, orderID, acknowledgementID int64,
) (Acknowledged, error) {
	var out Acknowledged
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		receipt, err := t.LockReceipt(ctx, acknowledgementID)
		if err != nil {
			return err
		}
		before, facts, err := t.LockExport(ctx, orderID)
		if err != nil {
			return err
		}
		if receipt.Taken != nil {
			out = Acknowledged{Taken: *receipt.Taken, Export: before}
			return nil
		}
		out, err = acknowledge(ctx, t, &receipt, before, o.inWindow(facts))
		return err
	})
	if err != nil {
		return Acknowledged{}, fmt.Errorf("acknowledge export: %w", err)
	}
	return out, nil
}

func acknowledge(
	ctx context.Context, t *store.Tx, receipt *store.Receipt, before export.Record, f export.Facts,
) (Acknowledged, error) {
	after, err := export.Acknowledge(before, receipt.Acknowledgement, f)
	taken := store.Taken{Counted: !errors.Is(err, export.ErrSpent), Number: after.Used, State: after.State}
	if taken.Counted {
		if err := saveExport(ctx, t, receipt.OrderID, store.Shipment{}, before, after); err != nil {
			return Acknowledged{}, err
		}
	}
	return Acknowledged{Taken: taken, Export: after}, t.FinishReceipt(ctx, receipt, taken, f)
}
