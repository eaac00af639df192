package simulation

import (
	"time"

	"waybill/domain/driving"
	"waybill/domain/order"
)

// Position returns the position of a driver on the way to their next stop, on a
// straight line; nil when they are not on the way, or the phone has no signal.
func (r *Run) Position(d *Driver, now time.Time) *driving.Position {
	if !d.OnTheRoad() || d.Was == nil || len(d.Stops) == 0 {
		return nil
	}
	next := r.next(d, d.Stops)
	s := &d.Stops[next]
	if s.Arrived {
		return nil
	}
	lasts, driven := wayTo(d.Stops, next)
	left, way := d.Last.Add(r.scaled(lasts-driven)), r.scaled(lasts)
	if s.Kind == order.Delivery {
		outcome := OutcomeOf(s.Number, r.Incidents)
		if outcome.Offline {
			return nil
		}
		if outcome.Late {
			way += r.scaled(Delay)
		}
	}
	from, there := later(left, d.Was.At), d.Last.Add(way)
	if !now.After(from) || !now.Before(there) {
		return nil
	}
	share := float64(now.Sub(from)) / float64(there.Sub(from))
	return &driving.Position{
		At:       now,
		Latitude: d.Was.Latitude + share*(s.Latitude-d.Was.Latitude), Accuracy: 12,
		Longitude: d.Was.Longitude + share*(s.Longitude-d.Was.Longitude),
	}
}
