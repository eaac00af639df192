package road

import (
	"math"
	"time"
)

// Fix is a position at a moment.
type Fix struct {
	Point

	At time.Time
	// Accuracy is within how many meters of the point somebody was; 0 is unknown.
	Accuracy float64
}

// Track is where somebody was, in the order of time.
type Track []Fix

const (
	// mostInaccurate is the accuracy in meters up to which a position says which street it is on.
	mostInaccurate = 100
	// topSpeed is in meters per second: nobody drives faster between two positions, but for slack.
	topSpeed = 70
	slack    = 50
	// back is among how many positions before it the one is looked for that a position follows.
	back = 50
	// still is how far apart positions are in meters that say that somebody moves.
	still = 12
)

// Tidy returns the track without what says nothing about the way: inaccurate positions, those
// that nobody can have driven to, and those of standing. Of contradicting positions it keeps
// the longest sequence in which each can be driven to from the one before.
func (t Track) Tidy() Track {
	var exact Track
	for _, fix := range t {
		if !(fix.Accuracy > mostInaccurate) {
			exact = append(exact, fix)
		}
	}
	var tidy Track
	for _, fix := range exact.plausible() {
		if len(tidy) == 0 || apart(tidy[len(tidy)-1].Point, fix.Point) >= still {
			tidy = append(tidy, fix)
		}
	}
	return tidy
}

// plausible returns the longest sequence in which each position can be driven to from the one
// before.
func (t Track) plausible() Track {
	length, before, last := make([]int, len(t)), make([]int, len(t)), -1
	for i := range t {
		length[i], before[i] = 1, -1
		for j := i - 1; j >= max(0, i-back); j-- {
			if length[j]+1 > length[i] && follows(&t[j], &t[i]) {
				length[i], before[i] = length[j]+1, j
			}
		}
		if last < 0 || length[i] > length[last] {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	kept := make(Track, length[last])
	for i, n := last, len(kept)-1; i >= 0; i, n = before[i], n-1 {
		kept[n] = t[i]
	}
	return kept
}

// follows reports whether somebody can have driven from one position to another.
func follows(a, b *Fix) bool {
	return apart(a.Point, b.Point) <= slack+topSpeed*b.At.Sub(a.At).Seconds()
}

// Line returns the straight line through the positions.
func (t Track) Line() Line {
	points := make([]Point, len(t))
	for i := range t {
		points[i] = t[i].Point
	}
	return Of(points...)
}

// Span is a part of a track: the indexes of its first position and of the one behind its last.
type Span struct{ First, End int }

const (
	// silence is after which time without a position nobody knows which way was driven, if it
	// is longer than farAway meters.
	silence = 3 * time.Minute
	farAway = 500
	// overlap is how many positions consecutive parts of a track have in common.
	overlap = 10
)

// Spans divides a track into parts of at most so many positions and meters. Consecutive parts
// overlap, so that their ways can be joined; at a long silence they do not. A position alone is
// no part.
func (t Track) Spans(most int, meters float64) (spans []Span) {
	for first := 0; first < len(t)-1; {
		end := t.spanFrom(first, most, meters)
		if end-first > 1 {
			spans = append(spans, Span{first, end})
		}
		switch {
		case end == len(t):
			return spans
		case t.silentBefore(end):
			first = end
		default:
			first = max(end-overlap, first+1)
		}
	}
	return spans
}

// spanFrom returns the index behind the last position of the part that begins with one.
func (t Track) spanFrom(first, most int, meters float64) int {
	end, length := first+1, 0.0
	for ; end < len(t) && end-first < most && !t.silentBefore(end); end++ {
		length += apart(t[end-1].Point, t[end].Point)
		if length > meters && end-first > 1 {
			break
		}
	}
	return end
}

// silentBefore reports whether nobody knows how a position was reached.
func (t Track) silentBefore(i int) bool {
	return t[i].At.Sub(t[i-1].At) > silence && apart(t[i-1].Point, t[i].Point) > farAway
}

// Part returns the line between two distances from its beginning.
func (l Line) Part(from, until float64) Line {
	points := []Point{l.At(from)}
	for i, p := range l.points {
		if l.along[i] > from && l.along[i] < until {
			points = append(points, p)
		}
	}
	return Of(append(points, l.At(until))...)
}

// Then returns the line followed by another one.
func (l Line) Then(next Line) Line {
	points := l.Points()
	for _, p := range next.points {
		if len(points) == 0 || points[len(points)-1] != p {
			points = append(points, p)
		}
	}
	return Of(points...)
}

// ProjectAfter returns how far along the line a point on it is that comes after a distance: the
// first place that is within near meters of it, or else the nearest one.
func (l Line) ProjectAfter(p Point, meters float64) float64 {
	const near = 3
	best, along := math.Inf(1), meters
	for i := 1; i < len(l.points); i++ {
		if l.along[i] < meters {
			continue
		}
		at := max(l.along[i-1]+nearest(l.points[i-1], l.points[i], p)*(l.along[i]-l.along[i-1]), meters)
		if d := apart(l.At(at), p); d < best {
			best, along = d, at
		} else if best <= near {
			break
		}
	}
	return along
}

// Simplified returns the line without points that are within some meters of the straight line
// between others (Douglas and Peucker).
func (l Line) Simplified(meters float64) Line {
	if len(l.points) < 3 {
		return l
	}
	keeps := make([]bool, len(l.points))
	keeps[0], keeps[len(keeps)-1] = true, true
	for open := []Span{{0, len(l.points) - 1}}; len(open) > 0; {
		span := open[len(open)-1]
		open = open[:len(open)-1]
		farthest, away := -1, meters
		for i := span.First + 1; i < span.End; i++ {
			a, b, p := l.points[span.First], l.points[span.End], l.points[i]
			if d := apart(between(a, b, nearest(a, b, p)), p); d > away {
				farthest, away = i, d
			}
		}
		if farthest >= 0 {
			keeps[farthest] = true
			open = append(open, Span{span.First, farthest}, Span{farthest, span.End})
		}
	}
	var points []Point
	for i, keep := range keeps {
		if keep {
			points = append(points, l.points[i])
		}
	}
	return Of(points...)
}
