// Package exports offers orders to their carriers, and takes what the carriers
// acknowledge and report.
package exports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/export"
	"waybill/domain/fault"
	"waybill/store"
)

// Operations are the operations on exports.
type Operations struct {
	store *store.Store
	now   func() time.Time
	// window is how long after its last successful export an order may come back.
	window time.Duration
}

// New makes the operations over a store; now is the clock.
func New(s *store.Store, now func() time.Time, window time.Duration) *Operations {
	return &Operations{store: s, now: now, window: window}
}

// ConsiderExport decides about the export of an order in its current state. It
// is idempotent, because the rules depend only on the state.
func (o *Operations) ConsiderExport(ctx context.Context, c caller.Caller, orderID int64) (export.Record, error) {
	consider := func(before export.Record, of export.Order, f export.Facts) (export.Record, error) {
		return export.Consider(before, of, f), nil
	}
	after, err := o.decideExport(ctx, c, orderID, consider)
	if err != nil {
		return export.Record{}, fmt.Errorf("check the export of order %d: %w", orderID, err)
	}
	return after, nil
}

// MarkExport offers an order to its carrier at an operator's request. It
// returns export.ErrSpent or export.ErrCancelled if that is impossible.
func (o *Operations) MarkExport(ctx context.Context, c caller.Caller, orderID int64) error {
	if _, err := o.decideExport(ctx, c, orderID, export.Mark, event.ExportMarked); err != nil {
		return fmt.Errorf("mark order %d for export: %w", orderID, err)
	}
	return nil
}

// decideExport loads an order with its export, and saves the decision about it.
func (o *Operations) decideExport(
	ctx context.Context, c caller.Caller, orderID int64,
	decide func(export.Record, export.Order, export.Facts) (export.Record, error), kinds ...event.Kind,
) (after export.Record, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		shipments, err := t.Shipments(ctx, []int64{orderID}, true)
		if err != nil {
			return err
		}
		shipment, found := shipments[orderID]
		if !found {
			return &store.Absent{Resource: "order", ID: orderID}
		}
		before, facts, err := t.LockExport(ctx, orderID)
		if err != nil {
			return err
		}
		if after, err = decide(before, shipment.Order, o.inWindow(facts)); err != nil {
			return err
		}
		return saveExport(ctx, t, orderID, shipment, before, after, kinds...)
	})
	return after, err
}

// saveExport saves a decision about an export, unless nothing changed.
func saveExport(
	ctx context.Context, t *store.Tx, orderID int64, s store.Shipment, before, after export.Record, kinds ...event.Kind,
) error {
	if kind := export.Event(before, after); kind != "" {
		kinds = append(kinds, kind)
	}
	if len(kinds) == 0 && reflect.DeepEqual(before, after) {
		return nil
	}
	return t.SaveExport(ctx, orderID, s, before, after, kinds)
}

// inWindow adds the time for which an order may return.
func (o *Operations) inWindow(f export.Facts) export.Facts {
	f.Window = o.window
	return f
}

// OrderExport is the state of an order's export.
type OrderExport struct {
	export.Record

	Number string
	InFeed bool
	// CarrierShipmentID is the carrier's id of the shipment, or empty if it has
	// sent none.
	CarrierShipmentID string
	// Changes are the fields in which the order differs from what its carrier
	// last acknowledged as exported, or nil if it has acknowledged nothing, or
	// that is no longer stored.
	Changes []export.Change
}

// OrderExport returns the state of an order's export. An export that time or a
// setting has ended counts as ended, whether or not its workflow has noticed.
func (o *Operations) OrderExport(ctx context.Context, c caller.Caller, orderID int64) (OrderExport, error) {
	var out OrderExport
	err := o.store.InReadOnlyTx(ctx, c.OrgID, func(t *store.Tx) error {
		record, err := t.Export(ctx, orderID)
		if errors.Is(err, store.ErrNotFound) {
			return noExport(ctx, t, orderID)
		}
		if err != nil {
			return err
		}
		facts, err := t.ExportFacts(ctx)
		if err != nil {
			return err
		}
		out = OrderExport{Record: export.Settle(record, o.inWindow(facts))}
		out.InFeed = out.Record.InFeed(facts.Reexport)
		if out.CarrierShipmentID, err = t.CarrierShipmentID(ctx, orderID); err != nil {
			return err
		}
		return out.compare(ctx, t, orderID)
	})
	return out, err
}

// noExport distinguishes an order that is not exported from one that does not
// exist.
func noExport(ctx context.Context, t *store.Tx, orderID int64) error {
	found, err := t.OrderExists(ctx, orderID)
	switch {
	case err != nil:
		return err
	case !found:
		return fault.Missing("order", fmt.Sprint(orderID))
	}
	return fault.Missing("order_export", fmt.Sprint(orderID))
}

// compare returns the fields in which the order differs from the carrier's
// copy.
func (e *OrderExport) compare(ctx context.Context, t *store.Tx, orderID int64) error {
	shipments, err := t.Shipments(ctx, []int64{orderID}, false)
	if err != nil {
		return err
	}
	now := shipments[orderID]
	e.Number = now.Number
	if !e.IsUpdate() {
		return nil
	}
	was, err := t.ExportedPayload(ctx, orderID, e.Done)
	if err != nil || len(was) == 0 { // it is no longer stored
		return err
	}
	if e.Changes, err = export.Difference(was, now.Payload); err != nil {
		return err
	}
	if bytes.Equal(e.DoneFingerprint, now.Order.Fingerprint) {
		e.Changes = []export.Change{} // of a cancelled order nothing else matters
	}
	return nil
}
