package followers

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"waybill/domain/export"
	"waybill/relay"
	"waybill/store"
	"waybill/workflows"
)

// newExports makes the follower that tells the exports of orders that those have
// changed.
func newExports(d Deps) relay.Follower {
	return relay.Follower{Name: "exports", Kinds: export.Kinds(), Hand: exports{d}.hand, Later: exports{d}.later}
}

type exports struct{ Deps }

// exportStarts is how many exports are told of a change at a time: few, so that
// a bulk import does not have to share the machine with the exports behind it.
const exportStarts = 4

// importPatience is how long exports let a bulk import of their organization go first:
// its caller waits, and its exports need not.
const importPatience = 5 * time.Second

// later reports whether exports wait for a bulk import.
func (e exports) later(ctx context.Context, org int64, waited time.Duration) (bool, error) {
	if waited >= importPatience {
		return false, nil
	}
	return e.Store.BulkImportAtWork(ctx, org)
}

// hand tells each export once, however often its order is in the events.
func (e exports) hand(ctx context.Context, events []store.Event) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(exportStarts)
	for org, orderIDs := range ordersOf(events) {
		if err := e.tellOf(within, group, org, orderIDs); err != nil {
			return errors.Join(err, group.Wait())
		}
	}
	return errors.Join(group.Wait(), ctx.Err())
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
