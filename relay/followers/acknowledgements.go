package followers

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"waybill/domain/export"
	"waybill/relay"
	"waybill/store"
	"waybill/workflows"
)

// newAcknowledgements returns the follower that signals acknowledgements to
// the exports of orders.
func newAcknowledgements(d Deps) relay.Follower {
	return relay.Follower{
		Name: "acknowledgements", Kinds: export.AcknowledgedKinds(), Hand: acknowledgements{d}.hand,
		Later: acknowledgements{d}.later,
	}
}

type acknowledgements struct{ Deps }

// Carriers acknowledge everything they fetched at once, and wait for each
// response. The workflows can get the acknowledgements later: they only keep
// the window, which lasts for days, and show the state to operators. So the
// follower collects acknowledgements and sends a few signals at a time; it
// merges repeated ones.
const (
	gatherFor     = time.Second
	toldAtOneTime = 2
)

func (a acknowledgements) later(_ context.Context, _ int64, waited time.Duration) (bool, error) {
	return waited < gatherFor, nil
}

func (a acknowledgements) hand(ctx context.Context, events []store.Event) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(toldAtOneTime)
	for org, orderIDs := range ordersOf(events) {
		subjects, err := a.Store.ExportSubjects(within, org, orderIDs, nil)
		if err != nil {
			return errors.Join(err, group.Wait())
		}
		a.tell(within, group, org, orderIDs, subjects)
	}
	return errors.Join(group.Wait(), ctx.Err())
}

// tell signals the exports of an organization's orders, as one group. A closed
// export gets a signal if its workflow still runs, so that it ends; none is
// started.
func (a acknowledgements) tell(
	ctx context.Context, group *errgroup.Group, org int64, orderIDs []int64, subjects []store.ExportSubject,
) {
	open := make(map[int64]string, len(subjects))
	for _, s := range subjects {
		open[s.OrderID] = s.Number
	}
	for _, id := range orderIDs {
		number, isOpen := open[id]
		group.Go(func() error {
			if !isOpen {
				return workflows.ExportClosed(ctx, a.Temporal, org, id)
			}
			return workflows.ExportChanged(ctx, a.Temporal, workflows.ExportedOrder{
				OrgID: org, OrderID: id, ExternalID: number,
			})
		})
	}
}
