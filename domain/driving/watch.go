package driving

import (
	"time"

	"waybill/domain/order"
)

// Watch is a driver's day on the road at one moment, for whoever watches over it.
type Watch struct {
	Now time.Time
	// Ended is when the driver ended the route, zero as long as he is on it; Until
	// is when the day is over whatever he says.
	Ended, Until time.Time
	// Heard is when anything was heard of the driver last.
	Heard time.Time
	// BreakStarts and BreakEnds are those of the plan, zero without one.
	BreakStarts, BreakEnds time.Time
	Stops                  []Watched
	// Silent holds while an exception says that nothing is heard of him. Excused is
	// when he had been heard of last as somebody dismissed that; zero for never.
	Silent  bool
	Excused time.Time
	// Notice is how long before a stop begins the world is told of it.
	Notice time.Duration
	// Simulated holds on a day that drives by itself at a pace of its own: a stop is near
	// at the latest when it is the next one, nobody is silent, and nobody is late unless
	// Troubled holds.
	Simulated, Troubled bool
}

// Watched is a stop of a route.
type Watched struct {
	OrderID  int64
	Stop     order.StopKind
	Standing StopStanding
	// ETA is when service begins, as far as that is known or else by the plan, and
	// Service how long it takes.
	ETA     time.Time
	Service time.Duration
	// Latest is how late service may begin.
	Latest time.Time
	// Told holds once the world was told that the driver is near.
	Told bool
	// Late holds while an exception says so, and Excused once somebody has dismissed
	// that.
	Late, Excused bool
}

// Seen is what there is to do at the moment of a watch. Stops are named by their
// index in the route.
type Seen struct {
	// Near are stops of which the world is to be told that their driver is near.
	Near []int
	// Late are stops that will be late, and InTime those that will not any more.
	Late, InTime []int
	// Silent and Heard hold when nothing is heard of the driver from now on, or
	// something again.
	Silent, Heard bool
	// Over holds when the day is.
	Over bool
	// Next is the stop that comes next, -1 for none; Done counts those behind him.
	Next, Done int
	// Wake is when to look again if nothing happens.
	Wake time.Time
}

// DayState says how a driver's day on the road stands.
type DayState string

// The states.
const (
	// DayUnderWay goes as it should.
	DayUnderWay DayState = "UNDER_WAY"
	// DayLate has stops that will be late.
	DayLate DayState = "LATE"
	// DaySilent is of a driver of whom nothing is heard.
	DaySilent DayState = "SILENT"
	// DayOver is over.
	DayOver DayState = "OVER"
)

// How a day is watched.
const (
	// SilentAfter is for how long nothing is heard of a driver before the office
	// hears of it.
	SilentAfter = 20 * time.Minute
	// LateBy is how late a stop must be before anybody is told; once it will be in
	// time again, it is not late any more.
	LateBy = 5 * time.Minute
	// lookEvery is how long nobody looks at most: ETAs move a little without news.
	lookEvery = 5 * time.Minute
	// lookSoon is how long nobody looks while a stop is about to be near: its ETA may
	// be up to TellETA another one than the world has heard.
	lookSoon = time.Minute
)

// Look says what there is to do now, and when to look again.
func (w *Watch) Look() Seen {
	seen := Seen{Next: -1, Wake: w.Now.Add(lookEvery)}
	if !w.Ended.IsZero() || !w.Now.Before(w.Until) && !w.Simulated {
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

// Begins returns when service begins at a stop of the route; nobody begins in the
// past who is not there.
func (w *Watch) Begins(stop int) time.Time {
	s := &w.Stops[stop]
	if s.Standing.Status == StopArrived {
		return s.ETA
	}
	return later(s.ETA, w.Now)
}

// stop looks at one stop.
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

// late finds out whether a stop will be late, or will not any more.
func (w *Watch) late(i int, over bool, seen *Seen) {
	s, begins := &w.Stops[i], w.Begins(i)
	switch {
	case s.Late && (over || !begins.After(s.Latest)):
		seen.InTime = append(seen.InTime, i)
	case !over && !seen.Over && !s.Late && !s.Excused && begins.After(s.Latest.Add(LateBy)):
		seen.Late = append(seen.Late, i)
	}
}

// listen finds out whether anything is heard of the driver. Nobody expects to hear of
// one who has no stop left, serves one, or has his break.
func (w *Watch) listen(seen *Seen) {
	if seen.Next < 0 {
		seen.Heard = w.Silent
		return
	}
	expected := w.Heard
	if s := &w.Stops[seen.Next]; s.Standing.Status == StopArrived {
		expected = later(expected, s.Standing.Arrived.Add(s.Service))
	}
	if !w.BreakStarts.IsZero() && !w.Now.Before(w.BreakStarts) && w.Heard.Before(w.BreakEnds) {
		expected = later(expected, w.BreakEnds)
	}
	silent := expected.Add(SilentAfter)
	switch {
	case silent.After(w.Now):
		seen.Heard = w.Silent
		seen.sooner(silent)
	case !w.Silent && w.Heard.After(w.Excused):
		seen.Silent = true
	}
}

func (s *Seen) sooner(at time.Time) {
	if at.Before(s.Wake) {
		s.Wake = at
	}
}
