package planning

import (
	"slices"
	"time"
)

// Night is work of the day before that ends on the day of a plan: that of a driver with a vehicle,
// which is 0 for a driver without one.
type Night struct {
	DriverID, VehicleID int64
	// Ends is the end of the shift, or that of the route if it lasts longer.
	Ends time.Time
}

// freeFrom returns when the night before is over for a driver and for the vehicle; zero without one.
func (d *Day) freeFrom(of *Driver) (free time.Time) {
	for i := range d.Nights {
		n := &d.Nights[i]
		if n.DriverID == of.ID || n.VehicleID != 0 && n.VehicleID == of.Vehicle.ID {
			free = later(free, n.Ends)
		}
	}
	return free
}

// outBefore reports whether the vehicle is out in the night before until the work of a driver begins, so that
// nobody loads it before that.
func (d *Day) outBefore(of *Driver) bool {
	starts, _ := d.Work(of.Hours)
	return slices.ContainsFunc(d.Nights, func(n Night) bool {
		return n.VehicleID != 0 && n.VehicleID == of.Vehicle.ID && !n.Ends.Before(starts)
	})
}

// nightOver returns when the first night ends that keeps a driver from beginning; otherwise when.
// The route of that night may last longer or shorter than it was planned.
func (d *Day) nightOver(otherwise time.Time) time.Time {
	for i := range d.Drivers {
		of := &d.Drivers[i]
		starts, _ := d.Work(of.Hours)
		free := d.freeFrom(of)
		if free.After(starts) && free.After(d.Now) && free.Before(otherwise) {
			otherwise = free
		}
	}
	return otherwise
}
