package planning

import (
	"slices"
	"time"

	"waybill/domain/order"
	"waybill/domain/routing"
)

// Postpone moves the times of an order by some days, on the clock of a zone.
func (o *Order) Postpone(days int, zone *time.Location) {
	for _, stop := range []*Stop{&o.Pickup, &o.Delivery} {
		whole := order.Span{Earliest: stop.Window.Earliest, Latest: stop.Window.Latest}.Later(days, zone)
		stop.Window.Earliest, stop.Window.Latest = whole.Earliest, whole.Latest
		windows := slices.Clone(stop.Windows)
		for i, w := range windows {
			windows[i] = w.Later(days, zone)
		}
		stop.Windows = windows
	}
}

// Visited returns the day with orders of other days, as if they were of this one. None of them has a driver.
func (d Day) Visited(by []Order) Day {
	d.Orders = append(slices.Clone(d.Orders), by...)
	return d
}

// Today is the date on which the clock of the day is now, at midnight UTC.
func (d *Day) Today() time.Time {
	year, month, day := d.Now.In(d.Zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// SeveralDays counts the open orders that may be carried out on another day as well.
func (d *Day) SeveralDays() (orders int) {
	for i := range d.Orders {
		o := &d.Orders[i]
		if o.Days != nil && !o.Days.Fixed && o.Standing() == Open && o.LockedTo == 0 {
			orders++
		}
	}
	return orders
}

// Held reports whether a person holds a stop of an order where it is.
func (d *Day) Held(id int64) bool {
	return slices.ContainsFunc(d.Routes, func(r Route) bool {
		return r.Hold != nil && slices.ContainsFunc(r.Stops, func(s Placed) bool { return s.OrderID == id }) &&
			(r.Hold.Closed || slices.ContainsFunc(r.Hold.Stops, func(s StopRef) bool { return s.OrderID == id }))
	})
}

// Trial says what a plan costs without an order, or with one more. Prices are those of the search; Minute is that of a
// minute of driving.
type Trial struct {
	draft *Draft
	plan  routing.Plan
	price int64
}

// Trial begins to try orders in the present plan of a draft.
func (d *Draft) Trial() *Trial {
	t := &Trial{draft: d, plan: routing.Repair(&d.Problem, d.Present)}
	t.price = t.priceOf(t.plan)
	return t
}

// priceOf is what a plan costs, without what it leaves out: that is not the price of a place.
func (t *Trial) priceOf(plan routing.Plan) int64 {
	c := routing.Price(&t.draft.Problem, plan)
	return c.Total - c.Unplanned
}

// Minute is the price of a minute of driving.
func (t *Trial) Minute() int64 { return 60 * t.draft.Problem.Objective.Second }

// Saves returns how much less the plan costs without an order; false if it does not have it.
func (t *Trial) Saves(id int64) (price int64, planned bool) {
	plan, planned := t.without(id)
	if !planned {
		return 0, false
	}
	return t.price - t.priceOf(plan), true
}

// Costs returns how much more the plan costs with an order at its cheapest place; false if there is none.
func (t *Trial) Costs(id int64) (price int64, fits bool) {
	plan, fits := t.with(id)
	if !fits {
		return 0, false
	}
	return t.priceOf(plan) - t.price, true
}

// Take gives an order its cheapest place, so that the next one is tried in the plan with it.
func (t *Trial) Take(id int64) {
	if plan, fits := t.with(id); fits {
		t.plan, t.price = plan, t.priceOf(plan)
	}
}

// Give takes an order out of its place, so that the next one is tried in the plan without it.
func (t *Trial) Give(id int64) {
	if plan, planned := t.without(id); planned {
		t.plan, t.price = plan, t.priceOf(plan)
	}
}

// with is the plan with an order at its cheapest place; false if there is none.
func (t *Trial) with(id int64) (plan routing.Plan, fits bool) {
	r, known := t.draft.requests[id]
	if !known || len(t.draft.Drivers) == 0 {
		return plan, false
	}
	return routing.Insert(&t.draft.Problem, t.plan, r)
}

// without is the plan without an order; false if it does not have it.
func (t *Trial) without(id int64) (plan routing.Plan, planned bool) {
	r, known := t.draft.requests[id]
	if !known || t.plan.ShiftOf(len(t.draft.Problem.Requests))[r] < 0 {
		return plan, false
	}
	return planWithout(t.plan, r), true
}
