package driving

import (
	"time"

	"waybill/domain/order"
)

// Watch is a driver's day on the road at one moment, as seen by its monitoring
// workflow.
type Watch struct {
	Now time.Time
	// Ended is when the driver ended the route, zero while they drive; Until is
	// when the day is over in any case.
	Ended, Until time.Time
	// Heard is when the driver last reported anything.
	Heard time.Time
	// BreakStarts and BreakEnds are the planned break, zero without one.
	BreakStarts, BreakEnds time.Time
	Stops                  []Watched
	// Silent is set while an exception reports the driver as silent. Excused is
	// the time of the driver's last report when that exception was dismissed,
	// or zero.
	Silent  bool
	Excused time.Time
	// Notice is how long before service begins the approach is announced.
	Notice time.Duration
	// Simulated marks a simulated day with its own pace: a stop is near at the
	// latest when it is the next one, no driver is silent, and none is late
	// unless Troubled is set.
	Simulated, Troubled bool
}

// Watched is a stop of a route.
type Watched struct {
	OrderID  int64
	Stop     order.StopKind
	Standing StopStanding
	// ETA is when service begins, as far as known or else by the plan, and
	// Service its duration.
	ETA     time.Time
	Service time.Duration
	// Latest is how late service may begin.
	Latest time.Time
	// Told is set once the driver's approach is announced.
	Told bool
	// Late is set while an exception reports the stop as late, and Excused once
	// it was dismissed.
	Late, Excused bool
}

// Seen is what to do at the moment of a watch. Stops are named by their index in
// the route.
type Seen struct {
	// Near are the stops for which to announce that the driver is near.
	Near []int
	// Late are stops that will be late, and InTime those that no longer will
	// be.
	Late, InTime []int
	// Silent is set when the driver becomes silent, and Heard when they report
	// again.
	Silent, Heard bool
	// Over is true once the day is.
	Over bool
	// Next is the next stop, or -1; Done counts the stops before it.
	Next, Done int
	// Wake is when to check again if nothing happens.
	Wake time.Time
}

// DayState is the state of a driver's day on the road.
type DayState string

// The states.
const (
	// DayUnderWay goes as planned.
	DayUnderWay DayState = "UNDER_WAY"
	// DayLate has stops that will be late.
	DayLate DayState = "LATE"
	// DaySilent means that the driver has stopped reporting.
	DaySilent DayState = "SILENT"
	// DayOver is over.
	DayOver DayState = "OVER"
)

// How a day is watched.
const (
	// SilentAfter is how long a driver can go without a report before an
	// exception is raised.
	SilentAfter = 20 * time.Minute
	// LateBy is how late a stop must be before an exception is raised; it ends
	// once the stop will be on time again.
	LateBy = 5 * time.Minute
	// lookEvery is the longest time between looks: ETAs move a little without
	// news.
	lookEvery = 5 * time.Minute
	// lookSoon is the longest time between looks while a stop is about to be near:
	// its ETA may differ from the announced one by up to TellETA.
	lookSoon = time.Minute
)

// Look returns what to do now, and when to check again.
func (w *Watch) Look() Seen {
	seen := Seen{Next: -1, Wake: w.Now.Add(lookEvery)}
	if w.over() {
		seen.Over, seen.Heard = true, w.Silent
	}
	for i := range w.Stops {
		w.stop(i, &seen)
	}
	if !seen.Over && !w.Simulated {
		w.listen(&seen)
		seen.sooner(w.Until)
	}
	return seen
}

// Begins returns when service begins at a stop of the route; it is never in the
// past for a stop that the driver has not reached.
func (w *Watch) Begins(stop int) time.Time {
	s := &w.Stops[stop]
	if s.Standing.Status == StopArrived {
		return s.ETA
	}
	return later(s.ETA, w.Now)
}

// stop checks one stop.
func (w *Watch) stop(i int, seen *Seen) {
	s := &w.Stops[i]
	over := s.Standing.Status.Over()
	if over {
		seen.Done++
	} else if seen.Next < 0 && !seen.Over {
		seen.Next = i
	}
	if w.Simulated {
		soon := seen.Next == i || !w.Begins(i).After(w.Now.Add(w.Notice))
		if soon && !over && !seen.Over && !s.Told && s.Standing.Status != StopArrived {
			seen.Near = append(seen.Near, i)
		}
		if w.Troubled {
			w.late(i, over, seen)
		}
		return
	}
	w.late(i, over, seen)
	begins := w.Begins(i)
	if over || seen.Over || s.Told || s.Standing.Status == StopArrived {
		return
	}
	near := begins.Add(-w.Notice)
	if !near.After(w.Now) {
		seen.Near = append(seen.Near, i)
		return
	}
	seen.sooner(later(near.Add(-TellETA), w.Now.Add(lookSoon)))
	seen.sooner(later(near, w.Now.Add(time.Second)))
}

// late determines whether a stop will be late, or no longer will be.
func (w *Watch) late(i int, over bool, seen *Seen) {
	s, begins := &w.Stops[i], w.Begins(i)
	switch {
	case s.Late && (over || !begins.After(s.Latest)):
		seen.InTime = append(seen.InTime, i)
	case !over && !seen.Over && !s.Late && !s.Excused && begins.After(s.Latest.Add(LateBy)):
		seen.Late = append(seen.Late, i)
	}
}

// listen determines whether the driver has become silent or reports again. A
// driver without open stops, at a stop or on a break is not expected to report.
func (w *Watch) listen(seen *Seen) {
	if seen.Next < 0 {
		seen.Heard = w.Silent
		return
	}
	silent := w.expected(seen.Next).Add(SilentAfter)
	switch {
	case silent.After(w.Now):
		seen.Heard = w.Silent
		seen.sooner(silent)
	case !w.Silent && w.Heard.After(w.Excused):
		seen.Silent = true
	}
}

// expected returns when the driver was expected to report last, on the way to a stop or at it.
func (w *Watch) expected(next int) time.Time {
	expected := w.Heard
	if s := &w.Stops[next]; s.Standing.Status == StopArrived {
		expected = later(expected, s.Standing.Arrived.Add(s.Service))
	}
	if !w.BreakStarts.IsZero() && !w.Now.Before(w.BreakStarts) && w.Heard.Before(w.BreakEnds) {
		expected = later(expected, w.BreakEnds)
	}
	return expected
}

// over reports whether the day is over.
func (w *Watch) over() bool {
	return !w.Ended.IsZero() || !w.Now.Before(w.Until) && !w.Simulated
}

// next returns the next stop, or -1.
func (w *Watch) next() int {
	for i := range w.Stops {
		if !w.Stops[i].Standing.Status.Over() {
			return i
		}
	}
	return -1
}

func (s *Seen) sooner(at time.Time) {
	if at.Before(s.Wake) {
		s.Wake = at
	}
}
