package planning

import (
	"slices"

	"waybill/domain/routing"
)

// Offered returns the day on which all drivers but one may have some orders, locked or not, while
// the other orders stay with their drivers.
func (d Day) Offered(from int64, ids []int64) Day {
	d = d.Unlocked(ids)
	for i := range d.Orders {
		switch o := &d.Orders[i]; {
		case slices.Contains(ids, o.ID):
			o.Prohibited = append(slices.Clone(o.Prohibited), from)
		case o.LockedTo == 0:
			o.LockedTo = o.DriverID
		}
	}
	return d
}

// Requests returns the requests of orders, as far as they are to be planned.
func (d *Draft) Requests(ids []int64) (all []int) {
	for _, id := range ids {
		if r, known := d.requests[id]; known {
			all = append(all, r)
		}
	}
	return all
}

// Spread returns who gets which of the orders of a route in a plan for the draft of the day
// Offered with them, in the sequence of the route. Orders that nobody has in the plan
// stay, each with the reason that most drivers have.
func (d *Draft) Spread(h Handover, moves []Move, plan routing.Plan) HandedOver {
	found := HandedOver{Plan: routing.Plan{Routes: slices.Clone(plan.Routes)}}
	shifts, whys := plan.ShiftOf(len(d.Orders)), d.leftBy(plan, h.From)
	stays := map[int]bool{}
	for _, m := range moves {
		r, known := d.requests[m.OrderID]
		if known && shifts[r] >= 0 {
			found.Moves = append(found.Moves, Move{OrderID: m.OrderID, DriverID: d.Drivers[shifts[r]]})
			continue
		}
		if known {
			stays[r] = true
		}
		why, told := whys[m.OrderID]
		if !told {
			why = Why{Code: FleetFull, Count: len(d.Drivers)}
		}
		found.Stay = append(found.Stay, Stays{OrderID: m.OrderID, Why: why})
	}
	if k := slices.Index(d.Drivers, h.From); k >= 0 {
		rest := slices.Clone(found.Plan.Routes[k])
		for _, v := range d.visits(h.Stops) {
			if stays[v.Request()] {
				rest = append(rest, v)
			}
		}
		found.Plan.Routes[k] = rest
	}
	return found
}

// leftBy returns the most frequent reason, by order, why no driver but one has the orders that a
// plan leaves out.
func (d *Draft) leftBy(plan routing.Plan, but int64) map[int64]Why {
	whys := map[int64]Why{}
	for _, u := range d.unplanned(plan, 0) {
		for _, why := range u.Reasons {
			if why.Code == ProhibitedDriver { // which he is on the day Offered
				others := slices.Clone(why.Drivers)
				why.Drivers = slices.DeleteFunc(others, func(id int64) bool { return id == but })
				why.Count--
			}
			if why.Code == ProhibitedDriver && why.Count == 0 {
				continue
			}
			if best, known := whys[u.OrderID]; !known || why.Count > best.Count {
				whys[u.OrderID] = why
			}
		}
	}
	return whys
}
