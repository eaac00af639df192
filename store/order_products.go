package store

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store/queries"
)

// UpsertProducts changes and adds products of the order that a number leads to,
// and gives the order's id. With a number of 0 length the order is named by id.
func (s *Store) UpsertProducts(ctx context.Context, by caller.Caller, id int64, number string, changes []order.ProductChange) (int64, error) {
	err := s.InTx(ctx, by, func(t *Tx) error {
		o, own, err := t.orderToChange(ctx, id, number)
		if err != nil {
			return err
		}
		id = o.ID
		event, err := order.UpsertProducts(o, own, changes)
		if err != nil {
			return err
		}
		return t.saveProducts(ctx, o, event)
	})
	if err != nil {
		return 0, fmt.Errorf("upsert products: %w", err)
	}
	return id, nil
}

// PackProducts sets the whole hierarchy of an order's products.
func (s *Store) PackProducts(ctx context.Context, by caller.Caller, id int64, tree []order.Node) error {
	err := s.InTx(ctx, by, func(t *Tx) error {
		o, _, err := t.orderToChange(ctx, id, "")
		if err != nil {
			return err
		}
		event, err := order.Pack(o, tree)
		if err != nil {
			return err
		}
		return t.saveProducts(ctx, o, event)
	})
	if err != nil {
		return fmt.Errorf("pack products: %w", err)
	}
	return nil
}

// orderToChange loads and locks an order that is named by its id, or by a
// number that leads to it; own is the number whose products are meant.
func (t *Tx) orderToChange(ctx context.Context, id int64, number string) (o *order.Order, own string, err error) {
	name := any(number)
	if number == "" {
		name = id
		if number, err = t.q.OrderNumber(ctx, queries.OrderNumberParams{OrgID: t.org, ID: id}); err != nil {
			return nil, "", absent("order", id, err)
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
		return nil, "", &fault.Error{
			Kind: fault.IllegalState, Text: fault.Say("order.merged_number_cancelled", "name", number), Resource: "order", Name: number,
		}
	}
	return o, number, nil
}

// saveProducts writes an order whose products changed, with what the rules for
// that make of it; an event without a kind says that none did.
func (t *Tx) saveProducts(ctx context.Context, o *order.Order, event order.Event) error {
	if event.Kind == "" {
		return nil
	}
	if err := t.Save(ctx, order.Plan{Orders: []*order.Order{o}, Events: []order.Event{event}}, order.Defaults{}); err != nil {
		return err
	}
	_, err := t.transformOrder(ctx, o.ID, Transforming{Trigger: order.TriggerProductsChanged})
	return err
}

// ProductStatusChange is an entry of the product status feed.
type ProductStatusChange = queries.ProductStatusFeedRow

// ProductStatusFeed reads the changes of products' status behind a place of the
// log, oldest first.
func (s *Store) ProductStatusFeed(ctx context.Context, org, position, place int64, limit int32) ([]ProductStatusChange, error) {
	rows, err := s.of(org).ProductStatusFeed(ctx, queries.ProductStatusFeedParams{
		OrgID: org, After: position, AfterPlace: place, PageSize: limit,
	})
	return rows, translate(err)
}
