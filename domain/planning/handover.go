package planning

import (
	"slices"
	"time"

	"waybill/domain/order"
	"waybill/domain/routing"
)

// Handover is the route of one driver that another driver takes over.
type Handover struct {
	From, To int64
	// Orders are those to take over; empty is all of the route.
	Orders []int64
	// StartingAt leaves out orders whose pickup begins before it; zero leaves out none.
	StartingAt time.Time
	// Stops are those of the route.
	Stops []Placed
}

// Stays is an order that does not go over, and why.
type Stays struct {
	OrderID int64
	Why     Why
}

// HandedOver is the result of handing a route over.
type HandedOver struct {
	Plan routing.Plan
	// Moves are the orders that go over, in the sequence of the route.
	Moves []Move
	// Stay are the orders that stay with their driver.
	Stay []Stays
}

// The reasons why no driver can take an order over.
const (
	// StartedAlready is an order that its driver has begun with, or is about to.
	StartedAlready Reason = "BEGUN"
	// NotOnRoute is an order that the driver does not have.
	NotOnRoute Reason = "NOT_ON_ROUTE"
)

// StopsOf returns the stops of a driver's route, or none.
func (d *Day) StopsOf(driver int64) []Placed {
	if route := byDriver(d.Routes)[driver]; route != nil {
		return route.Stops
	}
	return nil
}

// NotStarted returns the day for a driver who has not set out: what they have
// not reported has not happened, regardless of the time.
func (d Day) NotStarted(driver int64) Day {
	d.Routes = slices.DeleteFunc(slices.Clone(d.Routes), func(r Route) bool {
		return r.DriverID == driver && !d.reported(&r)
	})
	return d
}

// reported reports whether a driver has reported anything about the stops of
// their route.
func (d *Day) reported(r *Route) bool {
	orders := d.ordersByID()
	return slices.ContainsFunc(r.Stops, func(s Placed) bool {
		o := orders[s.OrderID]
		return o.stays(s.Kind, r.DriverID) && o.did(s.Kind)
	})
}

// Works reports whether a driver can still be given orders.
func (d *Draft) Works(driver int64) bool { return slices.Contains(d.Drivers, driver) }

// IsClosed reports whether a person holds the route of a driver as it is.
func (d *Draft) IsClosed(driver int64) bool { return d.closed[slices.Index(d.Drivers, driver)] }

// Handed returns the orders of a route that can go to another driver, in their
// sequence, and those that can't. The draft is that of the day without moves.
func (d *Draft) Handed(h Handover) (moves []Move, stay []Stays) {
	begun := d.begunBy(h.From)
	seen := map[int64]bool{}
	for i := range h.Stops {
		id := h.Stops[i].OrderID
		o := d.orders[id]
		if seen[id] || !h.asks(&h.Stops[i]) || o == nil || o.Standing() == Ended {
			continue
		}
		seen[id] = true
		r, known := d.requests[id]
		switch {
		case !known && d.Unplannable[id] != "":
			stay = append(stay, Stays{OrderID: id, Why: d.whyNever(id)})
		case !known || begun[r] || o.Standing() != Open:
			stay = append(stay, Stays{OrderID: id, Why: Why{Code: StartedAlready, Drivers: []int64{h.From}, Count: 1}})
		default:
			moves = append(moves, Move{OrderID: id, DriverID: h.To})
		}
	}
	for _, id := range h.Orders {
		if !seen[id] {
			seen[id] = true
			stay = append(stay, Stays{OrderID: id, Why: Why{Code: NotOnRoute, Drivers: []int64{h.From}, Count: 1}})
		}
	}
	return moves, stay
}

// asks reports whether the order of a stop is to be taken over.
func (h *Handover) asks(s *Placed) bool {
	if len(h.Orders) > 0 && !slices.Contains(h.Orders, s.OrderID) {
		return false
	}
	return h.StartingAt.IsZero() || s.Kind == order.Pickup && !s.Starts.Before(h.StartingAt)
}

// Asked are the moves that a handover requests, possible or not.
func (h *Handover) Asked(moves []Move) []Move {
	all := slices.Clone(moves)
	for _, id := range h.Orders {
		all = append(all, Move{OrderID: id, DriverID: h.To})
	}
	return all
}

// begunBy are the requests that a driver has on board, or is about to pick up.
func (d *Draft) begunBy(driver int64) map[int]bool {
	begun := map[int]bool{}
	if k := slices.Index(d.Drivers, driver); k >= 0 {
		shift := &d.Problem.Shifts[k]
		for _, r := range shift.OnBoard {
			begun[r] = true
		}
		for _, v := range shift.Frozen[:shift.Fixed()] {
			begun[v.Request()] = true
		}
	}
	return begun
}

// HandOver moves the orders of a route to another driver, in the route's
// sequence and at its times if they fit, or else in the best sequence found.
// Orders that do not fit stay. The draft is that of the day Locked with the
// moves and their requirements.
func (d *Draft) HandOver(h Handover, moves []Move, ended func() bool) HandedOver {
	t := taker{d: d, h: h, k: slices.Index(d.Drivers, h.To)}
	t.p = d.Problem
	t.Plan = routing.Repair(&t.p, d.Present)
	t.sort(moves)
	t.place(ended)
	for _, m := range moves {
		if slices.Contains(t.fits, d.requests[m.OrderID]) {
			t.Moves = append(t.Moves, m)
		}
	}
	t.keepRest()
	return t.HandedOver
}

// taker is the driver who takes a route over.
type taker struct {
	HandedOver

	d *Draft
	h Handover
	p routing.Problem
	k int
	// fits are the requests that the driver can have, as far as known.
	fits []int
}

// sort finds the orders that the driver can't have even without other work.
func (t *taker) sort(moves []Move) {
	explainer := routing.NewExplainer(&t.p, t.Plan)
	for _, m := range moves {
		r, known := t.d.requests[m.OrderID]
		if !known {
			t.Stay = append(t.Stay, Stays{OrderID: m.OrderID, Why: t.d.whyNever(m.OrderID)})
			continue
		}
		if refusal := explainer.Refusal(t.k, r); refusal.Alone {
			t.stay(r, refusal)
			continue
		}
		t.fits = append(t.fits, r)
	}
}

// stay notes why a request does not go over.
func (t *taker) stay(r int, refusal routing.Refusal) {
	refusal.Shift, refusal.Code = t.k, t.d.underWay(r, refusal)
	if refusal.Code == routing.LockedInTheWay { // by this handover
		refusal.Code = routing.ShiftFull
	}
	t.Stay = append(t.Stay, Stays{OrderID: t.d.Orders[r], Why: t.d.whyNot(r, refusal)})
}

// How many steps a driver's best sequence is looked for: stepsOfJoining for each order. A step takes time by the square
// of the orders, so that a large route gets effortOfJoining by that square, which takes a quarter of a second, but at
// least leastJoining.
const (
	stepsOfJoining  = 100
	effortOfJoining = 800_000
	leastJoining    = 60
)

// joining looks for the sequence of so many orders of a driver, until it is ended.
func joining(orders int, ended func() bool) routing.Options {
	orders = max(orders, 1)
	steps := max(min(stepsOfJoining*orders, 2*mostSteps, effortOfJoining/(orders*orders)), leastJoining)
	return routing.Options{Seed: 1, Spent: func(iterations int) float64 {
		if ended() {
			return 1
		}
		return float64(iterations) / float64(steps)
	}}
}

// place gives the driver everything that fits.
func (t *taker) place(ended func() bool) {
	route := t.merged()
	alone := routing.Frozen(&t.p)
	alone.Routes[t.k] = route
	holds := !slices.ContainsFunc(routing.Broken(&t.p, alone), func(v routing.Violation) bool { return v.Shift == t.k })
	if holds {
		t.Plan.Routes[t.k] = route
		return
	}
	// The driver's own route holds, and the search only adds to it: begun with a merged one that does not, it
	// would look for a route that holds first, and may find none.
	own := t.Plan.Routes[t.k]
	route, left, err := routing.Join(&t.p, t.k, own, t.fits, joining(len(t.fits)+len(own)/2, ended))
	if err != nil {
		route, left = own, slices.Clone(t.fits)
	}
	t.Plan.Routes[t.k] = route
	explainer := routing.NewExplainer(&t.p, t.Plan)
	for _, r := range left {
		t.stay(r, explainer.Refusal(t.k, r))
	}
	t.fits = slices.DeleteFunc(t.fits, func(r int) bool { return slices.Contains(left, r) })
}

// merged combines the driver's own route and the one to take over, each in its
// sequence, by the plan's times of their stops.
func (t *taker) merged() []routing.Visit {
	route := slices.Clone(t.Plan.Routes[t.k])
	taken := slices.DeleteFunc(t.d.visits(t.h.Stops), func(v routing.Visit) bool {
		return !slices.Contains(t.fits, v.Request())
	})
	starts := t.starts()
	at := len(t.p.Shifts[t.k].Frozen)
	for _, v := range taken {
		for at < len(route) && starts[route[at]] <= starts[v] {
			at++
		}
		route = slices.Insert(route, at, v)
		at++
	}
	return route
}

// starts are the times of the visits of both routes in the present plan.
func (t *taker) starts() map[routing.Visit]int64 {
	starts := map[routing.Visit]int64{}
	for _, s := range slices.Concat(t.h.Stops, t.d.day.StopsOf(t.h.To)) {
		for _, v := range t.d.visits([]Placed{s}) {
			starts[v] = t.d.second(s.Starts)
		}
	}
	return starts
}

// keepRest leaves the other orders on their route, in sequence.
func (t *taker) keepRest() {
	k := slices.Index(t.d.Drivers, t.h.From)
	if k < 0 {
		return
	}
	route := slices.Clone(t.d.Present.Routes[k])
	for _, v := range t.d.visits(t.h.Stops) { // the present plan has nothing for a driver who has not set out
		if !slices.Contains(route, v) && t.d.orders[t.d.Orders[v.Request()]].Standing() == Open {
			route = append(route, v)
		}
	}
	t.Plan.Routes[k] = slices.DeleteFunc(route, func(v routing.Visit) bool { return slices.Contains(t.fits, v.Request()) })
}
