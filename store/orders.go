package store

import (
	"context"
	"fmt"
	"slices"

	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store/queries"
)

// LoadOrderNumber returns the number of an order, or a NotFound fault.
func (t *Tx) LoadOrderNumber(ctx context.Context, id int64) (string, error) {
	number, err := t.q.OrderNumber(ctx, queries.OrderNumberParams{OrgID: t.org, ID: id})
	return number, absent("order", id, err)
}

// LockOrdersByNumber loads the orders that numbers lead to, with all the
// numbers that lead to them, and locks them for this transaction.
func (t *Tx) LockOrdersByNumber(ctx context.Context, numbers []string) (*order.Snapshot, error) {
	s := &order.Snapshot{Numbers: map[string]order.Number{}}
	if err := t.lockNumbers(ctx, s, numbers, false); err != nil {
		return nil, err
	}
	var ids []int64
	for _, n := range s.Numbers {
		if n.OrderID != 0 {
			ids = append(ids, n.OrderID)
		}
	}
	if ids = distinct(ids); len(ids) > 0 {
		var err error
		if s.Orders, err = t.findOrders(ctx, ids, true); err != nil {
			return nil, err
		}
		// Read after the orders are locked: a change of a number's order
		// requires that lock, too.
		siblings, err := t.q.NumbersOfOrders(ctx, queries.NumbersOfOrdersParams{OrgID: t.org, OrderIds: ids})
		if err != nil {
			return nil, fmt.Errorf("numbers of orders: %w", err)
		}
		for _, n := range siblings {
			s.Numbers[n.Number] = order.Number{
				OrderID: n.OrderID, Cancelled: n.Cancelled, Receipt: s.Numbers[n.Number].Receipt,
			}
		}
	}
	s.Prepare()
	return s, t.prepareFold(ctx, s)
}

// LockOrdersToCancel is like LockOrdersByNumber, but also accepts numbers that
// have not been imported yet.
func (t *Tx) LockOrdersToCancel(ctx context.Context, numbers []string) (*order.Snapshot, error) {
	awaited, err := t.q.ClaimAwaitedNumbers(ctx, queries.ClaimAwaitedNumbersParams{OrgID: t.org, Numbers: numbers})
	if err != nil {
		return nil, fmt.Errorf("claim awaited numbers: %w", err)
	}
	s, err := t.LockOrdersByNumber(ctx, numbers)
	if err != nil {
		return nil, err
	}
	for _, number := range awaited {
		n := s.Numbers[number]
		n.Awaited = true
		s.Numbers[number] = n
	}
	return s, nil
}

// prepareFold loads what is needed to merge shared orders again: the vehicles'
// capacities and the organization's rules.
func (t *Tx) prepareFold(ctx context.Context, s *order.Snapshot) error {
	if !slices.ContainsFunc(s.Orders, func(o *order.Order) bool { return len(o.Shares) > 0 }) {
		return nil
	}
	l := loader{tx: t, snapshot: s}
	if err := l.masterData(ctx); err != nil {
		return err
	}
	s.Prepare()
	return l.rules(ctx)
}

// SaveCancelled saves cancelled orders and numbers, with their events.
func (t *Tx) SaveCancelled(ctx context.Context, plan order.CancelPlan) error {
	if len(plan.Numbers) == 0 {
		return nil
	}
	s := newSaver(t)
	s.orders(ctx, plan.Orders)
	s.queue(s.q.CancelNumbers(ctx, queries.CancelNumbersParams{
		OrgID: t.org, Numbers: plan.Numbers, Silent: plan.Silent,
	}))
	s.events(ctx, plan.Events)
	return s.send(ctx)
}

// LockOrder loads one order and locks it for this transaction.
func (t *Tx) LockOrder(ctx context.Context, id int64) (*order.Order, error) {
	found, err := t.findOrders(ctx, []int64{id}, true)
	if err == nil && len(found) == 0 {
		err = fault.Missing("order", fmt.Sprint(id))
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// SaveEdited saves a single order that was changed, with its event.
func (t *Tx) SaveEdited(ctx context.Context, o *order.Order) error {
	s := newSaver(t)
	s.orders(ctx, []*order.Order{o})
	s.heard(ctx, receivedNow, o.Numbers())
	s.events(ctx, []order.Event{{Kind: event.OrderUpdated, Number: o.Number, Order: o}})
	return s.send(ctx)
}
