package driving

import (
	"math"
	"time"

	"waybill/domain/road"
)

// DrivenWay is a part of a way that was driven.
type DrivenWay struct {
	// Polyline is the encoded way with a precision of 5 decimals.
	Polyline    string
	From, Until time.Time
	Meters      int64
	// Matched says that the way is along streets, with a confidence from 0 to 1. Otherwise it is
	// a straight line through the positions.
	Matched    bool
	Confidence float64
}

const (
	// shortestGap is how far apart two parts of a way are in meters that are connected.
	shortestGap = 30
	// rawWithin is how far a straight line may be from the positions in meters.
	rawWithin = 10
	// mostPolyline is the largest polyline of a way in bytes, and coarse is how far a longer one
	// may be from the streets in meters.
	mostPolyline, coarse = 48 << 10, 20
)

// DrivenWays returns the parts of a way, given the track and its stretches along streets, in the
// order of time. Where no street is known, a straight line leads through the positions, so that
// the parts are connected. Somebody who did not move has driven no way.
func DrivenWays(track road.Track, matched []road.Stretch) (ways []DrivenWay) {
	from := 0 // the position up to which the way is known
	var end []road.Point
	for i := range matched {
		s := &matched[i]
		points := s.Line.Points()
		ways = addRaw(ways, track, from, s.First(), append(end, points[0]), len(end) > 0)
		ways = append(ways, newDrivenWay(s.Line, track[s.First()].At, track[s.Last()].At, s))
		from, end = s.Last(), []road.Point{points[len(points)-1]}
	}
	if len(track) > 0 {
		ways = addRaw(ways, track, from, len(track)-1, end, len(end) > 0)
	}
	return ways
}

// addRaw adds the straight line through the positions from one to another. known are the places
// on streets at which it begins, if it follows one, and ends, if it leads to one.
func addRaw(ways []DrivenWay, track road.Track, from, to int, known []road.Point, follows bool) []DrivenWay {
	first, last := from, to
	var points []road.Point
	if follows {
		points, known, first = append(points, known[0]), known[1:], from+1
	}
	if len(known) > 0 {
		last = to - 1
	}
	for i := first; i <= last; i++ {
		points = append(points, track[i].Point)
	}
	line := road.Of(append(points, known...)...)
	if !line.Known() || line.Length() < shortestGap {
		return ways
	}
	return append(ways, newDrivenWay(line.Simplified(rawWithin), track[from].At, track[to].At, nil))
}

func newDrivenWay(line road.Line, from, until time.Time, s *road.Stretch) DrivenWay {
	w := DrivenWay{Polyline: line.Encode(), From: from, Until: until, Meters: int64(math.Round(line.Length()))}
	if len(w.Polyline) > mostPolyline {
		w.Polyline = line.Simplified(coarse).Encode()
	}
	if s != nil {
		w.Matched, w.Confidence = true, s.Confidence
	}
	return w
}

// MostMatches is how often a driven leg is matched at most while the server of road data fails.
const MostMatches = 5

// MatchAgain returns when a driven leg is matched again after so many failures in a row; zero is
// never.
func MatchAgain(failures int, now time.Time) time.Time {
	if failures >= MostMatches {
		return time.Time{}
	}
	return now.Add(time.Minute << (failures - 1))
}
