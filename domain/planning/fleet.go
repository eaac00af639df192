package planning

import (
	"math"
	"slices"
	"time"

	"waybill/domain/driver"
	"waybill/domain/load"
	"waybill/domain/order"
	"waybill/domain/pricing"
	"waybill/domain/routing"
)

// Vehicle is a driver's vehicle. A nil limit means unlimited.
type Vehicle struct {
	// ID is 0 for a driver without a vehicle, who can carry nothing.
	ID, TypeID int64
	// AlsoServes are the other types whose orders it may carry.
	AlsoServes               []int64
	Profile                  Profile
	MaxWeightKg, MaxVolumeM3 *float64
	MaxRouteKm               *float64
	// MaxLoads are its limits in the load dimensions of the organization.
	MaxLoads load.Amounts
	Skills   []int64
	Home     *Point
	// ExtraSetup is how much longer it takes to set up at each visit than the place says.
	ExtraSetup time.Duration
	// Costs are its prices, where they differ from those of the organization.
	Costs pricing.OfVehicle
}

// Driver is a driver who works on the day, with the vehicle of that day.
type Driver struct {
	ID      int64
	Skills  []int64
	Vehicle Vehicle
	Hours   driver.Hours
	// Pace is how much longer than others the driver takes.
	Pace driver.Pace
	// Limits are those of the shift: the narrowest of all that apply.
	Limits driver.Limits
	// Rule is that for driving time, nil without one, and Worked what the driver did on the days before, as
	// far as the rule needs it.
	Rule   *driver.DrivingRule
	Worked []driver.Worked
	// Preferences are whom the driver should serve, and where.
	Preferences driver.Preferences
	// Next is when the workday on the next day begins; zero when the driver is off then.
	Next time.Time
	// CoDriver rides along, nil without anybody, and Rides is the work of another driver with whom this one rides,
	// nil without it.
	CoDriver *CoDriver
	Rides    *Ride
	// Start and End are where the day begins and ends; nil means the
	// vehicle's home, or without one the first or last stop.
	Start, End *Point
	// BreakPlaces are where the locations of breaks are, by their ids.
	BreakPlaces map[int64]*Point
}

// Clock turns clock times of a day into moments, in the zone of an organization.
type Clock struct {
	Date time.Time
	Zone *time.Location
}

// At returns the moment of a clock time. One before from is on the next day.
func (c Clock) At(clock, from order.Clock) time.Time {
	year, month, day := c.Date.Date()
	if clock < from {
		day++
	}
	return time.Date(year, month, day, 0, int(clock), 0, 0, c.Zone)
}

// Work returns when work starts and ends, by the clock on the wall. Hours inside the gap of a clock
// change move with it: they are as long as ever, only later.
func (c Clock) Work(h driver.Hours) (starts, ends time.Time) {
	starts, ends = c.At(h.Starts, 0), c.At(h.Ends, h.Starts)
	if !starts.Before(ends) {
		ends = starts.Add(h.Length())
	}
	return starts, ends
}

// Break returns the earliest and latest start of a break; both are zero
// without one.
func (c Clock) Break(h driver.Hours) (earliest, latest time.Time) {
	if h.Break.Minutes == 0 {
		return time.Time{}, time.Time{}
	}
	return c.breakOf(h, h.Break)
}

// breakOf returns the earliest and latest start of one of the breaks.
func (c Clock) breakOf(h driver.Hours, b driver.Break) (earliest, latest time.Time) {
	over := c.At(b.Latest, h.Starts)
	return c.At(b.Earliest, h.Starts), over.Add(-time.Duration(b.Minutes) * time.Minute)
}

// profile returns the vehicle's profile, or a car's without a vehicle.
func (v *Vehicle) profile() Profile {
	if v.Profile == "" {
		return Car
	}
	return v.Profile
}

// serves returns the types of vehicle that it can serve.
func (v *Vehicle) serves() []int {
	types := []int{int(v.TypeID)}
	for _, id := range v.AlsoServes {
		types = append(types, int(id))
	}
	return types
}

// capacity are the limits of a vehicle, which has none for colli.
func (v *Vehicle) capacity() routing.Load {
	return routing.Load{limit(v.MaxWeightKg), limit(v.MaxVolumeM3), unlimited}
}

// limit counts in grams or litres, rounded down.
func limit(v *float64) int32 {
	if v == nil {
		return unlimited
	}
	return int32(min(math.Floor(*v*1000+1e-6), unlimited))
}

// skills are those of the people and of the vehicle.
func (d *Driver) skills() []int {
	var all []int
	for _, id := range slices.Concat(d.Skills, d.Vehicle.Skills) {
		all = append(all, int(id))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
