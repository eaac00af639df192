package planning

import (
	"maps"
	"reflect"
	"slices"
	"time"
)

// Around returns of a large day the districts that have some drivers and orders, and so many more nearby, as one day.
func (m *Map) Around(d *Day, drivers, orders []int64, more int) Day {
	all, near := m.Districts(d), map[int]bool{}
	first := -1
	for n := range all {
		if all[n].has(drivers, orders) {
			near[n], first = true, max(first, n)
		}
	}
	if first >= 0 {
		for _, n := range m.nearest(m.centers[first]) {
			if !near[n] && more > 0 {
				near[n], more = true, more-1
			}
		}
	}
	in, of := map[int64]bool{}, map[int64]bool{}
	for n := range near {
		maps.Copy(in, all[n].named())
		maps.Copy(of, all[n].staff())
	}
	return d.only(func(id int64) bool { return of[id] }, func(id int64) bool { return in[id] })
}

// has reports whether any of some drivers or orders are on a day.
func (d *Day) has(drivers, orders []int64) bool {
	staff, named := d.staff(), d.named()
	return slices.ContainsFunc(drivers, func(id int64) bool { return staff[id] }) ||
		slices.ContainsFunc(orders, func(id int64) bool { return named[id] })
}

// named are the orders of a day, and those that it says something about.
func (d *Day) named() map[int64]bool {
	named := d.told()
	for i := range d.Orders {
		named[d.Orders[i].ID] = true
	}
	return named
}

// Waiting counts the open orders of a day that have no route, and of which the plan says nothing yet.
func (d *Day) Waiting() (count int) {
	routed, said := seatsOf(d.Routes), d.told()
	for i := range d.Orders {
		if o := &d.Orders[i]; routed[o.ID] == 0 && !said[o.ID] && o.Standing() == Open {
			count++
		}
	}
	return count
}

// told are the orders of which the plan says why they have no route.
func (d *Day) told() map[int64]bool {
	told := map[int64]bool{}
	for i := range d.Unplanned {
		told[d.Unplanned[i].OrderID] = true
	}
	return told
}

// Like reports whether a plan of one day is as good for the other one: all that planning reads is the same but
// for the time, and for drivers without a route where no order waits for one.
func (d *Day) Like(as *Day) bool { return reflect.DeepEqual(d.regardless(), as.regardless()) }

// regardless is a day without what makes no difference to its plan.
func (d *Day) regardless() Day {
	out := *d
	out.Now, out.Zone, out.Version, out.Searched = time.Time{}, nil, 0, 0
	out.Joined, out.double, out.beyond = nil, nil, nil
	out.Unplanned = slices.Clone(d.Unplanned)
	for i := range out.Unplanned {
		out.Unplanned[i].Searched, out.Unplanned[i].Helped = 0, false
	}
	if routes := byDriver(d.Routes); len(d.Unplanned)+d.Waiting() == 0 {
		out.Drivers = some(d.Drivers, func(of *Driver) bool { return routes[of.ID] != nil })
	}
	return out
}

// staff are the drivers of a day, and those of its routes.
func (d *Day) staff() map[int64]bool {
	staff := map[int64]bool{}
	for i := range d.Drivers {
		staff[d.Drivers[i].ID] = true
	}
	for i := range d.Routes {
		staff[d.Routes[i].DriverID] = true
	}
	return staff
}

// Again returns of a whole day the district that this one is: its drivers with their present routes, and its orders,
// but for those that somebody of another district has got.
func (d *Day) Again(whole *Day) Day {
	if !d.district {
		return *whole
	}
	staff, known, routed := d.staff(), d.named(), seatsOf(whole.Routes)
	orders := whole.ordersByID()
	return whole.only(func(id int64) bool { return staff[id] }, func(id int64) bool {
		if with := routed[id]; with != 0 {
			return staff[with]
		}
		o := orders[id]
		return known[id] && (o == nil || o.DriverID == 0 || staff[o.DriverID])
	})
}
