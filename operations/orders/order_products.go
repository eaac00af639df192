package orders

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/operations/core"
	"waybill/store"
)

// UpsertProducts changes and adds products of the order that a number leads to,
// and returns the order's id. Without a number the order is named by id.
func (o *Operations) UpsertProducts(
	ctx context.Context, c caller.Caller, id int64, number string, changes []order.ProductChange,
) (int64, error) {
	id, err := core.Once(ctx, o.store, c, func(t *store.Tx) (int64, error) {
		changed, own, err := orderToChange(ctx, t, id, number)
		if err != nil {
			return 0, err
		}
		if err := checkLoads(ctx, t, changes); err != nil {
			return 0, err
		}
		event, err := order.UpsertProducts(changed, own, changes)
		if err != nil {
			return 0, err
		}
		return changed.ID, saveProducts(ctx, t, changed, event)
	})
	if err != nil {
		return 0, fmt.Errorf("upsert products: %w", err)
	}
	return id, nil
}

// checkLoads checks that the organization has the load dimensions that changes name.
func checkLoads(ctx context.Context, t *store.Tx, changes []order.ProductChange) error {
	if !order.NamesLoads(changes) {
		return nil
	}
	known, err := t.LoadDimensions(ctx)
	if err != nil {
		return err
	}
	return order.CheckLoads(changes, known)
}

// PackProducts sets the whole hierarchy of an order's products.
func (o *Operations) PackProducts(ctx context.Context, c caller.Caller, id int64, tree []order.Node) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		changed, _, err := orderToChange(ctx, t, id, "")
		if err != nil {
			return err
		}
		event, err := order.Pack(changed, tree)
		if err != nil {
			return err
		}
		return saveProducts(ctx, t, changed, event)
	})
	if err != nil {
		return fmt.Errorf("pack products: %w", err)
	}
	return nil
}

// orderToChange loads and locks an order that is named by its id, or by a
// number that leads to it; own is the number whose products are meant.
func orderToChange(ctx context.Context, t *store.Tx, id int64, number string) (o *order.Order, own string, err error) {
	name := any(number)
	if number == "" {
		name = id
		if number, err = t.LoadOrderNumber(ctx, id); err != nil {
			return nil, "", err
		}
	}
	snapshot, err := t.LockOrdersByNumber(ctx, []string{number})
	if err != nil {
		return nil, "", err
	}
	if len(snapshot.Orders) == 0 {
		return nil, "", fault.Missing("order", fmt.Sprint(name))
	}
	o = snapshot.Orders[0]
	if snapshot.Numbers[number].Cancelled && o.Status != order.Cancelled {
		return nil, "", fault.Illegal("order.number_cancelled", "order", number)
	}
	return o, number, nil
}

// saveProducts writes an order whose products changed, with what the rules for
// that make of it; an event without a kind says that none did.
func saveProducts(ctx context.Context, t *store.Tx, o *order.Order, event order.Event) error {
	if event.Kind == "" {
		return nil
	}
	plan := order.Plan{Orders: []*order.Order{o}, Events: []order.Event{event}}
	if err := t.Save(ctx, plan, order.Defaults{}); err != nil {
		return err
	}
	_, err := runRules(ctx, t, o.ID, Transforming{Trigger: order.TriggerProductsChanged})
	return err
}
