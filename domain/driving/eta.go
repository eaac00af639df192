package driving

import (
	"time"

	"waybill/domain/road"
	"waybill/domain/traffic"
)

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
	// Setup is how long the driver sets up between the arrival and the start of service.
	Setup time.Duration
	// Way is the way there along streets, if it is known.
	Way road.Line
	// Traffic is the way there through rush hours, of which Driving is the time when the plan has the driver leave; nil
	// without any.
	Traffic *traffic.Road
	// Break is the length of the planned break on the way to the stop, and BreakStarts its start;
	// both are zero without a break.
	Break       time.Duration
	BreakStarts time.Time
	// BreakPlace is where that break is; nil is anywhere on the way. Driving and Meters are then the way on
	// from there.
	BreakPlace *BreakPlace
	// Earliest is from when on the stop may be served.
	Earliest time.Time
	Standing StopStanding
}

// BreakPlace is where a driver has a break, and how long it takes to get there from the stop before.
type BreakPlace struct {
	Latitude, Longitude float64
	Driving             time.Duration
}

// Where is a position of a driver.
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

// Values for estimating a leg without a planned one: streets are longer than a
// straight line, and this is the assumed speed.
const (
	detour      = 1.3
	shortestWay = 300 // in metres; shorter legs say nothing about the speed
	longestStay = 2 * time.Hour
)

// ETAs returns the arrival times at the open stops of a route, in sequence,
// from the plan's times and the driver's last known position. It returns none
// before the driver has reported anything: then the plan's own times apply.
func ETAs(route []Ahead, was *Where, now time.Time) []ETA {
	last, free := lastSeen(route)
	known := last >= 0
	if was != nil && known && was.At.Before(free) {
		was = nil // the driver has been at a stop since
	}
	if !known && was == nil {
		return nil
	}
	var etas []ETA
	var here time.Time // when the orders before are served that the driver has arrived for
	for i := range route {
		s := &route[i]
		if s.Standing.Status.Over() {
			continue
		}
		begins := later(s.Standing.Arrived.Add(s.Setup), here)
		if s.Standing.Status != StopArrived {
			begins = later(s.reached(route, i, last, free, was).Add(s.Setup), now)
		}
		begins = later(begins, s.Earliest)
		etas = append(etas, ETA{Stop: i, At: begins.Truncate(time.Second), Ahead: len(etas)})
		last, free, was = i, later(begins.Add(s.Leaves.Sub(s.Starts)), now), nil
		if here = (time.Time{}); s.Standing.Status == StopArrived {
			here = begins.Add(s.Leaves.Sub(s.Starts))
		}
	}
	return etas
}

// Last returns when a driver was last at the stop; zero for never.
func (s *StopStanding) Last() time.Time { return later(s.Arrived, s.Ended) }

// lastSeen returns the stop where the driver was last seen, or -1, and when
// they were free there.
func lastSeen(route []Ahead) (last int, free time.Time) {
	last = -1
	for i := range route {
		if at := route[i].Standing.Last(); !at.IsZero() && !at.Before(free) {
			last, free = i, at
		}
	}
	return last, free
}

// pending reports whether the stop has not been visited yet. The plan's times apply only to such
// stops.
func (s *StopStanding) pending() bool { return s.Status == "" || s.Status == StopPending }

// reached returns when the driver reaches stop i, from their last position or else from
// the last stop visited. Between two open stops it uses the plan's times. After a
// visited stop it uses the drive and the break, since the plan does not know when the
// driver left. When the plan has other stops in between, the leg is estimated.
func (s *Ahead) reached(route []Ahead, i, last int, free time.Time, was *Where) time.Time {
	if was != nil && s.goesToBreak(was.At) {
		there := was.At.Add(s.BreakPlace.from(was))
		if !was.At.Before(s.BreakStarts) { // the break has begun
			there = s.BreakStarts
		}
		return later(there, s.BreakStarts).Add(s.Break + s.Driving)
	}
	if was != nil {
		if left, ok := s.left(*was); ok {
			return was.At.Add(left)
		}
		return was.At.Add(s.guess(was.Latitude, was.Longitude, s.speed()))
	}
	if last >= 0 && last != i-1 {
		return free.Add(s.guess(route[last].Latitude, route[last].Longitude, UsualSpeed))
	}
	if last >= 0 && route[last].Standing.pending() {
		stay := PlannedWay(s.Arrives.Sub(route[last].Leaves), s.Driving) - s.Driving
		return free.Add(stay + s.rest(1, free))
	}
	if s.BreakPlace != nil {
		return later(free.Add(s.BreakPlace.Driving), s.BreakStarts).Add(s.Break + s.Driving)
	}
	there := free.Add(s.rest(1, free))
	if s.Break > 0 {
		there = later(there, s.BreakStarts).Add(s.Break)
	}
	return there
}

// goesToBreak reports whether a driver is on the way to a break at a place, or has it.
func (s *Ahead) goesToBreak(at time.Time) bool {
	return s.BreakPlace != nil && at.Before(s.BreakStarts.Add(s.Break))
}

// from is how long the way from a position takes.
func (p *BreakPlace) from(was *Where) time.Duration {
	meters := GuessedWay(was.Latitude, was.Longitude, p.Latitude, p.Longitude)
	return time.Duration(meters / UsualSpeed * float64(time.Second))
}

// offTheWay is how far from a way a driver may be and still follow it, in meters: positions
// are inaccurate, and streets are wide.
const offTheWay = 150

// left returns how much driving time of the planned leg is left from a position, if the
// driver follows its way along streets.
func (s *Ahead) left(was Where) (time.Duration, bool) {
	if !s.Way.Known() || s.Driving <= 0 {
		return 0, false
	}
	along, away := s.Way.Project(road.Point{Latitude: was.Latitude, Longitude: was.Longitude})
	if away > offTheWay {
		return 0, false
	}
	return s.rest(1-along/s.Way.Length(), was.At), true
}

// rest returns how long a share of the planned leg takes, its end, from a moment on. A leg with a break has the time of
// the plan, since only the plan knows where the break is.
func (s *Ahead) rest(share float64, now time.Time) time.Duration {
	if s.Traffic == nil || s.Break > 0 {
		return time.Duration(share * float64(s.Driving))
	}
	return s.Traffic.Rest(s.Arrives.Add(-s.Driving), s.Driving, share, now)
}

// PlannedWay returns the travel time between two stops that the plan has this
// far apart, including a possible break. If the gap is shorter than the drive,
// or much longer, there can be no break in it, and PlannedWay returns only the
// drive.
func PlannedWay(apart, drive time.Duration) time.Duration {
	if apart < drive || apart > drive+longestStay {
		return drive
	}
	return apart
}

// UsualSpeed is the assumed speed in metres per second when no better value is
// known.
const UsualSpeed = 8.5

// GuessedWay returns the estimated driving distance between two places in meters: streets
// are longer than a straight line.
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

// TellETA is how much an ETA must differ from the announced one to be announced
// again.
const TellETA = 5 * time.Minute
