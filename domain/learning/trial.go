package learning

import (
	"slices"
	"time"

	"waybill/domain/traffic"
)

// Trial is how well the times of legs or visits were predicted on days that nothing was learned from.
type Trial struct {
	// Predicted counts the legs or visits, and Days their days.
	Predicted, Days int
	// Before and After are by how much half of the predictions are off, with what is set at present and with what was
	// learned.
	Before, After time.Duration
}

// held is the share of the days that are predicted, the last ones.
const held = 4

// heldOut splits what happened into that of the first days and that of the last quarter, of so many days. If there are
// too few, these are none.
func heldOut[T any](all []T, day func(*T) time.Time) (earlier, later []T, heldDays int) {
	days := daysOf(all, day)
	last := len(days) / held
	if last == 0 || len(days)-last < fewDays {
		return nil, nil, 0
	}
	first := days[len(days)-last]
	for i := range all {
		if day(&all[i]).Before(first) {
			earlier = append(earlier, all[i])
		} else {
			later = append(later, all[i])
		}
	}
	return earlier, later, last
}

// Try learns from the first days of some legs, and predicts those of the last quarter. It predicts nothing if there are
// too few days.
func Try(legs []Leg, zone *time.Location, present []traffic.RushHours) Trial {
	earlier, later, days := heldOut(legs, func(l *Leg) time.Time { return l.Day })
	later = slices.DeleteFunc(later, func(l Leg) bool { return !l.sound() })
	if len(later) == 0 {
		return Trial{}
	}
	learned := Hours(earlier, zone)
	return Trial{Predicted: len(later), Days: days, Before: miss(later, zone, present), After: miss(later, zone, learned)}
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
	return middle(off)
}

// Improves reports whether a trial is worth a change: predictions are off by at least a twentieth less.
func (t Trial) Improves() bool { return t.Predicted > 0 && 20*t.After <= 19*t.Before }
