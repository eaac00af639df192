package planning

import (
	"cmp"
	"slices"
)

// Twice returns the drivers who are left out of a plan, with those who have
// their vehicle at the same time. A driver who has begun keeps the vehicle,
// else the one who begins first. Drivers who have both begun are both planned,
// because their goods are on board.
func (d *Day) Twice() map[int64]int64 {
	if d.district {
		return d.double
	}
	orders := d.ordersByID()
	begun := map[int64]bool{}
	for i := range d.Routes {
		r := &d.Routes[i]
		begun[r.DriverID] = slices.ContainsFunc(r.Stops, func(s Placed) bool {
			o := orders[s.OrderID]
			return o.stays(s.Kind, r.DriverID) && o.did(s.Kind)
		})
	}
	return d.Overlaps(begun)
}

// Overlaps is Twice with the drivers who have begun as input.
func (d *Day) Overlaps(begun map[int64]bool) map[int64]int64 {
	drivers := make([]*Driver, 0, len(d.Drivers))
	for i := range d.Drivers {
		of := &d.Drivers[i]
		if _, ends := d.Work(of.Hours); of.Vehicle.ID != 0 && (begun[of.ID] || ends.After(d.Now)) {
			drivers = append(drivers, of)
		}
	}
	slices.SortStableFunc(drivers, func(a, b *Driver) int {
		return cmp.Or(compare(begun[b.ID], begun[a.ID]), cmp.Compare(a.Hours.Starts, b.Hours.Starts), cmp.Compare(a.ID, b.ID))
	})
	var out map[int64]int64
	kept := map[int64][]*Driver{}
	for _, of := range drivers {
		has := kept[of.Vehicle.ID]
		at := slices.IndexFunc(has, func(other *Driver) bool { return d.overlap(of, other) })
		if at >= 0 && !begun[of.ID] {
			if out == nil {
				out = map[int64]int64{}
			}
			out[of.ID] = has[at].ID
			continue
		}
		kept[of.Vehicle.ID] = append(has, of)
	}
	return out
}

// overlap reports whether two drivers work at the same time, from now on.
func (d *Day) overlap(a, b *Driver) bool {
	starts, ends := d.Work(a.Hours)
	otherStarts, otherEnds := d.Work(b.Hours)
	return starts.Before(otherEnds) && otherStarts.Before(ends) && otherEnds.After(d.Now)
}
