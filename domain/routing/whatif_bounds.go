package routing

import "slices"

// Bounds are how far counterfactuals of a request may go. Nil is none.
type Bounds struct {
	// Pickup and Delivery are by how many seconds the windows may close later at most.
	Pickup, Delivery int64
	// Ends are by how many seconds each shift may end later at most.
	Ends []int64
	// Driving is how many seconds each shift may drive at most. A shift that drives longer
	// as it is may keep its route.
	Driving []int64
	// ExtraLasts and ExtraDriving are how many seconds an extra shift may last and drive.
	ExtraLasts, ExtraDriving int64
	// ExtraFrom and ExtraUntil are between when an extra shift may work at other hours than
	// those of the problem. It has no break then, and lasts at most ExtraUnpaused.
	ExtraFrom, ExtraUntil, ExtraUnpaused int64
}

// closes returns by how much a window may close later.
func (b *Bounds) closes(end Change) int64 {
	switch {
	case b == nil:
		return farthest
	case end == PickupCloses:
		return min(b.Pickup, farthest)
	}
	return min(b.Delivery, farthest)
}

// ends returns by how much a shift may end later.
func (b *Bounds) ends(k int) int64 {
	if b == nil {
		return farthest
	}
	return min(b.Ends[k], farthest)
}

// exceeded reports whether a change makes a shift drive longer than it may.
func (b *Bounds) exceeded(was Plan, what *WhatIf) bool {
	if b == nil {
		return false
	}
	for k, visits := range what.Plan.Routes {
		if k >= len(b.Driving) || slices.Equal(visits, was.Routes[k]) {
			continue
		}
		if what.Problem.Timetable(k, visits).Driving > b.Driving[k] {
			return true
		}
	}
	return false
}
