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
	usualSpeed  = 8.5 // metres a second
	shortestWay = 300 // metres; what is shorter says nothing of the speed
	longestStay = 2 * time.Hour
)

// ETAs returns when a driver gets to the stops of a route that are not over, in
// their sequence, by the plan's times from where he is. As long as he has said
// nothing of it, there are none: the plan's own hold.
func ETAs(route []Ahead, was *Where, now time.Time) []ETA {
	free, leaves, known := lastSeen(route)
	if was != nil && known && was.At.Before(free) {
		was = nil // he has been at a stop since
	}
	if !known && was == nil {
		return nil
	}
	var etas []ETA
	for i := range route {
		s := &route[i]
		if s.Standing.over() {
			continue
		}
		begins := s.Standing.Arrived
		if s.Standing.Status != StopArrived {
			begins = later(s.reached(free, leaves, was), now)
		}
		begins = later(begins, s.Earliest)
		etas = append(etas, ETA{Stop: i, At: begins.Truncate(time.Second), Ahead: len(etas)})
		free, leaves, was = later(begins.Add(s.Leaves.Sub(s.Starts)), now), s.Leaves, nil
	}
	return etas
}

func (s *StopStanding) over() bool { return s.Status == StopCompleted || s.Status == StopFailed }

// lastSeen returns when the driver was free at the stop that he was at last, and
// when he was to leave it by the plan.
func lastSeen(route []Ahead) (free, leaves time.Time, known bool) {
	for i := range route {
		s := &route[i]
		at := later(s.Standing.Arrived, s.Standing.Ended)
		if !at.IsZero() && !at.Before(free) {
			free, leaves, known = at, s.Leaves, true
		}
	}
	return free, leaves, known
}

// reached returns when the driver gets to a stop, from where he was, or else from
// the stop before. Between two stops lies what the plan has there, be it a break.
func (s *Ahead) reached(free, leaves time.Time, was *Where) time.Time {
	if was != nil {
		way := Distance(was.Latitude, was.Longitude, s.Latitude, s.Longitude) * detour
		return was.At.Add(time.Duration(way / s.speed() * float64(time.Second)))
	}
	way := s.Arrives.Sub(leaves)
	if way < s.Driving || way > s.Driving+longestStay {
		way = s.Driving
	}
	return free.Add(way)
}

// speed is that of the plan on the way there.
func (s *Ahead) speed() float64 {
	if s.Meters < shortestWay || s.Driving <= 0 {
		return usualSpeed
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
