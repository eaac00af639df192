package planning

import (
	"math"
	"slices"

	"waybill/domain/driver"
	"waybill/domain/routing"
)

// mostPaces is how many factors of driving the drivers of a draft have at most, because each has its own matrix. With
// more, their steps are coarser.
const mostPaces = 12

// coarseness returns in which steps the factors of driving of some drivers are.
func coarseness(drivers []Driver) float64 {
	for step := driver.PaceStep; ; step *= 2 {
		paces := map[float64]bool{}
		for i := range drivers {
			paces[drivers[i].drives(step)] = true
		}
		if len(paces) <= mostPaces {
			return step
		}
	}
}

// drives is how many times as long as others somebody drives, in steps.
func (d *Driver) drives(step float64) float64 {
	factor, _ := d.Pace.Factors()
	if step == driver.PaceStep { // which it is in
		return factor
	}
	return max(math.Round(factor/step)*step, driver.LeastPace)
}

// visitPercent is in how many percent of the usual time somebody makes visits; 0 is all of it.
func (d *Driver) visitPercent() int64 {
	_, factor := d.Pace.Factors()
	if factor == 1 {
		return 0
	}
	return int64(math.Round(factor * 100))
}

// profile returns the number of the matrix for vehicles with a profile whose drivers are at a pace.
func (d *Draft) profile(p Profile, pace float64) int {
	for n := range d.Profiles {
		if d.Profiles[n] == p && d.paces[n] == pace {
			return n
		}
	}
	d.Profiles, d.paces = append(d.Profiles, p), append(d.paces, pace)
	return len(d.Profiles) - 1
}

// SameTravel reports whether the travel times of another draft are those of this one, except for their traffic.
func (d *Draft) SameTravel(as *Draft) bool {
	return slices.Equal(as.Points, d.Points) && slices.Equal(as.Profiles, d.Profiles) && slices.Equal(as.paces, d.paces) &&
		as.Fastest() == d.Fastest()
}

// Hasten makes all travel times as short as the fastest hours of the day, from which the traffic slows them down, and
// as long as the drivers of their profile take. It is called once for new ones.
func (d *Draft) Hasten() {
	least := d.Fastest()
	for i := range d.Problem.Travel {
		factor := least * d.paces[i]
		if factor == 1 {
			continue
		}
		travel := &d.Problem.Travel[i]
		*travel = travel.Own() // others may use it
		for n := range travel.Legs {
			if leg := &travel.Legs[n]; leg.Seconds != routing.Unreachable {
				leg.Seconds = int32(min(math.Round(float64(leg.Seconds)*factor), routing.Unreachable-1))
			}
		}
	}
}
