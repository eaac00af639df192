package operations

import (
	"context"

	"waybill/domain/caller"
	"waybill/store"
)

// AppendCarrierUpdate appends what a carrier says to the order's timeline. The
// same body sent again changes nothing. An order that is not there is
// store.ErrNotFound.
func (o *Operations) AppendCarrierUpdate(ctx context.Context, c caller.Caller, u *store.CarrierUpdate) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		orderID, err := t.LoadOrderOfUpdate(ctx, u)
		if err != nil {
			return err
		}
		return t.SaveCarrierUpdate(ctx, orderID, u)
	})
}
