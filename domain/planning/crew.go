package planning

import (
	"slices"
	"time"

	"waybill/domain/driver"
)

// CoDriver is the second person on a shift.
type CoDriver struct {
	ID     int64
	Skills []int64
	// SharesDriving is true if this person drives in turns with the driver.
	SharesDriving bool
	Preferences   driver.Preferences
	// Hours are those of an own workday on the day, nil without one, and Begun is true for somebody who has begun
	// a route of their own in them.
	Hours *driver.Hours
	Begun bool
	// Worked is what they did on the days before, and Next when they work again, as those of a driver.
	Worked []driver.Worked
	Next   time.Time
}

// Ride is the work of another driver whose co-driver somebody is.
type Ride struct {
	DriverID int64
	Hours    driver.Hours
	// Begun is true for somebody who has begun a route of their own nevertheless.
	Begun bool
}

// Crew makes the crews of the day of what the workdays say. Who rides along while they would work themselves has no
// route of their own; one who has begun a route drives it, and the other driver is alone. A shift of two has the
// skills of both, and those that take two.
func (d *Day) Crew() {
	d.Drivers = slices.DeleteFunc(d.Drivers, func(of Driver) bool {
		return d.RidesAlong(of.Hours, of.Rides)
	})
	for i := range d.Drivers {
		of := &d.Drivers[i]
		if with := of.CoDriver; with != nil && with.Begun && with.Hours != nil && d.meet(of.Hours, *with.Hours) {
			of.CoDriver = nil
		}
		of.join(d.ForTwo)
	}
}

// RidesAlong reports whether somebody with own hours rides along then and has no route. The ride may be nil.
func (c Clock) RidesAlong(own driver.Hours, ride *Ride) bool {
	return ride != nil && !ride.Begun && c.meet(own, ride.Hours)
}

// meet reports whether two workdays of the day are partly at the same time.
func (c Clock) meet(a, b driver.Hours) bool {
	starts, ends := c.Work(a)
	otherStarts, otherEnds := c.Work(b)
	return starts.Before(otherEnds) && otherStarts.Before(ends)
}

// join gives a shift what its co-driver brings. Nobody alone has a skill that takes two, whoever it is.
func (d *Driver) join(forTwo []int64) {
	alone := func(id int64) bool { return !slices.Contains(forTwo, id) }
	if with := d.CoDriver; with != nil {
		d.Skills = union(d.Skills, with.Skills, forTwo)
		d.Preferences = ofBoth(d.Preferences, with.Preferences)
		return
	}
	if len(forTwo) > 0 {
		d.Skills, d.Vehicle.Skills = only(d.Skills, alone), only(d.Vehicle.Skills, alone)
	}
}

// ofBoth are the preferences of two: the customers and locations of both. The territory is the driver's, and that of
// a co-driver who has one, too.
func ofBoth(a, b driver.Preferences) driver.Preferences {
	both := driver.Preferences{
		Customers: union(a.Customers, b.Customers), Locations: union(a.Locations, b.Locations), Territory: a.Territory,
	}
	if len(a.Territory) > 0 {
		both.Territory = slices.Concat(a.Territory, b.Territory)
	}
	return both
}

func union(lists ...[]int64) []int64 {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}

func only(ids []int64, kept func(int64) bool) (some []int64) {
	for _, id := range ids {
		if kept(id) {
			some = append(some, id)
		}
	}
	return some
}

// prohibits reports whether an order must not be with anybody of a shift.
func (o *Order) prohibits(of *Driver) bool {
	return slices.Contains(o.Prohibited, of.ID) || of.CoDriver != nil && slices.Contains(o.Prohibited, of.CoDriver.ID)
}

// inTurns reports whether two drive in turns under a rule for driving time: then one has the breaks while the other
// drives.
func (d *Driver) inTurns() bool {
	return d.Rule != nil && d.Rule.Two != nil && d.CoDriver != nil && d.CoDriver.SharesDriving
}

// breaksByRule reports whether the rule for driving time brings breaks.
func (d *Driver) breaksByRule() bool { return d.Rule != nil && !d.inTurns() }

// crewed writes down who rides along on a route.
func (r *Route) crewed(of *Driver) {
	if of.CoDriver != nil {
		r.CoDriverID, r.SharesDriving = of.CoDriver.ID, of.CoDriver.SharesDriving
	}
}
