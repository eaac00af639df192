package operations

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/store"
)

// CancelOrders cancels orders by number and returns what became of each.
func (o *Operations) CancelOrders(ctx context.Context, c caller.Caller, numbers []string) ([]order.Cancellation, error) {
	var plan order.CancelPlan
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		snapshot, err := t.LockOrdersByNumber(ctx, numbers)
		if err != nil {
			return err
		}
		plan = order.Cancel(snapshot, numbers)
		return t.SaveCancelled(ctx, plan)
	})
	if err != nil {
		return nil, fmt.Errorf("cancel orders: %w", err)
	}
	return plan.Results, nil
}

// ReactivateOrder makes the cancelled order of a number active again. The order
// is nil when there is none.
func (o *Operations) ReactivateOrder(
	ctx context.Context, c caller.Caller, number string,
) (outcome order.Reactivation, found *order.Order, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		snapshot, err := t.LockOrdersByNumber(ctx, []string{number})
		if err != nil {
			return err
		}
		var revived []string
		outcome, found, revived = order.Reactivate(snapshot, number)
		if outcome != order.Reactivated {
			return nil
		}
		return t.SaveReactivated(ctx, found, revived)
	})
	if err != nil {
		return 0, nil, fmt.Errorf("reactivate order: %w", err)
	}
	return outcome, found, nil
}
