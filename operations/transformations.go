package operations

import (
	"context"
	"errors"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/transform"
	"waybill/store"
)

// Transforming says how rules are to be run on one order.
type Transforming struct {
	Trigger order.Trigger
	// DryRun runs them in a transaction that cannot write.
	DryRun bool
	// Preview asks for the order before and after every rule.
	Preview bool
}

// Transformed is what became of the rules that ran.
type Transformed struct {
	Applied []transform.Applied
	Skipped []transform.Skipped
}

// TransformOrder runs the rules of a trigger on an order, and unless it is a
// dry run writes what they change, with its events.
func (o *Operations) TransformOrder(
	ctx context.Context, c caller.Caller, orderID int64, how Transforming,
) (done Transformed, err error) {
	work := func(t *store.Tx) (err error) {
		done, err = runRules(ctx, t, orderID, how)
		return err
	}
	if how.DryRun {
		err = o.store.InReadOnlyTx(ctx, c.OrgID, work)
	} else {
		err = o.store.InTx(ctx, c, work)
	}
	var known *fault.Error
	if err != nil && !errors.As(err, &known) {
		err = fmt.Errorf("transform order: %w", err)
	}
	return done, err
}

// runRules is TransformOrder inside a transaction.
func runRules(ctx context.Context, t *store.Tx, orderID int64, how Transforming) (Transformed, error) {
	snapshot, err := t.LoadOrder(ctx, orderID, !how.DryRun)
	if err != nil {
		return Transformed{}, err
	}
	runner, _ := snapshot.Rules.(*transform.Runner)
	if runner == nil {
		return Transformed{}, nil
	}
	runner.Record, runner.Preview = true, how.Preview
	plan := order.Transform(snapshot, snapshot.Orders[0], how.Trigger)
	if !how.DryRun && len(plan.Events) > 0 {
		err = t.Save(ctx, plan, order.Defaults{})
	}
	return Transformed{runner.Applied, runner.Skipped}, err
}
