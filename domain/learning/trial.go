package learning

import (
	"slices"
	"time"

	"waybill/domain/traffic"
)

// Trial is how well the times of legs were predicted on days that nothing was learned from.
type Trial struct {
	// Legs and Days were predicted.
	Legs, Days int
	// Before and After are by how much half of the predictions are off, with the present rush hours and with learned
	// ones.
	Before, After time.Duration
}

// held is the share of the days that are predicted, the last ones.
const held = 4

// Try learns from the first days of some legs, and predicts those of the last quarter. It predicts nothing if there are
// too few days.
func Try(legs []Leg, zone *time.Location, present []traffic.RushHours) Trial {
	days := Days(legs)
	last := len(days) / held
	if last == 0 || len(days)-last < fewDays {
		return Trial{}
	}
	first := days[len(days)-last]
	var earlier, later []Leg
	for i := range legs {
		switch {
		case legs[i].Day.Before(first):
			earlier = append(earlier, legs[i])
		case legs[i].sound():
			later = append(later, legs[i])
		}
	}
	if len(later) == 0 {
		return Trial{}
	}
	learned := Hours(earlier, zone)
	return Trial{Legs: len(later), Days: last, Before: miss(later, zone, present), After: miss(later, zone, learned)}
}

// miss returns by how much half of the predictions are off.
func miss(legs []Leg, zone *time.Location, hours []traffic.RushHours) time.Duration {
	off := make([]time.Duration, len(legs))
	for i := range legs {
		l := &legs[i]
		predicted := l.Base
		if road := traffic.NewRoad(hours, zone, l.From, l.To); road != nil {
			predicted = road.Takes(l.Base, l.Left)
		}
		off[i] = (l.Took - predicted).Abs()
	}
	slices.Sort(off)
	return off[len(off)/2]
}

// Improves reports whether a trial is worth a change: predictions are off by at least a twentieth less.
func (t Trial) Improves() bool { return t.Legs > 0 && 20*t.After <= 19*t.Before }
