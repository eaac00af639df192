package planning

import (
	"slices"
	"time"

	"waybill/domain/order"
)

// DayState is what the plan of a day needs next.
type DayState string

// The states.
const (
	// DayPlanned has a plan, which was good or was improved.
	DayPlanned DayState = "PLANNED"
	// DayEmpty has nothing to plan.
	DayEmpty DayState = "EMPTY"
	// DayNotYet is too far ahead.
	DayNotYet DayState = "NOT_YET"
	// DayOver is over.
	DayOver DayState = "OVER"
	// DayBehindImport waits until a bulk import is done.
	DayBehindImport DayState = "BEHIND_IMPORT"
)

// Over reports whether all work of the day has ended.
func (d *Day) Over() bool {
	return !d.ends().After(d.Now)
}

// ends returns when all work of the day has ended.
func (d *Day) ends() time.Time {
	ends := d.At(24*60, 0)
	orders := d.ordersByID()
	for i := range d.Drivers {
		_, over := d.Work(d.Drivers[i].Hours)
		ends = later(ends, over)
		at := slices.IndexFunc(d.Routes, func(r Route) bool { return r.DriverID == d.Drivers[i].ID })
		if at < 0 || !over.Add(overtime).After(ends) {
			continue
		}
		if passed := d.progress(&d.Routes[at], orders); passed.goesOn() {
			ends = over.Add(overtime)
		}
	}
	return ends
}

// Wake returns when to plan again even if nothing happens: when the first window
// of an unplanned order closes, when a night before is over, and when the day is over.
func (d *Day) Wake(s Solution) time.Time {
	wake := d.nightOver(d.ends())
	left := map[int64]bool{}
	for i := range s.Unplanned {
		left[s.Unplanned[i].OrderID] = true
	}
	for i := range d.Orders {
		o := &d.Orders[i]
		if closes := o.Pickup.closes().Add(time.Second); left[o.ID] && closes.After(d.Now) && closes.Before(wake) {
			wake = closes
		}
	}
	return wake.UTC()
}

// Orders counts the orders that a route delivers.
func (r *Route) Orders() int {
	n := 0
	for i := range r.Stops {
		if r.Stops[i].Kind == order.Delivery {
			n++
		}
	}
	return n
}
