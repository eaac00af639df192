package planning

import (
	"time"

	"waybill/domain/routing"
)

// Release is when the plan of a day is released to its drivers, and how much a change must save after that.
type Release struct {
	// Minute is the minute of the day at which it is released, DaysBefore days before its own; below
	// zero, only people release it.
	Minute, DaysBefore int
	// Threshold is how much driving a change of a released plan saves at least.
	Threshold time.Duration
	// At is when it was released; zero before that.
	At time.Time
}

// Released reports whether the plan was released.
func (r *Release) Released() bool { return !r.At.IsZero() }

// priceOfRelease is what a change of a released plan must save.
func (d *Draft) priceOfRelease() int64 {
	if !d.day.Release.Released() {
		return 0
	}
	return int64(d.day.Release.Threshold/time.Second) * d.Problem.Objective.Second
}

// Releases returns when the plan of the day is released by itself; zero is never, or that it was.
func (d *Day) Releases() time.Time {
	if d.Release.Released() || d.Release.Minute < 0 {
		return time.Time{}
	}
	return ReleaseMoment(d.Date, d.Zone, d.Release.Minute, d.Release.DaysBefore)
}

// ReleaseMoment is when the plan of a day is released, at a minute so many days before.
func ReleaseMoment(day time.Time, zone *time.Location, minute, daysBefore int) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day()-daysBefore, 0, minute, 0, 0, zone).UTC()
}

// Keeps reports whether the draft keeps the routes that were released, except where a change saves
// enough. A plan from scratch keeps nothing.
func (d *Draft) Keeps() bool { return d.day.Release.Released() && !d.day.Fresh }

// Worthwhile returns a plan that was found, but kept where a change of it does not save enough.
func (d *Draft) Worthwhile(kept, found routing.Plan) routing.Plan {
	return routing.Worthwhile(&d.Problem, kept, found, d.priceOfRelease())
}

// ReleasedPlace is where a plan has an order: with a driver, and when its stops begin. A driver of 0 is that the
// plan does not have it, and a time of zero that the route does not have the stop.
type ReleasedPlace struct {
	DriverID         int64
	Pickup, Delivery time.Time
}

// ReleasedChange is what became of an order since its plan was released.
type ReleasedChange string

// The changes.
const (
	ReleasedAsIs         ReleasedChange = "NONE"
	ReleasedOtherTimes   ReleasedChange = "OTHER_TIMES"
	ReleasedOtherDriver  ReleasedChange = "OTHER_DRIVER"
	ReleasedAndRemoved   ReleasedChange = "REMOVED"
	AddedSinceTheRelease ReleasedChange = "ADDED"
)

// ChangeSinceRelease compares the place of an order in a released plan with its present one. Times are others
// when they differ as much as those of an ETA that is announced again.
func ChangeSinceRelease(was, is ReleasedPlace) ReleasedChange {
	switch {
	case was.DriverID == 0:
		return AddedSinceTheRelease
	case is.DriverID == 0:
		return ReleasedAndRemoved
	case was.DriverID != is.DriverID:
		return ReleasedOtherDriver
	case was.Pickup.Sub(is.Pickup).Abs() > told || was.Delivery.Sub(is.Delivery).Abs() > told:
		return ReleasedOtherTimes
	}
	return ReleasedAsIs
}
