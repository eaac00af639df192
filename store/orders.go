package store

import (
	"context"
	"fmt"

	"waybill/domain/order"
	"waybill/store/queries"
)

// CancelOrders cancels by number and tells what became of each. All numbers
// are cancelled in one transaction, with their events.
func (s *Store) CancelOrders(ctx context.Context, org int64, numbers []string) ([]order.Cancellation, error) {
	var plan order.CancelPlan
	err := s.InTx(ctx, org, func(t *Tx) error {
		snapshot, err := t.lockedByNumber(ctx, numbers)
		if err != nil {
			return err
		}
		plan = order.Cancel(snapshot, numbers)
		return t.saveCancelled(ctx, plan)
	})
	if err != nil {
		return nil, fmt.Errorf("cancel orders: %w", err)
	}
	return plan.Results, nil
}

func (t *Tx) saveCancelled(ctx context.Context, plan order.CancelPlan) error {
	if len(plan.Events) == 0 {
		return nil
	}
	s := newSaver(t)
	s.orders(ctx, plan.Orders)
	s.queue(s.q.CancelNumbers(ctx, queries.CancelNumbersParams{OrgID: t.org, Numbers: plan.Numbers}))
	s.events(ctx, plan.Events)
	return s.send(ctx)
}

// ReactivateOrder makes the cancelled order of a number active again.
func (s *Store) ReactivateOrder(ctx context.Context, org int64, number string) (order.Reactivation, *order.Order, error) {
	var outcome order.Reactivation
	var found *order.Order
	err := s.InTx(ctx, org, func(t *Tx) error {
		snapshot, err := t.lockedByNumber(ctx, []string{number})
		if err != nil {
			return err
		}
		var revived []string
		outcome, found, revived = order.Reactivate(snapshot, number)
		if outcome != order.Reactivated {
			return nil
		}
		s := newSaver(t)
		s.orders(ctx, []*order.Order{found})
		s.queue(s.q.ReviveNumbers(ctx, queries.ReviveNumbersParams{OrgID: t.org, Numbers: revived}))
		s.events(ctx, []order.Event{{Kind: order.EventReactivated, Number: found.Number, Order: found, Status: found.Status}})
		return s.send(ctx)
	})
	if err != nil {
		return 0, nil, fmt.Errorf("reactivate order: %w", err)
	}
	return outcome, found, nil
}

// lockedByNumber loads the orders that numbers lead to, with all the numbers
// that lead to them, and locks them.
func (t *Tx) lockedByNumber(ctx context.Context, numbers []string) (*order.Snapshot, error) {
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
		// Read after the orders are locked: who changes a number's order holds
		// that lock, too.
		siblings, err := t.q.NumbersOfOrders(ctx, queries.NumbersOfOrdersParams{OrgID: t.org, OrderIds: ids})
		if err != nil {
			return nil, fmt.Errorf("numbers of orders: %w", err)
		}
		for _, n := range siblings {
			s.Numbers[n.Number] = order.Number{OrderID: n.OrderID, Cancelled: n.Cancelled}
		}
	}
	s.Prepare()
	return s, nil
}
