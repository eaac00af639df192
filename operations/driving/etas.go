package driving

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/recipient"
	"waybill/store"
)

// A place that is older says nothing of where a driver is, and an ETA that moves
// by less is not written.
const (
	oldestPlace = 15 * time.Minute
	leastChange = 15 * time.Second
)

// renewETAs has it worked out when a driver gets to the stops that are ahead of
// him. The world hears of what is another time than it was told. Most news change
// nothing, and are done with after one read; what is to be written is worked out again
// while nobody else writes.
func (o *Operations) renewETAs(ctx context.Context, c caller.Caller, driverID int64) error {
	now := o.now()
	road, err := o.store.RouteAhead(ctx, c.OrgID, driverID, now, now.Add(-oldestPlace))
	if err == nil {
		changed, _ := newETAs(&road)
		if len(changed) > 0 || len(movedTimes(&road)) > 0 {
			err = o.store.InTx(ctx, c, func(t *store.Tx) error {
				_, err := o.renewWithin(ctx, t, driverID)
				return err
			})
		}
	}
	if err != nil {
		return fmt.Errorf("renew ETAs: %w", err)
	}
	return nil
}

// renewWithin renews the ETAs of a driver in a transaction, one renewal after the other,
// and returns the road as it was read. Each sees what the one before it wrote, and
// whatever was said by the time at which it has its turn.
func (o *Operations) renewWithin(ctx context.Context, t *store.Tx, driverID int64) (store.RoadAhead, error) {
	if err := t.LockETAs(ctx, driverID); err != nil {
		return store.RoadAhead{}, err
	}
	now := o.now()
	road, err := t.LoadRouteAhead(ctx, driverID, now, now.Add(-oldestPlace))
	if err != nil {
		return road, err
	}
	if err := t.SaveMovedTimes(ctx, driverID, movedTimes(&road)); err != nil {
		return road, err
	}
	changed, told := newETAs(&road)
	if len(changed) == 0 {
		return road, nil
	}
	return road, t.SaveETAs(ctx, driverID, changed, told)
}

// movedTimes returns the stops whose recipients were told another time than is expected now. Once the driver is there,
// nobody needs to hear of it.
func movedTimes(road *store.RoadAhead) (moved []store.MovedTime) {
	for _, e := range etasOf(road) {
		s := &road.Stops[e.Stop]
		if s.Standing.Status == driving.StopArrived {
			continue
		}
		expected := recipient.Expected(e.At, s.Earliest, road.Now, true)
		if s.Promise.Moved(expected, road.Threshold) {
			moved = append(moved, store.MovedTime{OrderID: s.OrderID, Kind: s.Kind, Range: expected})
		}
	}
	return moved
}

func etasOf(road *store.RoadAhead) []driving.ETA {
	stops := make([]driving.Ahead, len(road.Stops))
	for i := range road.Stops {
		stops[i] = road.Stops[i].Ahead
	}
	return driving.ETAs(stops, road.Was, road.Now)
}

// newETAs returns the stops whose ETA is another one than was written, and the
// orders of which the world is to hear.
func newETAs(road *store.RoadAhead) ([]store.StopAhead, map[int64]bool) {
	route := road.Stops
	told := map[int64]bool{}
	etas := etasOf(road)
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
