package orders

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
	if how.DryRun {
		done, err = o.tryRules(ctx, c, orderID, how)
	} else {
		err = o.store.InTx(ctx, c, func(t *store.Tx) (err error) {
			done, err = runRules(ctx, t, orderID, how)
			return err
		})
	}
	var known *fault.Error
	if err != nil && !errors.As(err, &known) {
		err = fmt.Errorf("transform order: %w", err)
	}
	return done, err
}

// tryRules is TransformOrder without writing anything. Nobody waits for the
// connection while the rules run.
func (o *Operations) tryRules(
	ctx context.Context, c caller.Caller, orderID int64, how Transforming,
) (done Transformed, err error) {
	var snapshot *order.Snapshot
	err = o.store.InReadOnlyTx(ctx, c.OrgID, func(t *store.Tx) (err error) {
		snapshot, err = t.LoadOrder(ctx, orderID, false)
		return err
	})
	if err == nil {
		done, _ = transformed(snapshot, how)
	}
	return done, err
}

// runRules is TransformOrder inside a transaction.
func runRules(ctx context.Context, t *store.Tx, orderID int64, how Transforming) (Transformed, error) {
	snapshot, err := t.LoadOrder(ctx, orderID, true)
	if err != nil {
		return Transformed{}, err
	}
	done, plan := transformed(snapshot, how)
	plan.Silent = true // what rules say is the word of the one who spoke last
	if len(plan.Events) > 0 {
		err = t.Save(ctx, plan, order.Defaults{})
	}
	return done, err
}

// transformed runs the rules on the one order of a snapshot.
func transformed(snapshot *order.Snapshot, how Transforming) (Transformed, order.Plan) {
	runner, _ := snapshot.Rules.(*transform.Runner)
	if runner == nil {
		return Transformed{}, order.Plan{}
	}
	runner.Record, runner.Preview = true, how.Preview
	plan := order.Transform(snapshot, snapshot.Orders[0], how.Trigger)
	return Transformed{runner.Applied, runner.Skipped}, plan
}
