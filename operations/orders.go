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

// ReactivateOrder makes a cancelled number count again and returns the order
// that it then leads to, which is nil when there is none.
func (o *Operations) ReactivateOrder(
	ctx context.Context, c caller.Caller, number string,
) (outcome order.Reactivation, found *order.Order, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		snapshot, err := t.LockOrdersByNumber(ctx, []string{number})
		if err != nil {
			return err
		}
		var plan order.Plan
		outcome, found, plan = order.Reactivate(snapshot, number)
		if outcome != order.Reactivated {
			return nil
		}
		return t.Save(ctx, plan, order.Defaults{})
	})
	if err != nil {
		return 0, nil, fmt.Errorf("reactivate order: %w", err)
	}
	return outcome, found, nil
}

// DetachOrder gives a number that shares an order with others an order of its
// own, and returns the order that it then leads to.
func (o *Operations) DetachOrder(
	ctx context.Context, c caller.Caller, number string,
) (outcome order.Detaching, found *order.Order, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		snapshot, err := t.LockOrdersByNumber(ctx, []string{number})
		if err != nil {
			return err
		}
		var plan order.Plan
		outcome, found, plan = order.Detach(snapshot, number)
		if outcome != order.Detached {
			return nil
		}
		return t.Save(ctx, plan, order.Defaults{})
	})
	if err != nil {
		return 0, nil, fmt.Errorf("detach order: %w", err)
	}
	return outcome, found, nil
}
