package planning

import (
	"slices"
	"time"

	"waybill/domain/load"
	"waybill/domain/order"
	"waybill/domain/pricing"
	"waybill/domain/routing"
	"waybill/domain/traffic"
)

// Day is the input of planning: the orders of a department and a day, the
// drivers on duty, and the present plan.
type Day struct {
	Clock
	// Now is the earliest moment at which anything can happen.
	Now     time.Time
	Orders  []Order
	Drivers []Driver
	// Nights is the work of the day before that ends on this day.
	Nights []Night
	// Routes and Unplanned are the stored plan, and Version counts its
	// commits; 0 means no plan yet.
	Routes    []Route
	Unplanned []Unplanned
	Version   int64
	// Joined is the version in which an order was added to its route.
	Joined map[int64]int64
	// Searched is how long the present plan was searched for.
	Searched time.Duration
	// LeftOut maps drivers left out of the present plan to those who have their
	// vehicle at the same time.
	LeftOut map[int64]int64
	// Fresh requests a plan that ignores the previous one.
	Fresh bool
	// Loading is how long it takes to load a vehicle where its shift begins, if that is done before the
	// shift; nil if drivers load during it.
	Loading *time.Duration
	// Release is when the plan is released to its drivers, and what that means.
	Release Release
	// GoodsApart are kinds of goods that must not travel together.
	GoodsApart []GoodsApart
	// LoadDimensions are what limits vehicles in addition to weight and volume.
	LoadDimensions load.Dimensions
	// Costs are the prices of plans.
	Costs pricing.Costs
	// RushHours are when driving takes longer than the road data says.
	RushHours []traffic.RushHours
	// ForTwo are the skills that a shift has if two people are on it.
	ForTwo []int64
	// Missed are the orders with an exception because they stay with a driver against
	// a rule.
	Missed []NotedMiss
	// district is true for a part of a large day. For all of it, double is the result of Twice, and beyond are the
	// orders that the plan does not take in.
	district bool
	double   map[int64]int64
	beyond   map[int64]bool
}

// Costs of a plan, in addition to orders left out and shifts used: a second of driving,
// a meter, a second of waiting.
const (
	priceOfSecond  = 100
	priceOfMeter   = 1
	priceOfWaiting = 10
)

// A change of driver costs as much as ten minutes of driving, and four times
// that shortly before the pickup.
const (
	costOfChange = 600
	soonFactor   = 4
	soon         = 2 * time.Hour
)

// mostPenalty is the most that the penalties of a problem may be together.
const mostPenalty = 1 << 60

// priceBits are those of a penalty that are zero, so that sums of the others never
// run over.
const priceBits = 40

// Draft is a day as a problem without travel times yet. Seconds count from the
// beginning of the day, in the organization's zone.
type Draft struct {
	// Points are the places of the problem, and Profiles those of its matrices,
	// both in their order. A profile has a matrix for each pace of its drivers.
	Points   []Point
	Profiles []Profile
	Problem  routing.Problem
	// Present is the present plan, without orders and drivers that the
	// problem no longer has.
	Present routing.Plan
	// Orders are those of the requests, and Drivers those of the shifts.
	Orders, Drivers []int64
	// Unplannable are orders that are not in the problem: no driver can carry
	// them out, or there are too many.
	Unplannable map[int64]Reason

	day Day
	// paces are how many times as long the legs of each matrix take as those of its profile, and step is how fine they
	// are.
	paces []float64
	step  float64
	// places are the places of the problem, by number.
	places map[Point]int
	sites  sites
	// scale is how many units of the problem the currency of the organization has, if plans are priced in it.
	scale float64
	// kinds are the numbers of kinds of goods that must be apart from others.
	kinds map[string]int
	// dimensions are the load dimensions of the problem.
	dimensions load.Dimensions
	ground     *Ground
	orders     map[int64]*Order
	routes     map[int64]*Route // of the present plan, by driver
	// passed is how far the driver of each shift is.
	passed []progress
	// drivers are those of the shifts.
	drivers []*Driver
	// closed are the shifts whose drivers get no other orders than those they have.
	closed   map[int]bool
	requests map[int64]int // by order
	// excess are orders for which the plan has no room.
	excess map[int64]bool
	// LeftOut is the result of Twice for the day.
	LeftOut map[int64]int64
	// Reasons are those found earlier, or nil.
	Reasons *Reasons
	// HoldsBack requests solutions that keep the announced times of stops far ahead.
	HoldsBack bool
	// lost are places that no vehicle reaches, with the nearest road, and fromRoad how many meters
	// each place is from a road.
	lost     map[int]Nearest
	fromRoad []int32
	// Unexplained are the unplanned orders of the last solution whose reasons
	// were not found in time.
	Unexplained map[int64]bool
}

// Draft turns the open orders of the day, and the drivers who can still work,
// into a problem. It leaves out finished work, and keeps work that is under way
// or begins soon as planned.
func (d Day) Draft() *Draft { return d.DraftOn(nil) }

// DraftOn is Draft with the numbers of places on a ground.
func (d Day) DraftOn(ground *Ground) *Draft {
	draft := &Draft{
		ground: ground, Points: ground.places(),
		day: d, places: map[Point]int{}, Unplannable: map[int64]Reason{}, requests: map[int64]int{}, closed: map[int]bool{},
		orders: d.ordersByID(), routes: make(map[int64]*Route, len(d.Routes)), LeftOut: d.Twice(),
		step: coarseness(d.Drivers),
	}
	draft.sites = sitesOf(d.Orders)
	draft.Problem.Setups = draft.sites.setups
	draft.partGoods()
	draft.countLoads()
	draft.price()
	for i := range d.Routes {
		draft.routes[d.Routes[i].DriverID] = &d.Routes[i]
	}
	for i := range d.Drivers {
		if _, out := draft.LeftOut[d.Drivers[i].ID]; !out {
			draft.shift(&d.Drivers[i])
		}
	}
	begun := draft.begun()
	draft.excess = draft.excessOrders(begun)
	for i := range d.Orders {
		draft.join(&d.Orders[i], begun[d.Orders[i].ID])
	}
	draft.sequence()
	draft.lighten()
	draft.evenOut()
	return draft
}

// second converts a time to seconds from the start of the day; times beyond
// all plans are clipped.
func (d *Draft) second(t time.Time) int64 {
	return min(int64(t.Sub(d.day.At(0, 0))/time.Second), routing.MaxTime/2)
}

// moment is the time of a second of the day.
func (d *Draft) moment(second int64) time.Time {
	return d.day.At(0, 0).Add(time.Duration(second) * time.Second).UTC()
}

// place returns the number of a point; without a point it is anywhere.
func (d *Draft) place(p *Point) int {
	if p == nil {
		return routing.Anywhere
	}
	n, known := d.places[*p]
	if known {
		return n
	}
	if n, known = d.ground.number(*p); !known {
		n = len(d.Points)
		d.Points = append(d.Points, *p)
	}
	d.places[*p] = n
	return n
}

// shift adds a driver whose work is not over, with the place and time at
// which they are free.
func (d *Draft) shift(of *Driver) {
	starts, ends := d.day.Work(of.Hours)
	var passed progress
	if route := d.routes[of.ID]; route != nil {
		passed = d.day.progress(route, d.orders)
		passed.site = d.siteOf(&passed)
		if of.breaksByRule() {
			passed.paused = d.hadBreak(of, d.restsOver(route))
		}
	}
	latest := ends.Add(d.overtime())
	if !latest.After(d.day.Now) && !d.day.lasts(&passed, latest) {
		return
	}
	from, free := or(of.Start, of.Vehicle.Home), d.day.freeFrom(of)
	switch {
	case passed.begun:
		starts, from = passed.resumes(starts, d.day.Now), or(d.sites.pointOf(passed.site), or(passed.from, from))
	case !latest.After(free):
		return
	default:
		starts = later(starts, later(d.day.Now, free))
	}
	v := &of.Vehicle
	if route := d.routes[of.ID]; route.hold() != nil && route.Hold.Closed {
		d.closed[len(d.Drivers)] = true
	}
	shift := routing.Shift{
		Profile: d.profile(v.profile(), of.drives(d.step)), From: d.place(from), To: d.place(or(of.End, v.Home)),
		Start: max(d.second(starts), 0), End: d.second(latest), Capacity: v.capacity(),
		Serves: v.serves(), Skills: of.skills(), Break: d.breakOf(of, &passed, starts),
		Site: passed.site, Loading: d.loading(of, &passed), ExtraSetup: int64(v.ExtraSetup / time.Second),
	}
	if shift.Loading.Site > 0 && shift.Site == 0 { // the vehicle stands at the dock
		shift.From = d.place(d.sites.pointOf(shift.Loading.Site))
	}
	shift.Capacity, shift.More = less(shift.Capacity, passed.ballast), d.room(v, passed.ballastLoads)
	shift.MaxMeters = passed.metersLeft(v)
	d.breakOften(&shift, of, &passed, starts)
	d.bound(&shift, of, &passed, ends)
	d.Problem.Shifts = append(d.Problem.Shifts, shift)
	d.Drivers, d.passed, d.drivers = append(d.Drivers, of.ID), append(d.passed, passed), append(d.drivers, of)
}

// less returns the rest of a capacity after a load.
func less(capacity, load routing.Load) routing.Load {
	for i := range capacity {
		capacity[i] = max(capacity[i]-load[i], 0)
	}
	return capacity
}

// metersLeft returns how far a vehicle may still go; 0 is any distance.
func (p *progress) metersLeft(v *Vehicle) int64 {
	if v.MaxRouteKm == nil {
		return 0
	}
	return max(int64(*v.MaxRouteKm*1000)-p.meters(), 1)
}

func (p *progress) meters() (sum int64) {
	for i := range p.over {
		sum += p.over[i].Meters
	}
	return sum + p.detourMeters
}

func or(p, otherwise *Point) *Point {
	if p == nil {
		return otherwise
	}
	return p
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// holding is the progress of an order: its shift, from 1 on, and its finished
// part.
type holding struct {
	shift             int
	pickup, delivered bool
}

// begun returns the progress of orders that a driver has begun or is about to
// begin. Deliveries of drivers who no longer work are over.
func (d *Draft) begun() map[int64]holding {
	held := map[int64]holding{}
	for i := range d.day.Routes {
		r := &d.day.Routes[i]
		if slices.Contains(d.Drivers, r.DriverID) {
			continue
		}
		for _, s := range d.day.progress(r, d.orders).over {
			if s.Kind == order.Delivery {
				held[s.OrderID] = holding{delivered: true}
			}
		}
	}
	for k := range d.passed {
		for _, s := range d.passed[k].over {
			h := held[s.OrderID]
			h.shift, h.pickup = k+1, h.pickup || s.Kind == order.Pickup
			h.delivered = h.delivered || s.Kind == order.Delivery
			held[s.OrderID] = h
		}
		for _, s := range d.passed[k].frozen {
			h := held[s.OrderID]
			h.shift = k + 1
			held[s.OrderID] = h
		}
	}
	return held
}

// join adds the unfinished part of an order to the problem.
func (d *Draft) join(o *Order, held holding) {
	standing := o.Standing()
	if standing == Started && held.shift == 0 {
		held.shift = 1 + slices.Index(d.Drivers, o.DriverID)
		held.pickup, held.delivered = held.shift > 0, o.did(order.Delivery)
	}
	switch {
	case standing != Open && standing != Started, held.delivered:
	case held.shift > 0 && d.whole(o):
		d.request(o, nil, nil)
		if shift := &d.Problem.Shifts[held.shift-1]; held.pickup {
			shift.OnBoard = append(shift.OnBoard, d.requests[o.ID])
		}
	case standing == Open:
		d.open(o)
	case d.kept(o):
	case held.shift > 0:
		d.Unplannable[o.ID] = NoCoordinates
	case o.DriverID == 0:
		d.Unplannable[o.ID] = NoDriver
	default:
		d.Unplannable[o.ID] = BegunElsewhere
	}
}

// kept reports whether the route of a driver who no longer works has an order.
func (d *Draft) kept(o *Order) bool {
	route := d.routes[o.DriverID]
	return route != nil && route.place(o.ID, order.Delivery) >= 0
}

// whole reports whether both places of an order are known. For an order under way
// its route has them.
func (d *Draft) whole(o *Order) bool {
	route := d.routes[o.DriverID]
	for _, kind := range []order.StopKind{order.Pickup, order.Delivery} {
		if stop := o.stop(kind); stop.Point == nil && route != nil {
			if at := route.place(o.ID, kind); at >= 0 {
				stop.Point = &route.Stops[at].Point
			}
		}
	}
	return o.Pickup.Point != nil && o.Delivery.Point != nil
}

// open adds an order that has not begun, or records why no driver can carry it
// out.
func (d *Draft) open(o *Order) {
	var only, never []int
	for k, id := range d.Drivers {
		if id == o.LockedTo {
			only = append(only, k)
		}
		if o.prohibits(d.drivers[k]) || d.closed[k] {
			never = append(never, k)
		}
	}
	reason := o.Impossible(later(d.day.Now, d.day.At(0, 0)), 0)
	switch {
	case reason != "":
	case o.absurd():
		reason = LoadOutOfRange
	case len(d.Drivers) == 0 && len(d.LeftOut) > 0:
		reason = VehicleTwice
	case len(d.Drivers) == 0 && o.NobodyWorks != nil:
		reason = ClosedThatDay
	case len(d.Drivers) == 0:
		reason = NoWorkday
	case o.LockedTo != 0 && len(only) == 0:
		reason = LockedDriverOff
	case d.excess[o.ID]:
		reason = DayTooLarge
	}
	if reason != "" {
		d.Unplannable[o.ID] = reason
		return
	}
	d.request(o, only, never)
}

func (d *Draft) request(o *Order, only, never []int) {
	d.requests[o.ID] = len(d.Orders)
	d.Problem.Requests = append(d.Problem.Requests, routing.Request{
		Pickup: d.stop(o, order.Pickup), Delivery: d.stop(o, order.Delivery), Load: o.Load, VehicleType: int(o.VehicleTypeID),
		Needs: numbers(o.Needs), Refuses: numbers(o.Refuses), Only: only, Never: never,
		Penalty: o.penalty(), Change: d.change(o),
		MaxAboard: int64(o.MaxOnBoard / time.Second), Goods: d.goods(o), More: d.needs(o), Surcharges: d.surcharges(o),
	})
	d.Orders = append(d.Orders, o.ID)
}

// change returns the cost of another driver; it is zero for an order whose
// driver was not announced.
func (d *Draft) change(o *Order) int64 {
	switch {
	case d.day.Fresh || o.DriverID == 0:
		return 0
	case o.Pickup.Window.Earliest.Before(d.day.Now.Add(soon)):
		return max(soonFactor*d.priceOfChange(), d.priceOfRelease())
	}
	return max(d.priceOfChange(), d.priceOfRelease())
}

func (d *Draft) priceOfChange() int64 { return costOfChange * d.Problem.Objective.Second }

func (d *Draft) stop(o *Order, kind order.StopKind) routing.Stop {
	s, site := o.stop(kind), d.sites.of(o.ID, kind)
	opens, closes := max(d.second(s.Window.Earliest), 0), max(d.second(d.deadline(o, kind)), 0)
	return routing.Stop{
		Place: d.place(or(d.sites.pointOf(site), s.Point)), Site: site,
		Opens: opens, Closes: closes, Closed: d.betweenWindows(s, opens, closes),
		LatePrice: d.priceOfLateness(s), Due: d.due(s, closes),
		ServiceSeconds: int64(s.Service / time.Second),
	}
}

// sequence sets the fixed beginning of each shift, and the previous plan.
func (d *Draft) sequence() {
	d.Present.Routes = make([][]routing.Visit, len(d.Drivers))
	d.Problem.Before.Routes = make([][]routing.Visit, len(d.Drivers))
	for k := range d.passed {
		passed := &d.passed[k]
		d.Problem.Shifts[k].Frozen = d.visits(passed.frozen)
		d.Problem.Shifts[k].Held = len(d.visits(passed.frozen[passed.sure:]))
		route := slices.Clone(d.Problem.Shifts[k].Frozen)
		for _, v := range d.visits(passed.rest) {
			if !slices.Contains(route, v) {
				route = append(route, v)
			}
		}
		route = d.owe(k, route)
		if d.Problem.Before.Routes[k] = route; d.day.Fresh {
			route = slices.Concat(d.Problem.Shifts[k].Frozen, d.Problem.Shifts[k].Owed)
		}
		d.Present.Routes[k] = slices.Clone(route)
	}
	d.wish()
}

// owe makes a shift deliver its load and certain pickups, in the order of its
// route. It returns the route with these stops.
func (d *Draft) owe(k int, route []routing.Visit) []routing.Visit {
	shift := &d.Problem.Shifts[k]
	begun := map[int]bool{}
	for _, r := range shift.Begun() {
		begun[r] = true
	}
	for r := range d.Orders {
		if v := routing.DeliveryOf(r); begun[r] && !slices.Contains(route, v) {
			route = append(route, v)
		}
	}
	for _, v := range route[len(shift.Frozen):] {
		if v.Delivers() && begun[v.Request()] {
			shift.Owed = append(shift.Owed, v)
		}
	}
	return route
}

// wish keeps an order with a driver whom a user chose, unless that costs more
// than a change of driver.
func (d *Draft) wish() {
	known := d.Problem.Before.ShiftOf(len(d.Orders))
	for r, id := range d.Orders {
		k := slices.Index(d.Drivers, d.orders[id].DriverID)
		if k >= 0 && known[r] < 0 && d.orders[id].Standing() == Open {
			d.Problem.Before.Routes[k] = append(d.Problem.Before.Routes[k], routing.PickupOf(r), routing.DeliveryOf(r))
		}
	}
}

// visits converts stops to the problem's visits.
func (d *Draft) visits(stops []Placed) []routing.Visit {
	var visits []routing.Visit
	for i := range stops {
		r, known := d.requests[stops[i].OrderID]
		if !known {
			continue
		}
		if stops[i].Kind == order.Delivery {
			visits = append(visits, routing.DeliveryOf(r))
		} else {
			visits = append(visits, routing.PickupOf(r))
		}
	}
	return visits
}

// mostBegun is the most that a vehicle has on board as far as a plan is concerned.
const mostBegun = unlimited / 2

// lighten reduces the load on board where it exceeds every vehicle's capacity: the
// vehicle counts as full, and wrong figures of one order must not invalidate the plan.
func (d *Draft) lighten() {
	for k := range d.Problem.Shifts {
		shift := &d.Problem.Shifts[k]
		begun := shift.Begun()
		for i := range routing.Dimensions {
			sum := int64(0)
			for _, r := range begun {
				sum += int64(d.Problem.Requests[r].Load[i])
			}
			for _, r := range begun {
				if load := &d.Problem.Requests[r].Load[i]; sum > mostBegun {
					*load = min(*load, mostBegun/int32(len(begun)))
				}
			}
		}
		d.lightenMore(begun)
	}
}

// evenOut scales down the weights of all orders, keeping their proportions, where
// their sum would overflow. One order still outweighs many shifts.
func (d *Draft) evenOut() {
	sum := int64(0)
	for r := range d.Problem.Requests {
		sum += d.Problem.Requests[r].Penalty >> priceBits
	}
	shift := 0
	for sum>>shift > mostPenalty>>priceBits {
		shift++
	}
	for r := range d.Problem.Requests {
		d.Problem.Requests[r].Penalty >>= shift
	}
}

func numbers(ids []int64) []int {
	all := make([]int, len(ids))
	for i, id := range ids {
		all[i] = int(id)
	}
	return all
}
