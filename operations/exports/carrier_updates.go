package exports

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/operations/core"
	"waybill/store"
)

// RecordCarrierUpdate appends what the caller, a carrier, says of an order to
// its timeline, and moves the order by it where it was exported. The same body
// sent again changes nothing.
func (o *Operations) RecordCarrierUpdate(ctx context.Context, c caller.Caller, u *store.CarrierUpdate) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		if suspended, err := t.IsSuspended(ctx); err != nil || suspended {
			return cmp.Or(err, core.Suspended())
		}
		orderID, err := t.OrderOfUpdate(ctx, u)
		if errors.Is(err, store.ErrNotFound) {
			return fault.Missing("order", namedOrder(u))
		}
		if err != nil {
			return err
		}
		update, err := t.AppendCarrierUpdate(ctx, orderID, c.Name, u)
		if err != nil || update == 0 {
			return err
		}
		if err := t.Append(ctx, event.Order{ID: orderID}.Reported(update)); err != nil {
			return err
		}
		return o.movedByCarrier(ctx, t, orderID, update, u)
	})
	if err != nil {
		return fmt.Errorf("record the update of a carrier: %w", err)
	}
	return nil
}

// movedByCarrier moves an exported order as a driver would: nobody of ours ever
// will. Its proof becomes that of the order.
func (o *Operations) movedByCarrier(
	ctx context.Context, t *store.Tx, orderID, update int64, u *store.CarrierUpdate,
) error {
	f := driving.Fact{ID: "now", Deed: driving.ByCarrier, Clock: u.OccurredAt, Stop: order.Delivery}
	switch {
	case u.EventType == store.UpdatePickupCompleted && u.Success:
		f.To, f.Stop = order.PickedUp, order.Pickup
	case u.EventType == store.UpdateDelivered && u.Success:
		f.To = order.Delivered
	case u.EventType == store.UpdateDelivered:
		f.To, f.Reason = order.Failed, u.FailureReason
	default:
		return nil
	}
	moves, created, err := t.CarrierMoves(ctx, orderID)
	if err != nil || !moves {
		return err
	}
	// Nothing happened to the order before it was created, and nothing in the future.
	f.At = driving.Happened(u.OccurredAt, 0, o.now(), created)
	u.CountedAt = f.At
	of, history, err := t.LoadHistory(ctx, orderID)
	if err != nil {
		return err
	}
	var proof *driving.Proof
	if f.To == order.Delivered && (u.SigneeName != "" || u.IsContactless != nil) {
		proof = &driving.Proof{Signee: u.SigneeName, Contactless: u.IsContactless != nil && *u.IsContactless}
	}
	return t.SaveByCarrier(ctx, of, history, f, store.Report{ID: update, Proof: proof})
}

// namedOrder is how a carrier called an order.
func namedOrder(u *store.CarrierUpdate) string {
	switch {
	case u.ExportToken != "":
		return u.ExportToken
	case u.ExternalID != "":
		return u.ExternalID
	}
	return strconv.FormatInt(u.OrderID, 10)
}
