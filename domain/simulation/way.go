package simulation

import (
	"slices"
	"time"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/road"
)

// onTheWay is how far from a way a position on it may be, in meters: stops are not on the
// street itself, and drivers report to within some meters.
const onTheWay = 150

// Position returns the position of a driver on the way to their next stop: along streets
// where the way is known, and otherwise on a straight line. It is nil when they are not on
// the way, when the phone has no signal, or when nobody knows where they come from.
func (r *Run) Position(d *Driver, now time.Time) *driving.Position {
	if !d.OnTheRoad() || len(d.Stops) == 0 {
		return nil
	}
	next := r.next(d, d.Stops)
	s := &d.Stops[next]
	if s.Arrived {
		return nil
	}
	lasts, driven := r.way(d, d.Stops, next, later(d.Last, s.Known))
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
	line, from := road.Line{}, left
	if next == 0 { // otherwise the way is from another stop
		line = s.Line
	}
	line, from, ok := rest(line, d.Was, from, s)
	there := d.Last.Add(way)
	if !ok || !now.After(from) || !now.Before(there) {
		return nil
	}
	share := float64(now.Sub(from)) / float64(there.Sub(from))
	at := line.At(share * line.Length())
	return &driving.Position{At: now, Latitude: at.Latitude, Longitude: at.Longitude, Accuracy: 12}
}

// notedApart is how far apart the positions are that a phone notes, by the plan's clock, and
// mostNoted how many it sends at most.
const (
	notedApart = 15 * time.Second
	mostNoted  = 100
)

// Positions returns the positions of a driver on the way to their next stop until a moment that
// the phone has not sent yet, in the order of time.
func (r *Run) Positions(d *Driver, until time.Time) (noted []driving.Position) {
	since := d.Last
	if d.Was != nil {
		since = later(since, d.Was.At)
	}
	step := max(r.scaled(notedApart), until.Sub(since)/mostNoted, time.Millisecond)
	for at := until; at.After(since); at = at.Add(-step) {
		if p := r.Position(d, at); p != nil {
			noted = append(noted, *p)
		}
	}
	slices.Reverse(noted)
	return noted
}

// rest returns the way that is left to a stop for a driver who left at a moment and was seen
// somewhere, and since when. It reports false if nobody knows where the driver comes from.
func rest(line road.Line, was *driving.Position, left time.Time, to *Stop) (road.Line, time.Time, bool) {
	if was == nil {
		return line, left, line.Known()
	}
	at := road.Point{Latitude: was.Latitude, Longitude: was.Longitude}
	along, away := line.Project(at)
	switch {
	case away <= onTheWay:
		return line.After(along), later(left, was.At), true
	case line.Known() && was.At.Before(left): // seen before they set out
		return line, left, true
	}
	return road.Of(at, road.Point{Latitude: to.Latitude, Longitude: to.Longitude}), later(left, was.At), true
}
