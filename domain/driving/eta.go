package driving

import "time"

// Ahead is a stop of a route as far as it matters for when its driver gets there.
type Ahead struct {
	OrderID   int64
	Latitude  float64
	Longitude float64
	// Arrives, Starts and Leaves are the plan's, Driving and Meters the way there
	// from the stop before.
	Arrives, Starts, Leaves time.Time
	Driving                 time.Duration
	Meters                  int64
	// Break is how long the break lasts that the plan has on the way there, and BreakStarts when it
	// begins; both are zero without one.
	Break       time.Duration
	BreakStarts time.Time
	// Earliest is from when on the stop may be served.
	Earliest time.Time
	Standing StopStanding
}

// Where is a place at which a driver was.
type Where struct {
	Latitude, Longitude float64
	At                  time.Time
}

// ETA is when service begins at a stop that is not over, and how many others the
// driver has before it.
type ETA struct {
	Stop  int // its index in the route
	At    time.Time
	Ahead int
}

// How a way is guessed from where somebody is: streets are longer than the crow
// flies, and without a way that the plan knows, so fast.
const (
	detour      = 1.3
	shortestWay = 300 // metres; what is shorter says nothing of the speed
	longestStay = 2 * time.Hour
)

// ETAs returns when a driver gets to the stops of a route that are not over, in
// their sequence, by the plan's times from where he is. As long as he has said
// nothing of it, there are none: the plan's own hold.
func ETAs(route []Ahead, was *Where, now time.Time) []ETA {
	last, free := lastSeen(route)
	known := last >= 0
	if was != nil && known && was.At.Before(free) {
		was = nil // he has been at a stop since
	}
	if !known && was == nil {
		return nil
	}
	var etas []ETA
	for i := range route {
		s := &route[i]
		if s.Standing.Status.Over() {
			continue
		}
		begins := s.Standing.Arrived
		if s.Standing.Status != StopArrived {
			begins = later(s.reached(route, i, last, free, was), now)
		}
		begins = later(begins, s.Earliest)
		etas = append(etas, ETA{Stop: i, At: begins.Truncate(time.Second), Ahead: len(etas)})
		last, free, was = i, later(begins.Add(s.Leaves.Sub(s.Starts)), now), nil
	}
	return etas
}

// Last returns when a driver was at the stop last; zero when nobody was.
func (s *StopStanding) Last() time.Time { return later(s.Arrived, s.Ended) }

// lastSeen returns the stop that the driver was at last, -1 for none, and when he was
// free there.
func lastSeen(route []Ahead) (last int, free time.Time) {
	last = -1
	for i := range route {
		if at := route[i].Standing.Last(); !at.IsZero() && !at.Before(free) {
			last, free = i, at
		}
	}
	return last, free
}

// pending reports whether nobody has been at the stop yet. The plan's times hold for such a stop only.
func (s *StopStanding) pending() bool { return s.Status == "" || s.Status == StopPending }

// reached returns when the driver gets to stop i, from where he was, or else from the
// stop that he was at last. Between two stops that are to come lies what the plan has
// there. Behind a stop that he was at, it is the drive and the break: the plan does not
// say when he left it. Where the plan has other stops between them, the way is guessed.
func (s *Ahead) reached(route []Ahead, i, last int, free time.Time, was *Where) time.Time {
	if was != nil {
		return was.At.Add(s.guess(was.Latitude, was.Longitude, s.speed()))
	}
	if last >= 0 && last != i-1 {
		return free.Add(s.guess(route[last].Latitude, route[last].Longitude, UsualSpeed))
	}
	if last >= 0 && route[last].Standing.pending() {
		return free.Add(PlannedWay(s.Arrives.Sub(route[last].Leaves), s.Driving))
	}
	there := free.Add(s.Driving)
	if s.Break > 0 {
		there = later(there, s.BreakStarts).Add(s.Break)
	}
	return there
}

// PlannedWay returns how long after one stop a driver gets to the next, where the plan
// has them so long apart: a break may lie between. What is shorter than the drive, or much
// longer, says nothing of a break, and the drive alone counts.
func PlannedWay(apart, drive time.Duration) time.Duration {
	if apart < drive || apart > drive+longestStay {
		return drive
	}
	return apart
}

// UsualSpeed is how fast somebody drives where nothing is known of it, in meters a second.
const UsualSpeed = 8.5

// GuessedWay is how long the way between two places is, in meters, where no plan knows it:
// streets are longer than the crow flies.
func GuessedWay(latitude, longitude, toLatitude, toLongitude float64) float64 {
	return Distance(latitude, longitude, toLatitude, toLongitude) * detour
}

// guess is how long the way from a place takes at a speed.
func (s *Ahead) guess(latitude, longitude, speed float64) time.Duration {
	return time.Duration(GuessedWay(latitude, longitude, s.Latitude, s.Longitude) / speed * float64(time.Second))
}

// speed is that of the plan on the way there.
func (s *Ahead) speed() float64 {
	if s.Meters < shortestWay || s.Driving <= 0 {
		return UsualSpeed
	}
	return float64(s.Meters) / s.Driving.Seconds()
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// TellETA is by how much an ETA must differ from what was told before the world
// hears of it.
const TellETA = 5 * time.Minute
