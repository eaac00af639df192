package routing

import (
	"errors"
	"fmt"
	"slices"
	"sort"
)

// FullSpeed is the speed at which a leg takes as long as its matrix says. Usual factors divide it.
const FullSpeed = 1_260_000

// slowest is the lowest speed.
const slowest = FullSpeed / 20

// Pace is how fast vehicles are from a moment on. Half of FullSpeed makes a leg take twice as long.
type Pace struct{ From, Speed int64 }

// Traffic is how fast vehicles are at each moment. Their speed changes at once everywhere, also in the middle of a leg,
// so a vehicle that leaves later never arrives earlier.
type Traffic struct {
	paces []Pace
	// done is the way, in parts of a second at full speed, until the pace begins.
	done []int64
}

// NewTraffic returns the traffic with these paces, in their order; the first one is also that of the time before. It
// returns nil if vehicles are always at full speed.
func NewTraffic(paces []Pace) *Traffic {
	if !slices.ContainsFunc(paces, func(p Pace) bool { return p.Speed != FullSpeed }) {
		return nil
	}
	t := &Traffic{paces: slices.Clone(paces), done: make([]int64, len(paces))}
	for i := 1; i < len(paces); i++ {
		t.done[i] = t.done[i-1] + (paces[i].From-paces[i-1].From)*paces[i-1].Speed
	}
	return t
}

// Paces returns the paces of the traffic.
func (t *Traffic) Paces() []Pace { return slices.Clone(t.paces) }

func (t *Traffic) validate() error {
	for i, pace := range t.paces {
		if pace.Speed < slowest || pace.Speed > FullSpeed || pace.From < -MaxTime || pace.From > MaxTime {
			return fmt.Errorf("the pace %+v is out of range", pace)
		}
		if i > 0 && pace.From <= t.paces[i-1].From {
			return errors.New("the paces are not in their order")
		}
	}
	return nil
}

// until returns the way until a moment, from when the first pace begins.
func (t *Traffic) until(at int64) int64 {
	i := sort.Search(len(t.paces)-1, func(i int) bool { return t.paces[i+1].From > at })
	return t.done[i] + (at-t.paces[i].From)*t.paces[i].Speed
}

// after returns the first moment at which so much of the way is done, and by the last one at which no more is.
func (t *Traffic) after(way int64) int64 {
	i := t.where(way)
	return t.paces[i].From - floored(t.done[i]-way, t.paces[i].Speed)
}

func (t *Traffic) by(way int64) int64 {
	i := t.where(way)
	return t.paces[i].From + floored(way-t.done[i], t.paces[i].Speed)
}

func (t *Traffic) where(way int64) int {
	return sort.Search(len(t.done)-1, func(i int) bool { return t.done[i+1] > way })
}

// floored divides and rounds down, below zero as well.
func floored(a, b int64) int64 {
	if a < 0 {
		return -((b - 1 - a) / b)
	}
	return a / b
}

// road is a leg in traffic: its first half is in the traffic of where it begins, its second in that of where it ends.
// A road without traffic takes as long as the matrix says.
type road struct {
	near, far *Traffic
	// first and second are how long the halves are, in parts of a second at full speed.
	first, second int64
	// seconds is how long the whole road takes at full speed.
	seconds int64
}

// busy reports whether there is traffic at some time.
func (t *Travel) busy() bool { return len(t.Traffic) > 0 }

// roadOf returns the leg between two places in traffic, given its seconds. A leg without an end has none.
func (t *Travel) roadOf(from, to int, seconds int64) road {
	r := road{seconds: seconds}
	if !t.busy() || seconds == 0 || from < 0 || to < 0 || from >= t.Places || to >= t.Places {
		return r
	}
	r.near, r.far = t.Traffic[t.area(from)], t.Traffic[t.area(to)]
	if r.first = seconds * FullSpeed; r.near != r.far {
		r.first = seconds / 2 * FullSpeed
		r.second = seconds*FullSpeed - r.first
	}
	return r
}

func (t *Travel) area(place int) int {
	if place >= len(t.Areas) {
		return 0
	}
	return int(t.Areas[place])
}

// on returns when so much of the way is driven in traffic that begins at a moment; without traffic it is at full speed.
func (t *Traffic) on(at, way int64) int64 {
	if t == nil {
		return at - floored(-way, FullSpeed)
	}
	return t.after(t.until(at) + way)
}

// back returns the latest moment to begin so much of the way in order to be through by another one.
func (t *Traffic) back(at, way int64) int64 {
	if t == nil {
		return at + floored(-way, FullSpeed)
	}
	return t.by(t.until(at) - way)
}

// between returns how much of the way is driven between two moments.
func (t *Traffic) between(from, to int64) int64 {
	if t == nil {
		return (to - from) * FullSpeed
	}
	return t.until(to) - t.until(from)
}

// arrives returns when a vehicle arrives that leaves at a moment.
func (r *road) arrives(at int64) int64 {
	if r.near == nil && r.far == nil {
		return at + r.seconds
	}
	return r.far.on(r.near.on(at, r.first), r.second)
}

// departs returns the latest moment to leave in order to arrive by another one.
func (r *road) departs(by int64) int64 {
	if r.near == nil && r.far == nil {
		return by - r.seconds
	}
	return r.near.back(r.far.back(by, r.second), r.first)
}

// whole returns how much of the way there is, in the unit of rest.
func (r *road) whole() int64 {
	if r.near == nil && r.far == nil {
		return r.seconds
	}
	return r.first + r.second
}

// ends returns when the end is reached from a place of which so much of the way is left.
func (r *road) ends(at, left int64) int64 {
	if r.near == nil && r.far == nil {
		return at + left
	}
	return r.far.on(r.near.on(at, max(0, left-r.second)), min(left, r.second))
}

// rest returns how much of the way is left when a vehicle has driven on for so many seconds.
func (r *road) rest(at, left, seconds int64) int64 {
	if r.near == nil && r.far == nil {
		return left - seconds
	}
	if near := left - r.second; near > 0 {
		if left -= min(near, r.near.between(at, at+seconds)); left > r.second {
			return left
		}
		middle := r.near.on(at, near)
		at, seconds = middle, at+seconds-middle
	}
	return max(0, left-r.far.between(at, at+seconds))
}

// busy returns the matrix of a shift in traffic, or nil.
func (p *Problem) busy(k int) *Travel {
	if travel := &p.Travel[p.Shifts[k].Profile]; travel.busy() {
		return travel
	}
	return nil
}

func (d *drive) busy() bool { return d.p.busy(d.k) != nil }

// legs returns how long all legs take at full speed.
func (d *drive) legs() (seconds int64) {
	for i := 0; i <= len(d.visits); i++ {
		seconds += int64(d.leg(i).Seconds)
	}
	return seconds
}

// slowly returns how long some driving takes when traffic is slowest.
func (d *drive) slowly(seconds int64) int64 {
	least := int64(FullSpeed)
	for _, t := range d.p.Travel[d.p.Shifts[d.k].Profile].Traffic {
		if t != nil {
			for _, pace := range t.paces {
				least = min(least, pace.Speed)
			}
		}
	}
	return -floored(-seconds*FullSpeed, least)
}

// ridePaused returns when a leg with the break ends if it begins at t.
func (d *drive) ridePaused(road *road, t int64, r *driven) int64 {
	pause := &d.limits.pause
	starts, arrives := road.paused(t, pause)
	r.pause.Starts, r.pause.Leaves = starts, starts+pause.Seconds
	if end := road.arrives(t); end <= pause.Latest {
		r.driving += end - t
	} else {
		r.driving += arrives - t - pause.Seconds
	}
	return arrives
}

// tires reports whether traffic decides how long a driver may go on.
func (b *bounds) tires() bool { return b.busy != nil && b.maxDriving < never }

func (t *Travel) validateTraffic() error {
	if len(t.Areas) > t.Places {
		return fmt.Errorf("%d areas for %d places", len(t.Areas), t.Places)
	}
	for _, area := range t.Areas {
		if int(area) >= len(t.Traffic) {
			return fmt.Errorf("the area %d does not exist", area)
		}
	}
	for _, traffic := range t.Traffic {
		if traffic != nil {
			if err := traffic.validate(); err != nil {
				return err
			}
		}
	}
	return nil
}
