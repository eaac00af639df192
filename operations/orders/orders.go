// Package orders imports orders, makes them by hand, and changes them: edits, drafts, products,
// vehicle types and transformations.
package orders

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/internal/limit"
	"waybill/store"
)

// Operations carries out what callers ask for.
type Operations struct {
	store *store.Store
	// log takes what only operators are to hear of.
	log    *slog.Logger
	erased Erased
	// decide says what becomes of the entries of an import.
	decide func(*order.Snapshot, order.Defaults, []order.Request) order.Plan
	// imports bounds how many import chunks of an organization run at once; nil where there is no bound.
	imports *limit.PerKey[int64]
	watched watchedImports
}

// Erased knows the addresses of erased people.
type Erased interface {
	TellErased(ctx context.Context, t *store.Tx, snapshot *order.Snapshot, entries []order.Request) error
}

// New makes the operations over a store. chunksAtOnce is how many chunks of imports of one
// organization are worked on at a time; 0 is no bound.
func New(s *store.Store, log *slog.Logger, erased Erased, chunksAtOnce int) *Operations {
	o := &Operations{store: s, log: log, erased: erased, decide: order.Decide}
	if chunksAtOnce > 0 {
		o.imports = limit.New[int64](chunksAtOnce)
	}
	return o
}

// CancelOrders cancels orders by number and returns what became of each.
func (o *Operations) CancelOrders(ctx context.Context, c caller.Caller, numbers []string) ([]order.Cancellation, error) {
	var plan order.CancelPlan
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		snapshot, err := t.LockOrdersToCancel(ctx, numbers)
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

// Reactivated is what became of a number that was to count again.
type Reactivated struct {
	Outcome order.Reactivation
	// Order is the one that the number then leads to, nil when there is none.
	Order *order.Order
	// BookingLost says that there was a seat before, which the order does not have.
	BookingLost bool
}

// ReactivateOrder makes a cancelled number count again.
func (o *Operations) ReactivateOrder(ctx context.Context, c caller.Caller, number string) (Reactivated, error) {
	var out Reactivated
	err := o.store.InTx(ctx, c, func(t *store.Tx) (err error) {
		out, err = reactivate(ctx, t, number)
		return err
	})
	if err != nil {
		return Reactivated{}, fmt.Errorf("reactivate order: %w", err)
	}
	return out, nil
}

func reactivate(ctx context.Context, t *store.Tx, number string) (out Reactivated, err error) {
	snapshot, err := t.LockOrdersByNumber(ctx, []string{number})
	if err != nil {
		return out, err
	}
	before := snapshot.Numbers[number].OrderID
	if out.BookingLost, err = t.SeatWasFreed(ctx, before); err != nil {
		return out, err
	}
	var plan order.Plan
	out.Outcome, out.Order, plan = order.Reactivate(snapshot, number)
	if out.Outcome != order.Reactivated {
		return out, nil
	}
	// The seat of a shared order stays with the others.
	parted := slices.ContainsFunc(snapshot.Orders, func(o *order.Order) bool { return o.ID == before && o != out.Order && o.Booked })
	out.BookingLost = out.BookingLost || parted
	return out, t.Save(ctx, plan, order.Defaults{})
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
