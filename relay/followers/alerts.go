package followers

import (
	"context"
	"maps"
	"slices"
	"time"

	"waybill/domain/event"
	"waybill/relay"
	"waybill/store"
)

// newAlerts returns the follower that raises alerts by the rules of organizations and resolves
// them when their cause is gone. Nothing has to wait or be tried for that, so there is no
// workflow. Late stops and silent drivers are found by those of days on the road.
func newAlerts(d Deps) relay.Follower {
	return relay.Follower{Name: "alerts", Hand: alerts{d}.hand, Kinds: []event.Kind{
		event.OrderFailed, event.OrderCorrected, event.OrderReactivated, event.OrderCancelled, event.OrderPlanned,
		event.OrderUnplanned, event.OrderUpdated, event.ExceptionOpened, event.ExceptionResolved,
	}}
}

type alerts struct{ Deps }

// hand looks once at the orders and days of an organization, however many events they have.
func (a alerts) hand(ctx context.Context, events []store.Event) error {
	type news struct {
		orders map[int64]bool
		days   map[time.Time]bool
	}
	of := map[int64]news{}
	for i := range events {
		e := &events[i]
		n, known := of[e.OrgID]
		if !known {
			n = news{map[int64]bool{}, map[time.Time]bool{}}
			of[e.OrgID] = n
		}
		if e.Kind != event.ExceptionOpened && e.Kind != event.ExceptionResolved {
			n.orders[e.OrderID] = true
		} else if day, err := time.Parse(time.DateOnly, e.ExternalID); err == nil {
			n.days[day] = true
		}
	}
	for org, n := range of {
		orders, days := slices.Collect(maps.Keys(n.orders)), slices.Collect(maps.Keys(n.days))
		if err := a.Store.FollowAlerts(ctx, org, orders, days, time.Now()); err != nil {
			return err
		}
	}
	return nil
}
