package followers

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"waybill/domain/event"
	"waybill/relay"
	"waybill/store"
	"waybill/workflows"
)

// newTemplates returns the follower that signals a changed time zone to an
// organization's recurring orders.
func newTemplates(d Deps) relay.Follower {
	t := &templates{Deps: d, told: map[int64]int64{}}
	return relay.Follower{Name: "templates", Kinds: []event.Kind{event.OrganizationZoneChanged}, Hand: t.hand}
}

type templates struct {
	Deps
	mu sync.Mutex
	// told maps the position of an event to the last template that got its
	// signal, until all events of a batch are processed: an organization may
	// have more templates than can be signaled within the time for a batch.
	told map[int64]int64
}

// How many templates are read at a time, and signaled at a time.
const (
	templatesRead = 500
	templatesTold = 4
)

func (t *templates) hand(ctx context.Context, events []store.Event) error {
	for _, i := range latestOfEach(events) {
		if err := t.tell(ctx, &events[i]); err != nil {
			return err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range events {
		delete(t.told, events[i].Position)
	}
	return nil
}

// last returns the last template that got the signal for an event.
func (t *templates) last(e *store.Event) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.told[e.Position]
}

// tell signals the active templates of an event's organization.
func (t *templates) tell(ctx context.Context, e *store.Event) error {
	for {
		ids, err := t.Store.ActiveTemplates(ctx, e.OrgID, t.last(e), templatesRead)
		if err != nil || len(ids) == 0 {
			return err
		}
		group, within := errgroup.WithContext(ctx)
		group.SetLimit(templatesTold)
		for _, id := range ids {
			group.Go(func() error { return workflows.RecurringOrderChanged(within, t.Temporal, e.OrgID, id) })
		}
		if err := group.Wait(); err != nil {
			return err
		}
		t.mu.Lock()
		t.told[e.Position] = ids[len(ids)-1]
		t.mu.Unlock()
	}
}

// latestOfEach returns the places of the last event of each organization.
func latestOfEach(events []store.Event) []int {
	last := map[int64]int{}
	for i := range events {
		last[events[i].OrgID] = i
	}
	places := make([]int, 0, len(last))
	for _, i := range last {
		places = append(places, i)
	}
	slices.Sort(places)
	return places
}
