// Package learning learns how long driving and visits take from how long they took.
package learning

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"waybill/domain/freight"
	"waybill/domain/traffic"
)

// Leg is a leg as somebody drove it, without breaks.
type Leg struct {
	// Day is the day of the plan, DriverID who drove.
	Day      time.Time
	DriverID int64
	From, To freight.Place
	// Left is when the driver set off, Base how long driving takes by the road data, and Took how long it took.
	Left       time.Time
	Base, Took time.Duration
}

// The bounds of what is learned from: shorter legs are mostly parking, and legs that took so much longer than the road
// data says had something else in them, such as a break that nobody reported.
const (
	shortest  = time.Minute
	mostRatio = 5
	addition  = 10 * time.Minute
	leastPart = 0.3
)

// sound reports whether a leg says something about traffic.
func (l *Leg) sound() bool {
	return l.Base >= shortest && l.Took <= mostRatio*l.Base+addition && l.Took >= time.Duration(leastPart*float64(l.Base))
}

// ratio is how many times as long as by the road data the leg took.
func (l *Leg) ratio() float64 { return float64(l.Took) / float64(l.Base) }

// Days returns on how many days something happened.
func Days[T any](all []T, day func(*T) time.Time) int { return len(daysOf(all, day)) }

func daysOf[T any](all []T, day func(*T) time.Time) []time.Time {
	days := map[time.Time]bool{}
	for i := range all {
		days[day(&all[i])] = true
	}
	return slices.SortedFunc(maps.Keys(days), time.Time.Compare)
}

// How much there must be for a factor: legs and days of an hour, and of hours that have too little themselves.
const (
	fewLegs  = 15
	fewDays  = 4
	manyLegs = 40
)

// step is how fine factors are, and differs how much the one of an area must differ from that elsewhere.
const (
	step    = 0.05
	differs = 0.1
)

// sample are ratios of legs, with how long the legs are by the road data.
type sample struct {
	ratios []float64
	weigh  []float64
	days   map[time.Time]bool
}

func (s *sample) add(l *Leg) {
	if s.days == nil {
		s.days = map[time.Time]bool{}
	}
	s.ratios, s.weigh = append(s.ratios, l.ratio()), append(s.weigh, l.Base.Seconds())
	s.days[l.Day] = true
}

// suffices reports whether a sample has so many legs, of enough days.
func (s *sample) suffices(legs int) bool {
	return s != nil && len(s.ratios) >= legs && len(s.days) >= fewDays
}

// median returns the ratio below which half of the driving is.
func (s *sample) median() float64 {
	order := make([]int, len(s.ratios))
	total := 0.0
	for i := range order {
		order[i] = i
		total += s.weigh[i]
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(s.ratios[a], s.ratios[b]) })
	sum := 0.0
	for _, i := range order {
		if sum += s.weigh[i]; sum >= total/2 {
			return s.ratios[i]
		}
	}
	return 1
}

// factor returns the median within the bounds of rush hours, as fine as they are.
func (s *sample) factor() float64 {
	bounded := min(max(s.median(), traffic.LeastFactor), traffic.MostFactor)
	return math.Round(math.Round(bounded/step)*step*100) / 100
}
