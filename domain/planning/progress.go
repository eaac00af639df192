package planning

import (
	"slices"
	"time"

	"waybill/domain/driving"
	"waybill/domain/load"
	"waybill/domain/order"
	"waybill/domain/routing"
)

const (
	// freeze is how long before it begins a stop stays where it is in a plan.
	freeze = 30 * time.Minute
	// overtime is how long a route that has begun lasts at most after its shift.
	overtime = 3 * time.Hour
	// seenWithin is how long a position is taken as current.
	seenWithin = 15 * time.Minute
	// movedBy is the distance in metres at which a driver has left a stop.
	movedBy = 300
)

// progress is a driver's progress on their route.
type progress struct {
	// over are the stops that are finished or being served, in the driver's
	// sequence; the others are open.
	over, rest []Placed
	// frozen are the stops of the rest that stay first in any case, and sure how many of
	// them would without a person who holds the others.
	frozen []Placed
	sure   int
	// from is where the driver is free, nil at the start of the day, and at from
	// when on. Begun is set when they have left.
	from  *Point
	at    time.Time
	begun bool
	// left is set when the driver was seen away from the last stop, and site is that of
	// the visit that the driver is in, or 0.
	left bool
	site int
	// paused is set when the break is over, or between frozen stops.
	paused bool
	// detourDriving and detourMeters are how far the driver has driven to the places of breaks.
	detourDriving time.Duration
	detourMeters  int64
	// ballast is the load on board that is not to be delivered.
	ballast      routing.Load
	ballastLoads load.Amounts
	// reports is true if the driver has reported anything, and ended if they
	// have reported nothing after the end of their route. loaded is true while
	// goods are on board.
	reports, ended, loaded bool
	// last is when the driver was at the last stop, zero if that is unknown.
	last time.Time
}

const (
	// breather is how long drivers who begin before their shift report nothing while they work.
	breather = time.Hour
	// earlyBy is how long before their shift drivers begin at most. Whatever is reported earlier, such as goods that are
	// loaded the evening before, or an order of tomorrow that the office reports as delivered, begins no shift.
	earlyBy = 3 * time.Hour
)

// resumes is when a driver who has begun goes on: at once, or when the shift starts. Somebody who has loaded the
// evening before has begun, but does not work at night.
func (p *progress) resumes(shift, now time.Time) time.Time {
	if p.reports && !p.left && now.Before(shift) && (now.Sub(p.last) > breather || shift.Sub(now) > earlyBy) {
		return later(p.at, shift)
	}
	return p.at
}

// progress evaluates a route as planned. Without reports from the driver,
// everything is assumed to happen as planned; with reports, only these count.
func (d *Day) progress(r *Route, orders map[int64]*Order) progress {
	var p progress
	stops := slices.DeleteFunc(slices.Clone(r.Stops), func(s Placed) bool {
		return !orders[s.OrderID].stays(s.Kind, r.DriverID)
	})
	p.reports = slices.ContainsFunc(stops, func(s Placed) bool { return orders[s.OrderID].did(s.Kind) })
	for _, s := range stops {
		if p.reports && orders[s.OrderID].did(s.Kind) || !p.reports && !s.Starts.After(d.Now) {
			p.over = append(p.over, s)
		} else {
			p.rest = append(p.rest, s)
		}
	}
	p.visited(r, orders)
	p.at = d.Now
	if last := len(p.over) - 1; last >= 0 {
		p.begun, p.from, p.at = true, &p.over[last].Point, d.free(&p.over[last], orders, p.reports)
	}
	moved := p.moved(d, r, orders)
	p.left = moved
	onTheWay := d.depart(&p, r, orders, moved)
	next := Rest{Starts: r.BreakStarts, Ends: r.BreakEnds}
	p.paused = !next.Starts.IsZero() && !next.Starts.After(d.Now) && !p.detained(next, orders)
	if !onTheWay {
		p.at = later(p.at, p.restsUntil(d, r, orders))
	}
	if last := len(p.over) - 1; last >= 0 && len(p.rest) == 0 {
		place, _ := r.goesBy(&Placed{Arrives: r.Ends}, p.over[last].Leaves, d.Now)
		p.leaveFrom(place)
	}
	p.freeze(d, onTheWay, orders, r)
	if moved && (p.sure == 0 || p.frozen[0] != p.rest[0]) { // not heading for any remaining stop
		p.from, p.at = &Point{Latitude: r.Seen.Latitude, Longitude: r.Seen.Longitude}, later(p.at, d.Now)
	}
	if !p.reports {
		p.hold(r)
	}
	p.addDetours(d, r)
	return p
}

// visited sorts the finished stops by when the driver was there, and counts the legs
// driven. Goods of a cancelled order stay on board.
func (p *progress) visited(r *Route, orders map[int64]*Order) {
	last := func(s *Placed) time.Time { return orders[s.OrderID].stop(s.Kind).Standing.Last() }
	unknown := func(s Placed) bool { return last(&s).IsZero() }
	if p.reports && !slices.ContainsFunc(p.over, unknown) {
		slices.SortStableFunc(p.over, func(a, b Placed) int { return last(&a).Compare(last(&b)) })
	}
	picked := map[int64]bool{}
	for i := range p.over {
		s := &p.over[i]
		o := orders[s.OrderID]
		picked[o.ID] = picked[o.ID] || s.Kind == order.Pickup
		if o.Status == order.Cancelled && s.Kind == order.Pickup && o.Pickup.Standing.Status == driving.StopCompleted {
			for of, amount := range o.Load {
				p.ballast[of] = min(p.ballast[of]+amount, unlimited)
			}
			p.ballastLoads = p.ballastLoads.Plus(o.Loads)
		}
		if p.reports && i > 0 && !r.follows(s, &p.over[i-1]) {
			s.Meters = int64(driving.GuessedWay(p.over[i-1].Point.Latitude, p.over[i-1].Point.Longitude,
				s.Point.Latitude, s.Point.Longitude))
			s.Driving = time.Duration(float64(s.Meters)/driving.UsualSpeed) * time.Second
		}
		p.ended = p.reports && !r.Ended.IsZero() && !last(s).After(r.Ended)
		p.last = last(s)
	}
	p.loaded = slices.ContainsFunc(p.rest, func(s Placed) bool {
		return s.Kind == order.Delivery && (picked[s.OrderID] || orders[s.OrderID].Standing() == Started)
	})
}

// follows reports whether a route has a stop right behind another.
func (r *Route) follows(s, other *Placed) bool {
	at := r.place(s.OrderID, s.Kind)
	return at > 0 && r.Stops[at-1].OrderID == other.OrderID && r.Stops[at-1].Kind == other.Kind
}

// goesOn reports whether the driver has work left after their shift.
func (p *progress) goesOn() bool { return p.reports && !p.ended && (p.loaded || p.sure > 0) }

// lasts reports whether a route that has begun continues after the end of its
// shift.
func (d *Day) lasts(p *progress, ends time.Time) bool {
	return p.goesOn() && d.Now.Before(ends.Add(overtime))
}

// hold assumes that the stops that are frozen for sure happen at their planned times, with
// the driver free after them, unless a stop in between is gone.
func (p *progress) hold(r *Route) {
	n := p.sure
	if n == 0 || !slices.Equal(p.frozen[:n], p.rest[:n]) {
		return
	}
	last := p.frozen[n-1]
	began := slices.Index(r.Stops, p.frozen[0])
	if end := slices.Index(r.Stops, last); end-began != n-1 || began > 0 && !slices.Contains(p.over, r.Stops[began-1]) {
		return
	}
	p.over, p.rest, p.frozen, p.sure = append(p.over, p.frozen[:n]...), p.rest[n:], p.frozen[n:], 0
	p.begun, p.from, p.at = true, &p.over[len(p.over)-1].Point, last.Leaves
	p.paused = p.paused || !r.BreakStarts.IsZero() && r.BreakStarts.Before(last.Starts)
}

// stays reports whether a stop still belongs to the driver whose route has it.
// Visited stops of a cancelled order stay.
func (o *Order) stays(kind order.StopKind, driver int64) bool {
	switch {
	case o == nil || o.DriverID != driver:
		return false
	case o.Status == order.Cancelled:
		return o.did(kind)
	case o.dropped(kind):
		return false
	}
	return o.Status >= order.AtPickup || !o.Away && !o.Exported
}

// did reports whether a driver has reported being at a stop, now or before.
func (o *Order) did(kind order.StopKind) bool {
	switch status := o.stop(kind).Standing.Status; {
	case status != "":
		return status == driving.StopArrived || status == driving.StopCompleted || status == driving.StopFailed
	case o.Status == order.Cancelled:
		return false
	case kind == order.Pickup:
		return o.Status >= order.AtPickup
	}
	return o.Status >= order.AtDelivery
}

// dropped reports whether a stop is skipped because its pickup failed.
func (o *Order) dropped(kind order.StopKind) bool {
	return o.stop(kind).Standing.Status == driving.StopDropped ||
		o.Status == order.Failed && kind == order.Delivery && o.Pickup.Standing.Status == driving.StopFailed
}

// free returns when a driver can leave the last stop visited.
func (d *Day) free(last *Placed, orders map[int64]*Order, reports bool) time.Time {
	if !reports {
		return later(d.Now, last.Leaves)
	}
	if !orders[last.OrderID].at(last.Kind) {
		return d.Now
	}
	leaves := d.Now.Add(last.Service())
	if last.Leaves.Before(leaves) {
		leaves = last.Leaves
	}
	return later(d.Now, leaves)
}

// at reports whether the driver is at a stop.
func (o *Order) at(kind order.StopKind) bool {
	if status := o.stop(kind).Standing.Status; status != "" {
		return status == driving.StopArrived && o.Status.Active()
	}
	return kind == order.Pickup && o.Status == order.AtPickup || kind == order.Delivery && o.Status == order.AtDelivery
}

// moved reports whether the driver was seen away from the last stop visited.
func (p *progress) moved(d *Day, r *Route, orders map[int64]*Order) bool {
	last := len(p.over) - 1
	if !p.reports || last < 0 || r.Seen.At.Before(d.Now.Add(-seenWithin)) || p.at.After(d.Now) {
		return false
	}
	s := &p.over[last]
	return r.Seen.At.After(orders[s.OrderID].stop(s.Kind).Standing.Last()) &&
		driving.Distance(s.Point.Latitude, s.Point.Longitude, r.Seen.Latitude, r.Seen.Longitude) > movedBy
}

// depart reports whether the driver is on the way to the next stop. Drivers are
// assumed to leave as late as the start of service allows, but at once if the
// break is on the way. A driver seen on the way has left, even early. One who
// has not reported finishing a stop has not left, even late.
func (d *Day) depart(p *progress, r *Route, orders map[int64]*Order, moved bool) (onTheWay bool) {
	if len(p.rest) == 0 || p.at.After(d.Now) || p.there(orders) {
		return false
	}
	next, left := &p.rest[0], r.Starts
	if last := len(p.over) - 1; last >= 0 {
		left = p.over[last].Leaves
	}
	opens := orders[next.OrderID].stop(next.Kind).Window.Earliest
	place, detour := r.goesBy(next, left, d.Now)
	if h := &r.Heading; p.reports && h.names(next) && (moved || h.says(next, later(opens, d.Now.Add(next.Way())))) {
		p.begun = true
		if last := len(p.over) - 1; moved && last >= 0 && !r.follows(next, &p.over[last]) {
			p.from, p.at = &Point{Latitude: r.Seen.Latitude, Longitude: r.Seen.Longitude}, d.Now
		} else {
			p.at = later(h.At, d.Now).Add(-next.Way() - detour) // the departure for that arrival
			p.leaveFrom(place)
		}
		return true
	}
	leaves, at := next.Starts.Add(-next.Way()), next.Starts.Add(-next.Way())
	if !r.BreakStarts.IsZero() && !r.BreakStarts.Before(left) && r.BreakStarts.Before(next.Arrives) {
		leaves, at = left, left
		if !r.BreakStarts.After(d.Now) {
			at = next.Arrives.Add(-next.Driving) // as if it had been theirs before
		}
	}
	if len(r.Breaks) > 0 {
		leaves, at = r.departed(next, left, d.Now, leaves, at)
	}
	if leaves.After(d.Now) {
		return false
	}
	if p.reports {
		at = later(at, d.Now.Add(-next.Way()-detour))
	}
	p.begun, p.at = true, at
	p.leaveFrom(place)
	return true
}

// names reports whether a driver is heading for a stop, as far as known.
func (h *Heading) names(s *Placed) bool { return h.OrderID == s.OrderID && h.Kind == s.Kind }

// says reports whether the driver reaches a stop later than planned, or later
// than by leaving now and waiting until it opens.
func (h *Heading) says(s *Placed, soonest time.Time) bool {
	return h.At.After(s.Starts) || h.At.After(soonest.Add(time.Minute))
}

// freeze finds the stops that stay first: the one that the driver is heading
// for, those that begin soon, even if late, and those that a person holds, unless
// their requirements changed.
func (p *progress) freeze(d *Day, onTheWay bool, orders map[int64]*Order, r *Route) {
	picked := map[int64]bool{}
	for _, s := range p.over {
		picked[s.OrderID] = true
	}
	soon, kept, lastHeld := d.Now.Add(freeze), p.lastLate(r), p.lastHeld(r)
	for i, s := range p.rest {
		goesThere := i == 0 && onTheWay
		sure, held := !s.Starts.After(soon) || goesThere || i <= kept, r.holds(&s)
		switch {
		case !sure && i > lastHeld:
			return
		case !sure && !held:
			continue
		}
		o := orders[s.OrderID]
		if !goesThere && !held && !o.opens(&s, picked[o.ID]) {
			continue
		}
		nowhere := o.Pickup.Point == nil || o.Delivery.Point == nil
		if nowhere || !picked[o.ID] && (s.Kind == order.Delivery || !d.keeps(o, r.DriverID)) {
			continue
		}
		picked[o.ID] = true
		if sure && p.sure == len(p.frozen) {
			p.sure++
		}
		p.frozen = append(p.frozen, s)
	}
}

// lastLate returns the last open pickup that is late in the plan and that nobody
// holds, which happens only if it is frozen, or -1.
func (p *progress) lastLate(r *Route) int {
	for i := len(p.rest) - 1; i >= 0; i-- {
		if p.rest[i].Kind == order.Pickup && p.rest[i].Late > 0 && !r.holds(&p.rest[i]) {
			return i
		}
	}
	return -1
}

// opens reports whether an order's window still fits a stop's planned time. Goods
// on board may be late, and so may stops that were already late in the plan.
func (o *Order) opens(s *Placed, onBoard bool) bool {
	w := o.stop(s.Kind).Window
	return !s.Starts.Before(w.Earliest) && (onBoard || s.Late > 0 || !s.Starts.After(w.Latest))
}

// keeps reports whether a driver keeps an order that begins soon: the driver
// may have it, or nobody else may.
func (d *Day) keeps(o *Order, driver int64) bool {
	may := false
	for i := range d.Drivers {
		of := &d.Drivers[i]
		if _, ends := d.Work(of.Hours); of.ID != driver && !ends.After(d.Now) || !o.allows(of) {
			continue
		}
		if of.ID == driver {
			return true
		}
		may = true
	}
	return !may
}

// allows reports whether a driver may have an order, whenever that is.
func (o *Order) allows(of *Driver) bool { return o.forbids(of) == "" }

func (o *Order) stop(kind order.StopKind) *Stop {
	if kind == order.Delivery {
		return &o.Delivery
	}
	return &o.Pickup
}
