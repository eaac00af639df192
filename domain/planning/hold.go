package planning

import (
	"slices"

	"waybill/domain/order"
	"waybill/domain/routing"
)

// StopRef names a stop of an order.
type StopRef struct {
	OrderID int64
	Kind    order.StopKind
}

// Hold is a sequence that a person holds until it is released. Its stops come right behind
// those that the driver has begun, in this order, however late they are.
type Hold struct {
	Stops []StopRef
	// Closed gives the driver no other orders than those of the stops.
	Closed bool
}

func (h *Hold) equal(other *Hold) bool {
	if h == nil || other == nil {
		return h == other
	}
	return h.Closed == other.Closed && slices.Equal(h.Stops, other.Stops)
}

// hold returns the hold of a route, if there are both.
func (r *Route) hold() *Hold {
	if r == nil {
		return nil
	}
	return r.Hold
}

// holds reports whether a person holds a stop of the route.
func (r *Route) holds(s *Placed) bool {
	return r.Hold != nil && slices.Contains(r.Hold.Stops, StopRef{s.OrderID, s.Kind})
}

// lastHeld returns the last open stop that a person holds, or -1.
func (p *progress) lastHeld(r *Route) int {
	for i := len(p.rest) - 1; i >= 0; i-- {
		if r.holds(&p.rest[i]) {
			return i
		}
	}
	return -1
}

// loosened returns the routes, in which nobody holds some orders.
func (d *Day) loosened(of func(id int64) bool) []Route {
	routes := slices.Clone(d.Routes)
	for i := range routes {
		r := &routes[i]
		if r.Hold == nil || !slices.ContainsFunc(r.Hold.Stops, func(s StopRef) bool { return of(s.OrderID) }) {
			continue
		}
		hold := *r.Hold
		hold.Stops = slices.DeleteFunc(slices.Clone(hold.Stops), func(s StopRef) bool { return of(s.OrderID) })
		r.Hold = &hold
	}
	return routes
}

// Holding returns the day on which a driver's route has another hold; nil is none. The
// held stops come first among those that are open.
func (d Day) Holding(driver int64, hold *Hold) Day {
	d.Routes = slices.Clone(d.Routes)
	for i := range d.Routes {
		if r := &d.Routes[i]; r.DriverID == driver {
			r.Hold = hold
			d.resort(r)
		}
	}
	return d
}

// resort puts the held stops of a route in front of its other open stops.
func (d *Day) resort(r *Route) {
	if r.Hold == nil {
		return
	}
	var held []Placed
	for _, s := range r.Hold.Stops {
		if at := r.place(s.OrderID, s.Kind); at >= 0 {
			held = append(held, r.Stops[at])
		}
	}
	first := slices.IndexFunc(r.Stops, func(s Placed) bool { return r.holds(&s) })
	if first < 0 {
		return
	}
	orders := d.ordersByID()
	passed := d.progress(&Route{
		DriverID: r.DriverID, VehicleID: r.VehicleID, Starts: r.Starts, Ends: r.Ends, BreakStarts: r.BreakStarts,
		BreakEnds: r.BreakEnds, Breaks: r.Breaks, Stops: r.Stops, Heading: r.Heading, Seen: r.Seen, Ended: r.Ended,
	}, orders)
	fixed := map[StopRef]bool{}
	for _, s := range slices.Concat(passed.over, passed.frozen) {
		fixed[StopRef{s.OrderID, s.Kind}] = true
	}
	var begun, rest []Placed
	for _, s := range r.Stops {
		switch {
		case fixed[StopRef{s.OrderID, s.Kind}]:
			begun = append(begun, s)
		case !r.holds(&s):
			rest = append(rest, s)
		}
	}
	held = slices.DeleteFunc(held, func(s Placed) bool { return fixed[StopRef{s.OrderID, s.Kind}] })
	r.Stops = slices.Concat(begun, held, rest)
}

// SameHold reports whether a driver's route is held in the same way on another day.
func (d *Day) SameHold(as *Day, driver int64) bool {
	return byDriver(d.Routes)[driver].hold().equal(byDriver(as.Routes)[driver].hold())
}

// HoldRefusal is why a sequence cannot be held, and which order it is about.
type HoldRefusal struct {
	OrderID int64
	Reason  RefusalReason
}

// The reasons why a sequence cannot be held, besides those of moves.
const (
	// NotOnThisRoute is a stop that the driver does not have.
	NotOnThisRoute RefusalReason = "NOT_ON_ROUTE"
	// PickupMissing is a delivery before the pickup of its order.
	PickupMissing RefusalReason = "PICKUP_MISSING"
	// Twice is a stop that is named twice.
	Twice RefusalReason = "TWICE"
	// TooMuch is a pickup for which the vehicle has no room.
	TooMuch RefusalReason = "TOO_MUCH"
)

// OpenStops returns the stops of a driver's route that can be put into another sequence, in
// the present one. The draft is that of a day without a hold for the driver.
func (d *Draft) OpenStops(driver int64) []StopRef {
	k := slices.Index(d.Drivers, driver)
	if k < 0 {
		return nil
	}
	var open []StopRef
	for _, v := range d.Present.Routes[k][len(d.Problem.Shifts[k].Frozen):] {
		open = append(open, d.ref(v))
	}
	return open
}

func (d *Draft) ref(v routing.Visit) StopRef {
	kind := order.Pickup
	if v.Delivers() {
		kind = order.Delivery
	}
	return StopRef{d.Orders[v.Request()], kind}
}

// CheckHold returns why stops of a driver cannot be held in a sequence, or nil. Lateness is
// no reason. The draft is that of a day without a hold for the driver.
func (d *Draft) CheckHold(driver int64, stops []StopRef) *HoldRefusal {
	k := slices.Index(d.Drivers, driver)
	open, seen := d.OpenStops(driver), map[StopRef]bool{}
	for _, s := range stops {
		pickup := StopRef{s.OrderID, order.Pickup}
		switch {
		case seen[s]:
			return &HoldRefusal{s.OrderID, Twice}
		case !slices.Contains(open, s):
			return &HoldRefusal{s.OrderID, d.notOpen(k, s)}
		case s.Kind == order.Delivery && slices.Contains(open, pickup) && !seen[pickup]:
			return &HoldRefusal{s.OrderID, PickupMissing}
		}
		seen[s] = true
	}
	p := d.Problem
	route := slices.Clone(p.Shifts[k].Frozen)
	for _, s := range stops {
		route = append(route, d.visits([]Placed{{OrderID: s.OrderID, Kind: s.Kind}})...)
	}
	plan := routing.Frozen(&p)
	plan.Routes[k] = route
	for _, v := range routing.Check(&p, plan) {
		if (v.Code == routing.Overloaded || v.Code == routing.MoreOverloaded) && v.Shift == k {
			return &HoldRefusal{d.Orders[v.Request], TooMuch}
		}
	}
	return nil
}

// notOpen is why a stop cannot be put into a sequence.
func (d *Draft) notOpen(k int, s StopRef) RefusalReason {
	route := d.routes[d.Drivers[k]]
	if route != nil && route.place(s.OrderID, s.Kind) >= 0 {
		return Begun
	}
	return NotOnThisRoute
}

// HeldLate returns by how much the orders that a driver's hold names are late in a plan.
func (d *Draft) HeldLate(driver int64, plan routing.Plan) (breaks []Break) {
	k, route := slices.Index(d.Drivers, driver), d.routes[driver]
	held := func(id int64) bool {
		return slices.ContainsFunc(route.Hold.Stops, func(s StopRef) bool { return s.OrderID == id })
	}
	for _, v := range routing.Check(&d.Problem, plan) {
		if v.Shift == k && v.Code == routing.Late && held(d.Orders[v.Request]) {
			breaks = append(breaks, Break{OrderID: d.Orders[v.Request], DriverID: driver, Code: Late, By: float64(v.By)})
		}
	}
	return breaks
}

// Settle returns the plan of a day on which a driver's sequence is held. The other orders
// of the driver follow in the best sequence that is found; those that do not fit any more
// are left.
func (d *Draft) Settle(driver int64, ended func() bool) (plan routing.Plan, left []int64) {
	k := slices.Index(d.Drivers, driver)
	plan = routing.Repair(&d.Problem, d.Present)
	var rest []int
	for _, v := range d.Present.Routes[k][len(d.Problem.Shifts[k].Frozen):] {
		if v.Delivers() {
			rest = append(rest, v.Request())
		}
	}
	route, out, err := routing.Join(&d.Problem, k, plan.Routes[k], rest, joining(len(rest), ended))
	if err != nil {
		route, out = plan.Routes[k], nil
	}
	plan.Routes[k] = route
	for _, r := range out {
		left = append(left, d.Orders[r])
	}
	return plan, left
}
