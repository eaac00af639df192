package planning

import (
	"cmp"
	"slices"
	"time"

	"waybill/domain/order"
	"waybill/domain/routing"
)

// Candidate is a driver who could take an order over, and at what cost.
type Candidate struct {
	DriverID int64
	// Present is true for the driver who has the order now; then the costs are zero.
	Present bool
	// Driving, Waiting and Meters are how much more the plan costs than now.
	Driving, Waiting time.Duration
	Meters           int64
	// Pickup and Delivery are when service would begin; zero if the driver
	// cannot have the order.
	Pickup, Delivery time.Time
	// Orders is the number of orders on the driver's route with this one.
	Orders int
	// Breaks are the violations that a person would have to accept.
	Breaks []Break
	// Refused is why the driver cannot have the order, or nil.
	Refused *Why
}

// Freed returns the day with one order that any driver may have: it has no lock, and its
// requirements can be violated.
func (d Day) Freed(id int64) Day {
	d.Orders, d.Routes = slices.Clone(d.Orders), d.loosened(func(of int64) bool { return of == id })
	ends := d.At(48*60, 0)
	for i := range d.Orders {
		if o := &d.Orders[i]; o.ID == id {
			*o = o.strict()
			o.LockedTo = 0
			o.Accept(Accepted{Anyhow: true, PickupUntil: ends, DeliveryUntil: ends})
		}
	}
	return d
}

// Rank returns all drivers of the day for an order, those first who could have it at the
// lowest cost of driving, distance and waiting, then those who would violate
// something, the least late first, and last those who cannot have it. The draft
// is that of a day Freed of the order, and as is the day as it is. If no driver
// can take it, the reason says why.
func (d *Draft) Rank(id int64, as *Day) ([]Candidate, RefusalReason, Reason) {
	o := as.ordersByID()[id]
	if o == nil {
		return nil, NotHere, ""
	}
	strict := o.strict()
	m := mover{d: d, p: d.Problem, as: map[int64]*Order{id: &strict}}
	m.p.Requests = slices.Clone(d.Problem.Requests)
	m.Plan = routing.Repair(&m.p, d.Present)
	if len(d.Drivers) == 0 {
		return nil, "", NoWorkday
	}
	_, _, r, reason, why := m.find(Move{OrderID: id, DriverID: d.Drivers[0]})
	if reason != "" && reason != Closed {
		return nil, reason, why
	}
	k := slices.Index(d.Drivers, o.DriverID)
	if k >= 0 && !slices.Contains(m.Plan.Routes[k], routing.DeliveryOf(r)) {
		k = -1
	}
	ranked := ranker{m: m, o: &strict, r: r, present: k}
	ranked.rank()
	return ranked.all, "", ""
}

// ranker asks one driver after the other.
type ranker struct {
	m       mover
	o       *Order
	r       int
	present int
	// without is the plan without the order, and saved what that saves.
	without   routing.Plan
	saved     routing.Cost
	explainer *routing.Explainer
	all       []Candidate
	prices    []int64
}

func (a *ranker) rank() {
	with := a.m.Plan
	a.m.drop(a.r)
	a.without = a.m.Plan
	if a.present >= 0 {
		a.saved = more(
			a.costOf(&a.m.p, a.present, a.without.Routes[a.present]),
			a.costOf(&a.m.p, a.present, with.Routes[a.present]),
		)
	}
	for k := range a.m.d.Drivers {
		if k == a.present {
			a.note(k, &a.m.p, with.Routes[k], nil, routing.Cost{})
			continue
		}
		a.ask(k)
	}
	order := make([]int, len(a.all))
	for n := range order {
		order[n] = n
	}
	slices.SortFunc(order, func(x, y int) int {
		one, other := &a.all[x], &a.all[y]
		return cmp.Or(cmp.Compare(one.rank(), other.rank()), cmp.Compare(one.late(), other.late()),
			cmp.Compare(a.prices[x], a.prices[y]), cmp.Compare(one.DriverID, other.DriverID))
	})
	sorted := make([]Candidate, len(order))
	for n, at := range order {
		sorted[n] = a.all[at]
	}
	a.all = sorted
}

// rank is 0 for a driver who fits, 1 for one who would violate something, and 2
// for one who cannot.
func (c *Candidate) rank() int {
	switch {
	case c.Refused != nil:
		return 2
	case len(c.Breaks) > 0:
		return 1
	}
	return 0
}

// late is by how many seconds the order would be late.
func (c *Candidate) late() (by float64) {
	for _, b := range c.Breaks {
		if b.Code == Late {
			by += b.By
		}
	}
	return by
}

// ask looks for a place in the route of one driver.
func (a *ranker) ask(k int) {
	m := a.m
	m.p.Requests = slices.Clone(a.m.p.Requests)
	m.Rearranged = Rearranged{Plan: a.without.Clone(), Accepted: map[int64]Accepted{}}
	m.p.Requests[a.r].Only = []int{k}
	if !m.insert(a.o, k, a.r) && !m.force(a.o, k, a.r) {
		a.refuse(k)
		return
	}
	was, now := a.without.Routes[k], m.Plan.Routes[k]
	a.note(k, &m.p, now, m.Breaks, sum(more(a.costOf(&m.p, k, now), a.costOf(&a.m.p, k, was)), a.saved))
}

// refuse notes why a driver cannot have the order, however much is accepted.
func (a *ranker) refuse(k int) {
	if a.explainer == nil {
		p := a.m.p
		p.Requests = slices.Clone(a.m.p.Requests)
		p.Requests[a.r].Only = nil
		a.explainer = routing.NewExplainer(&p, a.without)
	}
	refusal := a.explainer.Refusal(k, a.r)
	refusal.Shift, refusal.Code = k, a.m.d.underWay(a.r, refusal)
	why := a.m.d.whyNot(a.r, refusal)
	a.all = append(a.all, Candidate{
		DriverID: a.m.d.Drivers[k], Refused: &why, Orders: delivered(a.without.Routes[k]),
	})
	a.prices = append(a.prices, 0)
}

// note adds a driver who could have the order.
func (a *ranker) note(k int, p *routing.Problem, visits []routing.Visit, breaks []Break, cost routing.Cost) {
	c := Candidate{
		DriverID: a.m.d.Drivers[k], Present: k == a.present, Breaks: breaks, Orders: delivered(visits), Meters: cost.Meters,
		Driving: time.Duration(cost.Driving) * time.Second, Waiting: time.Duration(cost.Waiting) * time.Second,
	}
	for _, at := range p.Timetable(k, visits).Stops {
		switch at.Visit {
		case routing.PickupOf(a.r):
			c.Pickup = a.m.d.moment(at.Starts)
		case routing.DeliveryOf(a.r):
			c.Delivery = a.m.d.moment(at.Starts)
		}
	}
	a.all = append(a.all, c)
	a.prices = append(a.prices, cost.Routes+a.m.p.Requests[a.r].Surcharge(k))
}

// costOf is what one route costs.
func (a *ranker) costOf(p *routing.Problem, k int, visits []routing.Visit) routing.Cost {
	if len(visits) == 0 {
		return routing.Cost{}
	}
	t := p.Timetable(k, visits)
	return routing.Cost{Driving: t.Driving, Waiting: t.Waiting, Meters: t.Meters, Routes: p.PriceOf(k, &t)}
}

func more(cost, than routing.Cost) routing.Cost {
	return routing.Cost{
		Driving: cost.Driving - than.Driving, Waiting: cost.Waiting - than.Waiting, Meters: cost.Meters - than.Meters,
		Routes: cost.Routes - than.Routes,
	}
}

func sum(a, b routing.Cost) routing.Cost {
	return routing.Cost{
		Driving: a.Driving + b.Driving, Waiting: a.Waiting + b.Waiting, Meters: a.Meters + b.Meters,
		Routes: a.Routes + b.Routes,
	}
}

func delivered(visits []routing.Visit) (orders int) {
	for _, v := range visits {
		if v.Delivers() {
			orders++
		}
	}
	return orders
}

// RouteFigures are the key figures of a route.
type RouteFigures struct {
	Orders, Stops int
	// LateStops are those that begin after their own window.
	LateStops        int
	Starts, Ends     time.Time
	Driving, Waiting time.Duration
	Meters           int64
	// Sequence are the stops.
	Sequence []Placed
}

// ChangedRoute is a driver's route before and after a change; nil is none.
type ChangedRoute struct {
	DriverID      int64
	Before, After *RouteFigures
}

// Figures returns the key figures of a route of the day.
func (d *Day) Figures(r *Route) RouteFigures { return figures(r, d.ordersByID()) }

func figures(r *Route, orders map[int64]*Order) RouteFigures {
	f := RouteFigures{
		Orders: r.Orders(), Stops: len(r.Stops), Starts: r.Starts, Ends: r.Ends,
		Driving: r.Driving, Waiting: r.Waiting, Meters: r.Meters, Sequence: r.Stops,
	}
	for i := range r.Stops {
		s := &r.Stops[i]
		o := orders[s.OrderID]
		if o == nil {
			continue
		}
		latest := o.stop(s.Kind).Window.Latest
		if o.Asks != nil {
			if latest = o.Asks.PickupLatest; s.Kind == order.Delivery {
				latest = o.Asks.DeliveryLatest
			}
		}
		if s.Starts.After(latest) {
			f.LateStops++
		}
	}
	return f
}

// Changed returns the routes that have other stops than on this day, or another
// sequence of them, by driver.
func (d *Day) Changed(routes []Route) []ChangedRoute {
	orders, before, after := d.ordersByID(), byDriver(d.Routes), byDriver(routes)
	var all []ChangedRoute
	for _, set := range []map[int64]*Route{before, after} {
		for driver := range set {
			was, is := before[driver], after[driver]
			known := slices.ContainsFunc(all, func(c ChangedRoute) bool { return c.DriverID == driver })
			if known || slices.Equal(was.sequence(), is.sequence()) {
				continue
			}
			c := ChangedRoute{DriverID: driver}
			if was != nil {
				f := figures(was, orders)
				c.Before = &f
			}
			if is != nil && len(is.Stops) > 0 {
				f := figures(is, orders)
				c.After = &f
			}
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b ChangedRoute) int { return cmp.Compare(a.DriverID, b.DriverID) })
	return all
}
