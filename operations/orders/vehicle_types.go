package orders

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store"
)

// ChangeVehicleType gives the order of a number another vehicle type, with
// what follows from it for its status and driver. Once its goods are picked up
// that is refused.
func (o *Operations) ChangeVehicleType(ctx context.Context, c caller.Caller, number string, vehicleType int64) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		snapshot, err := t.LockOrdersByNumber(ctx, []string{number})
		if err != nil {
			return err
		}
		if len(snapshot.Orders) == 0 {
			return fault.Missing("order", number)
		}
		changed := snapshot.Orders[0]
		was := changed.VehicleTypeID
		switch changed.ChangeVehicleType(vehicleType) {
		case order.VehicleTypeChanged:
			return t.SaveReassigned(ctx, changed, was, c.Kind != caller.System)
		case order.VehicleTypeFixed:
			return fault.Illegal("order.picked_up", "order", number)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("change vehicle type: %w", err)
	}
	return nil
}
