package planning

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"waybill/domain/driving"
	"waybill/domain/order"
)

// Difference is what a solution changes in the stored plan: what is written and
// announced.
type Difference struct {
	// Routes are those whose totals change, Stops those that move, by route.
	Routes []Route
	Stops  []Sequenced
	// Resequenced are drivers whose route has other stops than before, or another
	// sequence of them.
	Resequenced []int64
	// GoneRoutes are drivers with nothing left to do, GoneStops orders that are no
	// longer on any route.
	GoneRoutes, GoneStops []int64
	Orders                []OrderChange
	// Unplanned are orders that were planned before, or whose reasons change;
	// Replanned are those that are no longer unplanned.
	Unplanned []Unplanned
	Replanned []int64
}

// Sequenced is a stop with its place in a route, from 1 on.
type Sequenced struct {
	Placed

	DriverID int64
	Seq      int
}

// OrderChange is the change of an order.
type OrderChange struct {
	OrderID  int64
	Number   string
	DriverID int64 // 0 for none
	Status   order.Status
	// Seconds are driving, setups and service of its stops; 0 without a driver.
	Seconds int32
	// Restated holds when the status is another one than before.
	Restated bool
	// Told selects how the change is announced.
	Told Told
	// Pickup and Delivery are its ETAs, where it has a driver.
	Pickup, Delivery Placed
}

// Told is how a change is announced.
type Told int

// The announcements.
const (
	// Nothing is a change that is not announced.
	Nothing Told = iota
	// Assigned is an order with another driver than before.
	Assigned
	// Moved is an order whose ETAs differ from the announced ones.
	Moved
	// TakenOff means that the order lost its driver.
	TakenOff
)

// Empty reports whether a solution changes nothing.
func (d *Difference) Empty() bool {
	return !d.Moves() && len(d.Orders)+len(d.Unplanned)+len(d.Replanned) == 0
}

// Moves reports whether it changes any driver's work.
func (d *Difference) Moves() bool {
	return len(d.Routes)+len(d.Stops)+len(d.GoneRoutes)+len(d.GoneStops) > 0
}

// stopKey names a stop of an order.
type stopKey struct {
	order int64
	kind  order.StopKind
}

// Difference returns the changes that a solution makes to a day.
func (d *Day) Difference(s Solution) Difference {
	var diff Difference
	now := d.routes(&diff, s)
	for i := range d.Orders {
		o := &d.Orders[i]
		if change, changed := o.change(now, d.eta(o)); changed {
			diff.Orders = append(diff.Orders, change)
		}
	}
	slices.SortFunc(diff.Orders, func(a, b OrderChange) int { return int(a.OrderID - b.OrderID) })
	d.unplanned(&diff, s)
	return diff
}

// routes compares the routes, and returns where each stop is now.
func (d *Day) routes(diff *Difference, s Solution) map[stopKey]Sequenced {
	before, routes := map[stopKey]Sequenced{}, map[int64]Route{}
	for _, r := range d.Routes {
		routes[r.DriverID] = r
		for i, stop := range r.Stops {
			before[stopKey{stop.OrderID, stop.Kind}] = Sequenced{stop, r.DriverID, i + 1}
		}
	}
	now := map[stopKey]Sequenced{}
	for _, r := range s.Routes {
		if was, known := routes[r.DriverID]; !known || !was.same(&r) {
			diff.Routes = append(diff.Routes, r)
		}
		if was, known := routes[r.DriverID]; !known || !slices.Equal(was.sequence(), r.sequence()) {
			diff.Resequenced = append(diff.Resequenced, r.DriverID)
		}
		delete(routes, r.DriverID)
		for i, stop := range r.Stops {
			key, at := stopKey{stop.OrderID, stop.Kind}, Sequenced{stop, r.DriverID, i + 1}
			if was, known := before[key]; !known || was != at {
				diff.Stops = append(diff.Stops, at)
			}
			now[key] = at
		}
	}
	for driver := range routes {
		diff.GoneRoutes = append(diff.GoneRoutes, driver)
	}
	slices.Sort(diff.GoneRoutes)
	diff.goneStops(before, now)
	return now
}

// goneStops finds the orders that no route has any more. All stops of an order
// are removed, and those that remain are written again.
func (d *Difference) goneStops(before, now map[stopKey]Sequenced) {
	gone := map[int64]bool{}
	for key := range before {
		if _, still := now[key]; !still {
			gone[key.order] = true
		}
	}
	d.GoneStops = slices.Sorted(maps.Keys(gone))
	for key, at := range now {
		if was, known := before[key]; gone[key.order] && known && was == at {
			d.Stops = append(d.Stops, at)
		}
	}
}

// Rewritten returns the drivers of whose routes a difference writes anything.
func (d *Difference) Rewritten() []int64 {
	drivers := slices.Concat(d.Resequenced, d.GoneRoutes)
	for i := range d.Routes {
		drivers = append(drivers, d.Routes[i].DriverID)
	}
	for i := range d.Stops {
		drivers = append(drivers, d.Stops[i].DriverID)
	}
	slices.Sort(drivers)
	return slices.Compact(drivers)
}

// Held returns the orders that must not change while a difference is written. Orders
// whose route only gets other times are not included.
func (d *Difference) Held() []int64 {
	ids := slices.Clone(d.GoneStops)
	resequenced := set(d.Resequenced)
	for i := range d.Stops {
		if resequenced[d.Stops[i].DriverID] {
			ids = append(ids, d.Stops[i].OrderID)
		}
	}
	for i := range d.Orders {
		ids = append(ids, d.Orders[i].OrderID)
	}
	for i := range d.Unplanned {
		ids = append(ids, d.Unplanned[i].OrderID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// same compares all of two routes but their stops, and where the driver is just now.
func (r *Route) same(as *Route) bool {
	a, b := *r, *as
	a.Stops, b.Stops = nil, nil
	a.Heading, b.Heading = Heading{}, Heading{}
	a.Seen, b.Seen = driving.Where{}, driving.Where{}
	a.Ended, b.Ended = time.Time{}, time.Time{}
	a.Hold, b.Hold = nil, nil
	return reflect.DeepEqual(a, b)
}

// eta returns the announced times of an order's stops.
func (d *Day) eta(o *Order) map[order.StopKind]Placed {
	etas := map[order.StopKind]Placed{}
	for i := range d.Routes {
		if d.Routes[i].DriverID != o.DriverID {
			continue
		}
		for _, s := range d.Routes[i].Stops {
			if s.OrderID == o.ID {
				etas[s.Kind] = s
			}
		}
	}
	return etas
}

// change returns the change of an order, and whether there is one.
func (o *Order) change(now map[stopKey]Sequenced, before map[order.StopKind]Placed) (OrderChange, bool) {
	c := OrderChange{OrderID: o.ID, Number: o.Number, Status: o.Status, Seconds: o.PlannedSeconds}
	delivery, planned := now[stopKey{o.ID, order.Delivery}]
	pickup := now[stopKey{o.ID, order.Pickup}]
	switch {
	case !o.Status.Active() && (planned || pickup.OrderID != 0):
		return c, false // the past does not change
	case !planned:
		changed := o.takenOff(&c)
		return c, changed
	}
	c.DriverID, c.Pickup, c.Delivery = delivery.DriverID, pickup.Placed, delivery.Placed
	c.Status = max(o.Status, order.Planned)
	c.Restated = c.Status != o.Status
	c.Seconds = int32((pickup.Way() + pickup.Service() + delivery.Way() + delivery.Service()).Seconds())
	switch {
	case o.DriverID != c.DriverID || c.Restated:
		c.Told = Assigned
	case before[order.Delivery].ETA != delivery.ETA || pickup.OrderID != 0 && before[order.Pickup].ETA != pickup.ETA:
		c.Told = Moved
	}
	return c, c.Told != Nothing || c.Seconds != o.PlannedSeconds
}

// takenOff completes the change of an order that no route has.
func (o *Order) takenOff(c *OrderChange) bool {
	switch {
	case o.DriverID == 0 && o.Status != order.Planned || o.Status.Over() || o.Status.Active() && o.Status > order.Planned:
		return false
	case o.Status == order.Planned:
		c.Told = TakenOff
	}
	c.Seconds = 0
	if o.Status.Active() {
		c.Status = order.Registered
		c.Restated = o.Status != c.Status
	}
	return true
}

// unplanned compares the unplanned orders.
func (d *Day) unplanned(diff *Difference, s Solution) {
	before := map[int64]Unplanned{}
	for _, u := range d.Unplanned {
		before[u.OrderID] = u
	}
	for _, u := range s.Unplanned {
		was, known := before[u.OrderID]
		if !known || !was.same(u) {
			diff.Unplanned = append(diff.Unplanned, u)
		}
		delete(before, u.OrderID)
	}
	for id := range before {
		diff.Replanned = append(diff.Replanned, id)
	}
	slices.Sort(diff.Replanned)
}

// same reports whether two are equal, ignoring how long the search took.
func (u Unplanned) same(as Unplanned) bool {
	longer := as.Searched > 2*u.Searched
	u.Searched, as.Searched, u.Helped, as.Helped = 0, 0, false, false
	return !longer && reflect.DeepEqual(u, as)
}
