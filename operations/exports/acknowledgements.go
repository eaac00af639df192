package exports

import (
	"context"
	"errors"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/export"
	"waybill/domain/fault"
	"waybill/store"
)

// Acknowledged is the effect of an acknowledgement, and the resulting state of
// the export.
type Acknowledged struct {
	store.Taken

	OrderID     int64
	OrderNumber string
	Export      export.Record
}

// AcknowledgeExport applies a carrier's acknowledgement of a shipment in one
// transaction: it updates the export, and records that in the log and the
// order's timeline. The export's workflow is notified through the log. A
// repeated call with the same key has no second effect, and returns the first
// result. Unknown tokens, spent acknowledgements and keys that were used for
// something else are rejected.
func (o *Operations) AcknowledgeExport(
	ctx context.Context, c caller.Caller, a store.Acknowledgement,
) (Acknowledged, error) {
	if a.IdempotencyKey != "" {
		done, err := o.acknowledgedBefore(ctx, c, a)
		if !errors.Is(err, store.ErrNotFound) {
			return done, err
		}
	}
	done, err := o.acknowledgeNow(ctx, c, &a)
	if errors.Is(err, store.ErrKeyTaken) {
		return o.acknowledgedBefore(ctx, c, a)
	}
	return done, err
}

func (o *Operations) acknowledgeNow(
	ctx context.Context, c caller.Caller, a *store.Acknowledgement,
) (done Acknowledged, err error) {
	err = o.store.Acknowledge(ctx, c, a, func(of *store.Offered) (export.Record, event.Kind, error) {
		said := export.Acknowledgement{Version: of.Version, Fingerprint: of.Fingerprint, Status: a.Status}
		after, err := export.Acknowledge(of.Record, said, o.inWindow(of.Facts))
		if err != nil {
			return after, "", exportSpent(of.OrderNumber)
		}
		done = Acknowledged{
			Taken:   store.Taken{Counted: true, Number: after.Used, State: after.State},
			OrderID: of.OrderID, OrderNumber: of.OrderNumber, Export: after,
		}
		return after, export.Event(of.Record, after), nil
	})
	switch {
	case errors.Is(err, store.ErrNotFound):
		return Acknowledged{}, fault.Missing("export_token", a.Token)
	case err != nil:
		return Acknowledged{}, fmt.Errorf("acknowledge export: %w", err)
	}
	return done, nil
}

// acknowledgedBefore returns the result of an earlier acknowledgement under the
// same key, or ErrNotFound.
func (o *Operations) acknowledgedBefore(
	ctx context.Context, c caller.Caller, a store.Acknowledgement,
) (Acknowledged, error) {
	before, err := o.store.AcknowledgementByKey(ctx, c.OrgID, a.IdempotencyKey)
	if err != nil {
		return Acknowledged{}, err
	}
	if before.Acknowledgement != a {
		return Acknowledged{}, &fault.Error{
			Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"),
			Violations: []fault.Violation{{Field: "Idempotency-Key", Text: fault.Say("export.key_reused")}},
		}
	}
	done := Acknowledged{OrderID: before.OrderID, OrderNumber: before.OrderNumber}
	if before.Taken == nil { // a release until v0.2.0 died in between
		late, err := o.Acknowledge(ctx, c, before.OrderID, before.ID)
		if err != nil {
			return Acknowledged{}, err
		}
		before.Taken, done.Export = &late.Taken, late.Export
	}
	if done.Taken = *before.Taken; !done.Counted {
		return Acknowledged{}, exportSpent(before.OrderNumber)
	}
	return done, nil
}

// exportSpent is the refusal of an acknowledgement beyond the limit.
func exportSpent(number string) error {
	return &fault.Error{
		Kind: fault.IllegalState, Text: fault.Say("export.spent", "name", number), Resource: "order", Name: number,
	}
}

// Acknowledge lets an acknowledgement take effect that was received before, as
// releases until v0.2.0 did, with its entry in the order's timeline. Its row is
// the key: it takes effect once.
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
			out = Acknowledged{Taken: *receipt.Taken, OrderID: orderID, Export: before}
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
	return Acknowledged{Taken: taken, OrderID: receipt.OrderID, Export: after}, t.FinishReceipt(ctx, receipt, taken, f)
}
