package operations

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/store"
)

// RecordCarrierUpdate appends what the caller, a carrier, says of an order to
// its timeline. The same body sent again changes nothing.
func (o *Operations) RecordCarrierUpdate(ctx context.Context, c caller.Caller, u *store.CarrierUpdate) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
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
		return t.Append(ctx, event.Order{ID: orderID}.Reported(update))
	})
	if err != nil {
		return fmt.Errorf("record the update of a carrier: %w", err)
	}
	return nil
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
