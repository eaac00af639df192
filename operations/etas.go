package operations

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/store"
)

// A place that is older says nothing of where a driver is, and an ETA that moves
// by less is not written.
const (
	oldestPlace = 15 * time.Minute
	leastChange = 15 * time.Second
)

// renewETAs has it worked out when a driver gets to the stops that are ahead of
// him. The world hears of what is another time than it was told.
func (o *Operations) renewETAs(ctx context.Context, c caller.Caller, driverID int64) error {
	now := o.now()
	road, err := o.store.RouteAhead(ctx, c.OrgID, driverID, now, now.Add(-oldestPlace))
	if err == nil {
		if changed, told := newETAs(&road); len(changed) > 0 {
			err = o.store.SaveETAs(ctx, c, driverID, changed, told)
		}
	}
	if err != nil {
		return fmt.Errorf("renew ETAs: %w", err)
	}
	return nil
}

// renewWithin does what renewETAs does, in a transaction that does more, and returns what
// the clock of the day shows.
func (o *Operations) renewWithin(ctx context.Context, t *store.Tx, driverID int64, now time.Time) (time.Time, error) {
	road, err := t.LoadRouteAhead(ctx, driverID, now, now.Add(-oldestPlace))
	if err != nil {
		return now, err
	}
	changed, told := newETAs(&road)
	if len(changed) == 0 {
		return road.Now, nil
	}
	return road.Now, t.SaveETAs(ctx, driverID, changed, told)
}

// newETAs returns the stops whose ETA is another one than was written, and the
// orders of which the world is to hear.
func newETAs(road *store.RoadAhead) ([]store.StopAhead, map[int64]bool) {
	route := road.Stops
	stops := make([]driving.Ahead, len(route))
	for i := range route {
		stops[i] = route[i].Ahead
	}
	told := map[int64]bool{}
	etas := driving.ETAs(stops, road.Was, road.Now)
	for _, e := range etas {
		if s := &route[e.Stop]; e.At.Sub(s.Told).Abs() > driving.TellETA {
			told[s.OrderID] = true
		}
	}
	var changed []store.StopAhead
	for _, e := range etas {
		s := route[e.Stop]
		if !told[s.OrderID] && s.Before == e.Ahead && e.At.Sub(s.ETA).Abs() < leastChange {
			continue
		}
		s.ETA, s.Before = e.At, e.Ahead
		if told[s.OrderID] {
			s.Told = e.At
		}
		changed = append(changed, s)
	}
	return changed, told
}
