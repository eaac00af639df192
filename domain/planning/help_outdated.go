package planning

import (
	"maps"
	"slices"
	"time"

	"waybill/domain/routing"
)

// Helps are the counterfactuals of one order.
type Helps struct {
	Changes []Help
	// Drivers are those whose routes prove it: each change gives them other
	// work.
	Drivers []int64
	// Until is when the first of them has to do something else, and the proof ends; zero
	// is never.
	Until time.Time
}

// shortestProof is how long a proof counts at least, so that counterfactuals
// are not recomputed constantly.
const shortestProof = 5 * time.Minute

// prove records which routes a change alters, and when the first of them does.
func (h *Helper) prove(helps *Helps, what *routing.WhatIf) {
	d := h.draft
	for k, visits := range what.Plan.Routes {
		until := what.From
		if k < len(d.Drivers) {
			was := d.Present.Routes[k]
			if slices.Equal(was, visits) {
				continue
			}
			if !slices.Contains(helps.Drivers, d.Drivers[k]) {
				helps.Drivers = append(helps.Drivers, d.Drivers[k])
			}
			until = leaves(what.Problem, k, visits, parting(was, visits))
		}
		ends := later(d.moment(until), d.day.Now.Add(shortestProof))
		if helps.Until.IsZero() || ends.Before(helps.Until) {
			helps.Until = ends
		}
	}
}

// parting returns the first place at which two sequences differ.
func parting(a, b []routing.Visit) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// leaves returns when a shift leaves for its visit n.
func leaves(p *routing.Problem, k int, visits []routing.Visit, n int) int64 {
	t := p.Timetable(k, visits)
	if n == 0 || n > len(t.Stops) {
		return t.Leaves
	}
	return t.Stops[n-1].Leaves
}

// Outdated selects the helps that no longer hold after routes have changed.
type Outdated struct {
	// Every is set when all are outdated.
	Every bool
	// Drivers are those whose routes changed: proofs based on these routes are
	// invalid.
	Drivers []int64
	// Orders are those that may fit a route with more capacity than before, so
	// that they have other counterfactuals.
	Orders []int64
}

// None reports whether all counterfactuals still hold.
func (o *Outdated) None() bool { return !o.Every && len(o.Drivers)+len(o.Orders) == 0 }

// Has reports whether the helps of an order no longer hold.
func (o *Outdated) Has(id int64, helps *Helps) bool {
	return o.Every || slices.Contains(o.Orders, id) ||
		slices.ContainsFunc(helps.Drivers, func(driver int64) bool { return slices.Contains(o.Drivers, driver) })
}

// Outdated returns which counterfactuals no longer hold once the routes and
// unplanned orders of one plan are replaced by another's. An order that is no
// longer unplanned outdates all, because each counts how many orders it would
// serve.
func (d *Draft) Outdated(was, is Solution) Outdated {
	left := make(map[int64]bool, len(is.Unplanned))
	for i := range is.Unplanned {
		left[is.Unplanned[i].OrderID] = true
	}
	gone := func(u Unplanned) bool { return !left[u.OrderID] }
	if slices.ContainsFunc(was.Unplanned, gone) {
		return Outdated{Every: true}
	}
	changed, freed := compared(was.Routes, is.Routes)
	out := Outdated{Drivers: slices.Sorted(maps.Keys(changed))}
	for i := range is.Unplanned {
		if id := is.Unplanned[i].OrderID; d.couldBe(id, freed) {
			out.Orders = append(out.Orders, id)
		}
	}
	return out
}

// StillHelps returns the counterfactuals that still hold on the present day:
// the orders are unchanged and still unplanned, and neither their proofs nor
// their choice has changed.
func (d *Draft) StillHelps(helps map[int64]Helps, now *Day) map[int64]Helps {
	out := d.Outdated(Solution{Routes: d.day.Routes, Unplanned: d.day.Unplanned},
		Solution{Routes: now.Routes, Unplanned: now.Unplanned})
	orders, left, still := now.ordersByID(), map[int64]bool{}, map[int64]Helps{}
	for i := range now.Unplanned {
		left[now.Unplanned[i].OrderID] = true
	}
	for id, help := range helps {
		was, is := d.orders[id], orders[id]
		same := was == is || was != nil && is != nil && was.asks(is)
		if same && left[id] && !out.Has(id, &help) {
			still[id] = help
		}
	}
	return still
}

// couldBe reports whether any of some drivers may have an order.
func (d *Draft) couldBe(id int64, drivers map[int64]bool) bool {
	r, known := d.requests[id]
	if !known {
		return false
	}
	for k, driver := range d.Drivers {
		if drivers[driver] && d.Problem.Allows(k, r) {
			return true
		}
	}
	return false
}

// compared returns the drivers whose routes differ, and those of them with more
// capacity than before: they lost a stop, take another way, or end earlier than
// announced.
func compared(was, is []Route) (changed, freed map[int64]bool) {
	changed, freed = map[int64]bool{}, map[int64]bool{}
	before, after := byDriver(was), byDriver(is)
	for driver, route := range before {
		now := after[driver]
		switch {
		case now == nil:
			changed[driver], freed[driver] = true, true
		case !route.follow(now):
			changed[driver] = true
			freed[driver] = !within(route.sequence(), now.sequence()) || now.Ends.Before(route.Ends.Add(-told))
		}
	}
	for driver := range after {
		if before[driver] == nil {
			changed[driver] = true
		}
	}
	maps.DeleteFunc(freed, func(_ int64, more bool) bool { return !more })
	return changed, freed
}

// follow reports whether two routes are the same but for how far the driver is.
func (r *Route) follow(as *Route) bool { return r.same(as) && slices.Equal(r.Stops, as.Stops) }

// within reports whether a sequence has all of another one, in its order.
func within(part, all []stopKey) bool {
	n := 0
	for _, key := range all {
		if n < len(part) && part[n] == key {
			n++
		}
	}
	return n == len(part)
}
