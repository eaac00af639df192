package followers

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"waybill/domain/export"
	"waybill/internal/wait"
	"waybill/relay"
	"waybill/store"
	"waybill/workflows"
)

// newExports returns the follower that signals changed orders to their exports.
func newExports(d Deps) relay.Follower {
	e := exports{d, semaphore.NewWeighted(exportsAhead / exportsTold)}
	kinds := slices.Concat(export.Kinds(), export.MovedKinds())
	return relay.Follower{Name: "exports", Kinds: kinds, Most: exportsAtATime, Hand: e.hand, Later: e.later}
}

type exports struct {
	Deps

	// turns limits groups of exports over all organizations, first come, first
	// served. A single group needs no turn.
	turns *semaphore.Weighted
}

// exportsAhead is how many exports a process signals before the first of them
// has begun. Workflows share one queue, so those of other organizations wait
// for no more than these. They are signaled in groups of exportsTold.
const (
	exportsAhead   = 64
	exportsTold    = 8
	exportsAtATime = 512 // events of an organization that are read at a time
)

// How long to wait for a new export, and how often to check. An export that
// takes longer may never begin, because its order is no longer subject to
// export.
const (
	beginPatience = 2 * time.Second
	beginPause    = 5 * time.Millisecond // doubled each time
	longestPause  = 40 * time.Millisecond
)

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

// hand signals each export once, however often its order occurs in the events.
func (e exports) hand(ctx context.Context, events []store.Event) error {
	group, within := errgroup.WithContext(ctx)
	changed, moved := ordersThatMoved(events)
	for org, orderIDs := range changed {
		if err := e.tell(within, group, org, orderIDs, moved[org]); err != nil {
			return errors.Join(err, group.Wait())
		}
	}
	return errors.Join(group.Wait(), ctx.Err())
}

// tell signals the exports of an organization's orders, as one group. A few go
// at once, so that they do not wait for another organization's thousands.
func (e exports) tell(ctx context.Context, group *errgroup.Group, org int64, changed, moved []int64) error {
	subjects, err := e.Store.ExportSubjects(ctx, org, changed, moved)
	if err != nil {
		return err
	}
	if len(subjects) <= exportsTold {
		group.Go(func() error { return e.tellSome(ctx, org, subjects) })
		return nil
	}
	for some := range slices.Chunk(subjects, exportsTold) {
		if err := e.turns.Acquire(ctx, 1); err != nil {
			return err
		}
		group.Go(func() error {
			defer e.turns.Release(1)
			return e.tellSome(ctx, org, some)
		})
	}
	return nil
}

// tellSome signals exports, and waits until new ones have begun.
func (e exports) tellSome(ctx context.Context, org int64, subjects []store.ExportSubject) error {
	telling, within := errgroup.WithContext(ctx)
	var begin []int64
	for _, of := range subjects {
		if of.IsNew {
			begin = append(begin, of.OrderID)
		}
		telling.Go(func() error {
			return workflows.ExportChanged(within, e.Temporal, workflows.ExportedOrder{
				OrgID: org, OrderID: of.OrderID, ExternalID: of.Number,
			})
		})
	}
	if err := telling.Wait(); err != nil || len(begin) == 0 {
		return err
	}
	return e.await(ctx, org, begin)
}

// await waits until exports have begun, with a limit.
func (e exports) await(ctx context.Context, org int64, orderIDs []int64) error {
	end, next := time.Now().Add(beginPatience), beginPause
	for time.Now().Before(end) {
		left, err := e.Store.CountUnexported(ctx, org, orderIDs)
		if err != nil || left == 0 {
			return err
		}
		if !wait.For(ctx, next) {
			return ctx.Err()
		}
		next = min(2*next, longestPause)
	}
	return nil
}

// ordersThatMoved returns the distinct orders of events by organization. Orders
// that only moved are separate; an organization with any has an entry in both.
func ordersThatMoved(events []store.Event) (changed, moved map[int64][]int64) {
	isMove := func(e store.Event) bool { return slices.Contains(export.MovedKinds(), e.Kind) }
	changed, moved = ordersOf(slices.DeleteFunc(slices.Clone(events), isMove)), map[int64][]int64{}
	for org, orderIDs := range ordersOf(events) {
		known := changed[org]
		changed[org] = known
		moved[org] = slices.DeleteFunc(orderIDs, func(id int64) bool {
			_, found := slices.BinarySearch(known, id)
			return found
		})
	}
	return changed, moved
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
