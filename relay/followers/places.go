package followers

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"waybill/domain/event"
	"waybill/relay"
	"waybill/store"
	"waybill/workflows"
)

// newPlaces returns the follower that signals the workflows of addresses. Without a geocoding
// provider only changed pins and registers have anything to do.
func newPlaces(d Deps) relay.Follower {
	kinds := []event.Kind{event.PlacesChanged}
	if d.AsksGeocoder {
		kinds = append(kinds, addressed...)
	}
	return relay.Follower{Name: "places", Hand: places{d}.hand, Kinds: kinds}
}

// addressed are the kinds of event that may bring an address.
var addressed = []event.Kind{
	event.OrderCreated, event.OrderUpdated, event.OrderMerged, event.OrderReactivated, event.OrderSplit,
	event.LocationCreated, event.LocationUpdated, event.OrganizationApplied,
}

type places struct{ Deps }

// placesToldAtOnce is how many organizations get a signal at a time.
const placesToldAtOnce = 4

// hand signals each organization once that has something to do.
func (p places) hand(ctx context.Context, events []store.Event) error {
	orders, changed, all := map[int64][]int64{}, map[int64]bool{}, map[int64]bool{}
	for i := range events {
		e := &events[i]
		all[e.OrgID] = true
		switch e.Kind {
		case event.PlacesChanged, event.LocationCreated, event.LocationUpdated, event.OrganizationApplied:
			changed[e.OrgID] = true
		default:
			orders[e.OrgID] = append(orders[e.OrgID], e.OrderID)
		}
	}
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(placesToldAtOnce)
	for org := range all {
		group.Go(func() error {
			has, err := p.Store.WantPlaces(within, org, orders[org], changed[org])
			if err != nil || !has {
				return err
			}
			return workflows.PlacesNews(within, p.Temporal, org)
		})
	}
	return errors.Join(group.Wait(), ctx.Err())
}
