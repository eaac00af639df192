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

// A bulk import goes first: its caller waits, and its exports need not. After
// that long they begin even so.
const (
	importPatience = 5 * time.Second
	importPause    = 100 * time.Millisecond
)

// hand tells each export once, however often its order is in the events. Those
// of organizations with a bulk import at work come last: nobody else waits for
// it, and many of them wait no longer than one.
func (e exports) hand(ctx context.Context, events []store.Event) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(exportStarts)
	orders := ordersOf(events)
	for end := time.Now().Add(importPatience); ; {
		if err := e.tell(within, group, orders, time.Now().Before(end)); err != nil {
			return errors.Join(err, group.Wait())
		}
		if len(orders) == 0 {
			return group.Wait()
		}
		if !pause.For(within, importPause) {
			return errors.Join(context.Cause(within), group.Wait())
		}
	}
}

// tell sets the group to tell the exports of orders, and takes those from the
// map. A patient call leaves the organizations that import.
func (e exports) tell(ctx context.Context, group *errgroup.Group, orders map[int64][]int64, patient bool) error {
	for org, orderIDs := range orders {
		if patient {
			working, err := e.Store.BulkImportAtWork(ctx, org)
			if err != nil {
				return err
			}
			if working {
				continue
			}
		}
		delete(orders, org)
		if err := e.tellOf(ctx, group, org, orderIDs); err != nil {
			return err
		}
	}
	return nil
}

// tellOf sets the group to tell the exports of an organization's orders.
func (e exports) tellOf(ctx context.Context, group *errgroup.Group, org int64, orderIDs []int64) error {
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
