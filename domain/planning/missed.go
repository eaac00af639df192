package planning

import (
	"cmp"
	"slices"
)

// Missed is an order that a driver has begun or is about to begin, although a rule now
// forbids it, because no other driver can take it.
type Missed struct {
	OrderID, DriverID int64
	// Rule is the first that forbids it.
	Rule Reason
}

// NotedMiss is a missed order with an exception. One that is not open was
// dismissed.
type NotedMiss struct {
	Missed

	ID   int64
	Open bool
}

// Missed returns the orders that stay with their drivers against a rule.
func (d *Draft) Missed() (all []Missed) {
	for k := range d.Problem.Shifts {
		driver := d.driver(k)
		for _, r := range d.Problem.Shifts[k].Begun() {
			if rule := d.forbids(d.orders[d.Orders[r]], driver); rule != "" {
				all = append(all, Missed{OrderID: d.Orders[r], DriverID: driver.ID, Rule: rule})
			}
		}
	}
	slices.SortFunc(all, func(a, b Missed) int { return cmp.Compare(a.OrderID, b.OrderID) })
	return all
}

// News compares the missed orders with the existing exceptions: it returns the
// new ones, and the ids of resolved ones.
func (d *Day) News(missed []Missed) (fresh []Missed, over []int64) {
	for _, m := range missed {
		if !slices.ContainsFunc(d.Missed, func(n NotedMiss) bool { return n.Missed == m }) {
			fresh = append(fresh, m)
		}
	}
	for i := range d.Missed {
		if n := &d.Missed[i]; n.Open && !slices.Contains(missed, n.Missed) {
			over = append(over, n.ID)
		}
	}
	return fresh, over
}

// forbids returns the first rule that prohibits a driver from having an order, and says of skills that take two
// people that the driver is alone.
func (d *Draft) forbids(o *Order, of *Driver) Reason {
	rule := o.forbids(of)
	if rule == SkillMissing && !slices.ContainsFunc(o.Needs, func(skill int64) bool {
		return !slices.Contains(of.skills(), int(skill)) && !slices.Contains(d.day.ForTwo, skill)
	}) {
		return NeedsTwoPeople
	}
	return rule
}

// forbids returns the first rule that prohibits a driver from having an order, independent
// of times; empty without one.
func (o *Order) forbids(of *Driver) Reason {
	v, skills := &of.Vehicle, of.skills()
	has := func(skill int64) bool { return slices.Contains(skills, int(skill)) }
	lacks := func(skill int64) bool { return !has(skill) }
	capacity := v.capacity()
	switch {
	case o.LockedTo != 0 && o.LockedTo != of.ID:
		return LockedToAnotherDriver
	case o.prohibits(of):
		return ProhibitedDriver
	case o.VehicleTypeID != 0 && !slices.Contains(v.serves(), int(o.VehicleTypeID)):
		return WrongVehicleType
	case slices.ContainsFunc(o.Needs, lacks):
		return SkillMissing
	case slices.ContainsFunc(o.Refuses, has):
		return SkillProhibited
	case o.Load[0] > capacity[0]:
		return TooHeavy
	case o.Load[1] > capacity[1]:
		return TooLarge
	case o.Load[2] > capacity[2]:
		return TooMany
	case v.exceeds(o):
		return TooMuchOfDimension
	}
	return ""
}
