package planning

import (
	"slices"
	"time"

	"waybill/domain/order"
)

// freeze is how long before it begins a stop stays where it is in a plan.
const freeze = 30 * time.Minute

// progress is how far a driver is with his route.
type progress struct {
	// over are the stops that are done or being served; the others are to come.
	over, rest []Placed
	// frozen are those of the rest that come first whatever happens.
	frozen []Placed
	// from is where the driver is free, nil where the day begins, and at from when
	// on. Begun holds when he has left.
	from  *Point
	at    time.Time
	begun bool
	// paused holds when the break is over, or lies between what stays.
	paused bool
}

// progress looks at a route as it was planned. As long as its driver reports
// nothing, everything is taken to happen as planned; then what he reports counts.
func (d *Day) progress(r *Route, orders map[int64]*Order) progress {
	var p progress
	stops := slices.DeleteFunc(slices.Clone(r.Stops), func(s Placed) bool { return !stays(orders[s.OrderID], r.DriverID) })
	reports := slices.ContainsFunc(stops, func(s Placed) bool { return orders[s.OrderID].did(s.Kind) })
	for _, s := range stops {
		if reports && orders[s.OrderID].did(s.Kind) || !reports && !s.Starts.After(d.Now) {
			p.over = append(p.over, s)
		} else {
			p.rest = append(p.rest, s)
		}
	}
	p.at = d.Now
	if last := len(p.over) - 1; last >= 0 {
		p.begun, p.from, p.at = true, &p.over[last].Point, d.free(&p.over[last], orders, reports)
	}
	onTheWay := d.depart(&p, r, reports)
	p.paused = !r.BreakStarts.IsZero() && !r.BreakStarts.After(d.Now)
	if !onTheWay && p.paused {
		p.at = later(p.at, r.BreakEnds)
	}
	p.freeze(d, onTheWay, orders, r.DriverID)
	if !reports {
		p.hold(r)
	}
	return p
}

// hold takes what is frozen for done at the times that were planned, and the driver
// for free after that, unless something between it is gone.
func (p *progress) hold(r *Route) {
	n := len(p.frozen)
	if n == 0 || !slices.Equal(p.frozen, p.rest[:n]) {
		return
	}
	last := p.frozen[n-1]
	began := slices.Index(r.Stops, p.frozen[0])
	if end := slices.Index(r.Stops, last); end-began != n-1 || began > 0 && !slices.Contains(p.over, r.Stops[began-1]) {
		return
	}
	p.over, p.rest, p.frozen = append(p.over, p.frozen...), p.rest[n:], nil
	p.begun, p.from, p.at = true, &p.over[len(p.over)-1].Point, last.Leaves
	p.paused = p.paused || !r.BreakStarts.IsZero() && r.BreakStarts.Before(last.Starts)
}

// stays reports whether an order is still with the driver whose route has it.
func stays(o *Order, driver int64) bool {
	return o != nil && !o.Away && (!o.Exported || o.Status >= order.AtPickup) && o.Status != order.Cancelled &&
		o.DriverID == driver
}

// did reports whether a driver has said that he is at a stop, or was there.
func (o *Order) did(kind order.StopKind) bool {
	switch {
	case o.Status == order.Cancelled:
		return false
	case kind == order.Pickup:
		return o.Status >= order.AtPickup
	}
	return o.Status >= order.AtDelivery
}

// free returns from when on a driver can leave the last stop that he was at.
func (d *Day) free(last *Placed, orders map[int64]*Order, reports bool) time.Time {
	status := orders[last.OrderID].Status
	atIt := last.Kind == order.Pickup && status == order.AtPickup ||
		last.Kind == order.Delivery && status == order.AtDelivery
	switch {
	case !reports:
		return later(d.Now, last.Leaves)
	case !atIt:
		return d.Now
	}
	leaves := d.Now.Add(last.Service())
	if last.Leaves.Before(leaves) {
		leaves = last.Leaves
	}
	return later(d.Now, leaves)
}

// depart reports whether the driver is on the way to the next stop. He leaves as
// late as its beginning allows, but at once when his break lies on the way; and he
// is not there yet.
func (d *Day) depart(p *progress, r *Route, reports bool) (onTheWay bool) {
	if len(p.rest) == 0 || p.at.After(d.Now) {
		return false
	}
	next, left := &p.rest[0], r.Starts
	if last := len(p.over) - 1; last >= 0 {
		left = p.over[last].Leaves
	}
	if h := &r.Heading; reports && h.OrderID == next.OrderID && h.Kind == next.Kind && h.At.After(next.Starts) {
		p.begun, p.at = true, later(h.At, d.Now).Add(-next.Driving) // he says himself that he will be late
		return true
	}
	leaves, at := next.Starts.Add(-next.Driving), next.Starts.Add(-next.Driving)
	if !r.BreakStarts.IsZero() && !r.BreakStarts.Before(left) && r.BreakStarts.Before(next.Arrives) {
		leaves, at = left, left
		if !r.BreakStarts.After(d.Now) {
			at = next.Arrives.Add(-next.Driving) // as if he had had it before
		}
	}
	if leaves.After(d.Now) {
		return false
	}
	if reports {
		at = later(at, d.Now.Add(-next.Driving))
	}
	p.begun, p.at = true, at
	return true
}

// freeze finds out which stops stay first: the one that the driver is going to,
// and those that begin soon, unless somebody changed what they ask for.
func (p *progress) freeze(d *Day, onTheWay bool, orders map[int64]*Order, driver int64) {
	picked := map[int64]bool{}
	for _, s := range p.over {
		picked[s.OrderID] = true
	}
	soon := d.Now.Add(freeze)
	for i, s := range p.rest {
		if s.Starts.After(soon) && (i > 0 || !onTheWay) {
			return
		}
		o := orders[s.OrderID]
		if !o.opens(&s) || !picked[o.ID] && (s.Kind == order.Delivery || !o.allows(driver)) {
			continue
		}
		picked[o.ID] = true
		p.frozen = append(p.frozen, s)
	}
}

// opens reports whether an order still wants a stop when it was planned.
func (o *Order) opens(s *Placed) bool {
	w := o.stop(s.Kind).Window
	return o.Pickup.Point != nil && o.Delivery.Point != nil && !s.Starts.Before(w.Earliest) && !s.Starts.After(w.Latest)
}

// allows reports whether a driver may still have an order that he was given.
func (o *Order) allows(driver int64) bool {
	return (o.LockedTo == 0 || o.LockedTo == driver) && !slices.Contains(o.Prohibited, driver)
}

func (o *Order) stop(kind order.StopKind) *Stop {
	if kind == order.Delivery {
		return &o.Delivery
	}
	return &o.Pickup
}
