package store

import (
	"context"
	"fmt"
	"slices"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/version"
	"waybill/store/queries"
)

// LockedOrder is an order that is locked against other changes.
type LockedOrder struct {
	Order   *order.Order
	Version version.Version
}

// LockOrderOfID loads one order, and locks it with its number for this
// transaction, as imports do.
func (t *Tx) LockOrderOfID(ctx context.Context, id int64) (LockedOrder, error) {
	number, err := t.LoadOrderNumber(ctx, id)
	if err != nil {
		return LockedOrder{}, err
	}
	s, err := t.LockOrdersByNumber(ctx, []string{number})
	if err != nil {
		return LockedOrder{}, err
	}
	i := slices.IndexFunc(s.Orders, func(o *order.Order) bool { return o.ID == id })
	if i < 0 { // its number leads elsewhere by now
		return LockedOrder{}, &fault.Error{Kind: fault.Conflict, Resource: "order", Name: number}
	}
	changed, err := t.q.OrderVersion(ctx, queries.OrderVersionParams{OrgID: t.org, ID: id})
	if err != nil {
		return LockedOrder{}, fmt.Errorf("version of the order: %w", err)
	}
	return LockedOrder{Order: s.Orders[i], Version: version.At(changed)}, nil
}

// SnapshotOfParts loads the data needed to split a locked order, including
// prices if they are computed.
func (t *Tx) SnapshotOfParts(ctx context.Context, o *order.Order, computed bool) (*order.Snapshot, error) {
	l := loader{
		tx: t, scope: Scope{Defaults: order.Defaults{ComputePrices: computed}},
		snapshot: &order.Snapshot{Numbers: map[string]order.Number{}, Orders: []*order.Order{o}},
	}
	for _, step := range []func(context.Context) error{l.masterData, l.prices} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("load snapshot: %w", err)
		}
	}
	l.snapshot.Prepare()
	return l.snapshot, nil
}

// DrawSerial takes the next serial of the organization's orders.
func (t *Tx) DrawSerial(ctx context.Context) (int64, error) { return t.q.DrawSerial(ctx, t.org) }

// ClaimFreeNumber locks a number for this transaction, and reports whether it
// is free: no order or waiting draft has it.
func (t *Tx) ClaimFreeNumber(ctx context.Context, number string) (free bool, err error) {
	s := &order.Snapshot{Numbers: map[string]order.Number{}}
	if err := t.lockNumbers(ctx, s, []string{number}, true); err != nil {
		return false, err
	}
	if s.Numbers[number].OrderID != 0 {
		return false, nil
	}
	drafts, err := t.q.FindDrafts(ctx, queries.FindDraftsParams{OrgID: t.org, ExternalIds: []string{number}})
	return len(drafts) == 0, err
}
