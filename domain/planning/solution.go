package planning

import (
	"slices"
	"time"

	"waybill/domain/order"
	"waybill/domain/routing"
)

// told is how far an ETA moves before it is announced again.
const told = 5 * time.Minute

// Solution is a plan of a day as stored.
type Solution struct {
	Routes    []Route
	Unplanned []Unplanned
}

// Solution converts a plan of the draft's problem, adding finished work and the
// reasons for unplanned orders. Searched is the length of the search.
func (d *Draft) Solution(plan routing.Plan, searched time.Duration) Solution {
	return Solution{Routes: d.Routes(plan), Unplanned: d.unplanned(plan, searched)}
}

// Routes are those of a solution, by driver.
func (d *Draft) Routes(plan routing.Plan) []Route {
	var routes []Route
	for k, visits := range plan.Routes {
		if route := d.route(k, visits); len(route.Stops) > 0 {
			routes = append(routes, d.calm(k, route, visits))
		}
	}
	routes = append(routes, d.left()...)
	slices.SortFunc(routes, func(a, b Route) int { return int(a.DriverID - b.DriverID) })
	return routes
}

// calm returns the previous route when only its times have changed, and only slightly:
// otherwise each plan of a day on the road would rewrite all routes. Another route gets its costs.
func (d *Draft) calm(k int, r Route, visits []routing.Visit) Route {
	if was := d.routes[r.DriverID]; was != nil && !d.day.Fresh && was.near(&r) && d.pricedAs(k, was) {
		return *was
	}
	r.Costs = d.costs(k, &r, routing.ChargeRoute(&d.Problem, k, visits))
	return r
}

// unplanned returns the orders without a driver and without a place, by id. An
// order with a place waits for the plan that uses it, and one that has not been
// tried with any driver waits for the plan that tries.
func (d *Draft) unplanned(plan routing.Plan, searched time.Duration) []Unplanned {
	var all []Unplanned
	for id, reason := range d.Unplannable {
		u := Unplanned{OrderID: id, State: Unplannable, Certainty: Proven, Reasons: []Why{d.whyNever(id)}}
		if reason == DayTooLarge {
			u.State, u.Certainty = Left, NotFound
		}
		all = append(all, u)
	}
	said := d.said()
	for _, why := range d.why(plan) {
		if why.HasPlace() {
			continue
		}
		u := d.explain(why)
		if before, known := said[u.OrderID]; known && d.Unexplained[u.OrderID] {
			u = before
		} else if u.Certainty == NotFound {
			u.Searched = searched
		}
		if len(u.Reasons) == 0 {
			continue
		}
		all = append(all, u)
	}
	slices.SortFunc(all, func(a, b Unplanned) int { return int(a.OrderID - b.OrderID) })
	return all
}

// said returns the reasons in the present plan.
func (d *Draft) said() map[int64]Unplanned {
	said := make(map[int64]Unplanned, len(d.day.Unplanned))
	for i := range d.day.Unplanned {
		said[d.day.Unplanned[i].OrderID] = d.day.Unplanned[i]
	}
	return said
}

// route is that of one shift, in the times of the world.
func (d *Draft) route(k int, visits []routing.Visit) Route {
	passed, driver := &d.passed[k], d.driver(k)
	r := Route{DriverID: driver.ID, VehicleID: driver.Vehicle.ID, Stops: slices.Clone(passed.over)}
	if len(visits) == 0 && len(r.Stops) == 0 {
		return r
	}
	t := d.Problem.Timetable(k, visits)
	r.Starts, r.Ends = d.moment(t.Leaves), d.moment(t.Ends)
	if t.BreakEnds > 0 {
		r.BreakStarts, r.BreakEnds = d.moment(t.BreakStarts), d.moment(t.BreakEnds)
	}
	if was := d.routes[driver.ID]; was != nil {
		d.goOn(&r, was, passed)
	}
	d.breaks(&r, driver, d.routes[driver.ID], &t)
	travel, from := d.Problem.Travel[d.Problem.Shifts[k].Profile], d.Problem.Shifts[k].From
	site, rests := d.Problem.Shifts[k].Site, t.Breaks
	for _, at := range t.Stops {
		rests, from = before(rests, at.Arrives, from)
		stop, placed := d.placed(at, driver.ID)
		placed.Joined = stop.Site > 0 && stop.Site == site
		leg := travel.Leg(from, stop.Place)
		placed.Driving = time.Duration(int64(leg.Seconds)+at.Slower) * time.Second
		placed.Meters = int64(leg.Meters)
		r.Stops, from, site = append(r.Stops, placed), stop.Place, stop.Site
	}
	_, from = before(rests, t.Ends, from)
	home := travel.Leg(from, d.Problem.Shifts[k].To)
	home.Seconds += int32(t.Slower)
	if len(visits) == 0 && len(passed.over) > 0 {
		r.Ends = d.moment(t.Ends + int64(home.Seconds))
	}
	d.sum(&r, home)
	r.Loads = d.loadsOf(&r, &driver.Vehicle)
	d.remain(&r, driver)
	r.crewed(driver)
	return r
}

// goOn copies the finished beginning of a route.
func (d *Draft) goOn(r *Route, was *Route, passed *progress) {
	if passed.begun {
		r.Starts = was.Starts
	}
	if passed.paused {
		r.BreakStarts, r.BreakEnds = was.BreakStarts, was.BreakEnds
	}
}

func (d *Draft) driver(k int) *Driver {
	return &d.day.Drivers[slices.IndexFunc(d.day.Drivers, func(of Driver) bool { return of.ID == d.Drivers[k] })]
}

// placed is a visit as a stop of a route.
func (d *Draft) placed(at routing.Timed, driver int64) (*routing.Stop, Placed) {
	request := &d.Problem.Requests[at.Visit.Request()]
	stop, kind := &request.Pickup, order.Pickup
	if at.Visit.Delivers() {
		stop, kind = &request.Delivery, order.Delivery
	}
	o := d.orders[d.Orders[at.Visit.Request()]]
	point := *or(o.stop(kind).Point, &d.Points[stop.Place])
	point.Curbside = d.Points[stop.Place].Curbside // another stop of the visit may ask for it
	return stop, Placed{
		OrderID: o.ID, Kind: kind, Point: point, Guessed: o.stop(kind).Guessed,
		Arrives: d.moment(at.Arrives), Starts: d.moment(at.Starts), Leaves: d.moment(at.Leaves),
		Setup: time.Duration(at.Setup) * time.Second,
		Slack: time.Duration(at.Slack) * time.Second, ETA: d.eta(o, kind, driver, d.moment(at.Starts)),
		Late:           o.stop(kind).lateBy(&at, stop),
		MetersFromRoad: d.farFromRoad(stop.Place),
	}
}

// eta returns a stop's announced start of service: it stays until the new one
// differs noticeably, and is not held back.
func (d *Draft) eta(o *Order, kind order.StopKind, driver int64, starts time.Time) time.Time {
	route := d.routes[o.DriverID]
	if route == nil {
		return starts
	}
	for i := range route.Stops {
		s := &route.Stops[i]
		if s.OrderID != o.ID || s.Kind != kind {
			continue
		}
		if starts.Sub(s.ETA).Abs() <= told || d.HoldsBack && o.DriverID == driver && d.day.far(starts, s.ETA) {
			return s.ETA
		}
	}
	return starts
}

// far reports whether a stop is so far ahead that its new time can be held back: while
// orders arrive one after the other, each moves the stops of the others.
func (d *Day) far(starts, eta time.Time) bool {
	from := d.Now.Add(soon)
	return starts.After(from) && eta.After(from)
}

// HoldsBack reports whether a solution has stops with another time than the announced one.
func (d *Day) HoldsBack(s Solution) bool {
	for i := range s.Routes {
		for j := range s.Routes[i].Stops {
			stop := &s.Routes[i].Stops[j]
			if stop.Starts.Sub(stop.ETA).Abs() > told && d.far(stop.Starts, stop.ETA) {
				return true
			}
		}
	}
	return false
}

// sum adds up the way, the waiting and the load of a route.
func (d *Draft) sum(r *Route, home routing.Leg) {
	r.Driving, r.Meters = time.Duration(home.Seconds)*time.Second, int64(home.Meters)
	busy := r.resting()
	for i := range r.Breaks {
		r.Driving, r.Meters = r.Driving+r.Breaks[i].Place.Driving(), r.Meters+r.Breaks[i].Place.Meters
	}
	var load, most [routing.Dimensions]int64
	for i := range r.Stops {
		s := &r.Stops[i]
		r.Driving, r.Meters, busy = r.Driving+s.Driving, r.Meters+s.Meters, busy+s.Setup+s.Service()
		for of, amount := range d.orders[s.OrderID].Load {
			if s.Kind == order.Delivery {
				amount = -amount
			}
			load[of] += int64(amount)
			most[of] = max(most[of], load[of])
		}
	}
	r.WeightKg, r.VolumeM3 = float64(most[0])/gramsOrLitres, float64(most[1])/gramsOrLitres
	r.Waiting = max(r.Ends.Sub(r.Starts)-r.Driving-busy, 0)
}

// left returns the routes of drivers who no longer work, with the parts that they
// carried out.
func (d *Draft) left() []Route {
	var routes []Route
	for i := range d.day.Routes {
		r := d.day.Routes[i]
		if slices.Contains(d.Drivers, r.DriverID) {
			continue
		}
		r.Stops = slices.DeleteFunc(slices.Clone(r.Stops), func(s Placed) bool {
			_, again := d.requests[s.OrderID]
			_, never := d.Unplannable[s.OrderID]
			return again || never || !d.orders[s.OrderID].stays(s.Kind, r.DriverID)
		})
		if len(r.Stops) > 0 {
			routes = append(routes, r)
		}
	}
	return routes
}

// Carry translates the plan of another draft, as far as this one has its orders
// and drivers, with the frozen stops of this one first.
func (d *Draft) Carry(from *Draft, plan routing.Plan) routing.Plan {
	carried := routing.Frozen(&d.Problem)
	placed := map[routing.Visit]bool{}
	for _, route := range carried.Routes {
		for _, v := range route {
			placed[v] = true
		}
	}
	for k, driver := range from.Drivers {
		here := slices.Index(d.Drivers, driver)
		if here < 0 || k >= len(plan.Routes) {
			continue
		}
		for _, v := range plan.Routes[k] {
			r, known := d.requests[from.Orders[v.Request()]]
			if !known {
				continue
			}
			to := routing.PickupOf(r)
			if v.Delivers() {
				to = routing.DeliveryOf(r)
			}
			if !placed[to] {
				placed[to], carried.Routes[here] = true, append(carried.Routes[here], to)
			}
		}
	}
	return carried
}

// Fresh counts the orders that the present plan has neither planned nor left
// unplanned, except those that were searched for before and are only waiting
// for their reasons.
func (d *Draft) Fresh() int {
	known := map[int64]bool{}
	for r, k := range d.Present.ShiftOf(len(d.Orders)) {
		known[d.Orders[r]] = k >= 0
	}
	for i := range d.day.Unplanned {
		known[d.day.Unplanned[i].OrderID] = true
	}
	fresh := 0
	for _, id := range d.Orders {
		if !known[id] && !d.Reasons.waits(id) {
			fresh++
		}
	}
	return fresh
}
