package followers

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"waybill/domain/export"
	"waybill/pause"
	"waybill/relay"
	"waybill/store"
	"waybill/workflows"
)

// newExports makes the follower that tells the exports of orders that those have
// changed.
func newExports(d Deps) relay.Follower {
	return relay.Follower{Name: "exports", Kinds: export.Kinds(), Hand: exports{d}.hand}
}

type exports struct{ Deps }

// exportStarts is how many exports are told of a change at a time: few, so that
// a bulk import does not have to share the machine with the exports behind it.
const exportStarts = 4

// hand tells each export once, however often its order is in the events.
func (e exports) hand(ctx context.Context, events []store.Event) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(exportStarts)
	for org, orderIDs := range ordersOf(events) {
		if err := e.tell(ctx, group, org, orderIDs); err != nil {
			return errors.Join(err, group.Wait())
		}
	}
	return group.Wait()
}

// tell sets the group to tell the exports of an organization's orders.
func (e exports) tell(ctx context.Context, group *errgroup.Group, org int64, orderIDs []int64) error {
	if err := e.afterImports(ctx, org); err != nil {
		return err
	}
	subjects, err := e.Store.ExportSubjects(ctx, org, orderIDs)
	if err != nil {
		return err
	}
	for _, of := range subjects {
		group.Go(func() error {
			return workflows.ExportChanged(ctx, e.Temporal, workflows.ExportedOrder{
				OrgID: org, OrderID: of.OrderID, ExternalID: of.Number,
			})
		})
	}
	return nil
}

// A bulk import goes first: its caller waits, and its exports need not. After
// that long they begin even so.
const (
	importPatience = 5 * time.Second
	importPause    = 100 * time.Millisecond
)

// afterImports waits until an organization has no bulk import at work.
func (e exports) afterImports(ctx context.Context, org int64) error {
	for end := time.Now().Add(importPatience); time.Now().Before(end); {
		working, err := e.Store.BulkImportAtWork(ctx, org)
		if err != nil || !working {
			return err
		}
		if !pause.For(ctx, importPause) {
			break
		}
	}
	return ctx.Err()
}

// ordersOf are the orders that events speak of, by organization, each once.
func ordersOf(events []store.Event) map[int64][]int64 {
	orders := map[int64][]int64{}
	for i := range events {
		if e := &events[i]; e.OrderID != 0 {
			orders[e.OrgID] = append(orders[e.OrgID], e.OrderID)
		}
	}
	for org, orderIDs := range orders {
		slices.Sort(orderIDs)
		orders[org] = slices.Compact(orderIDs)
	}
	return orders
}
