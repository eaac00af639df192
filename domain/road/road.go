// Package road follows the way along streets: it decodes the polylines of routing engines,
// projects positions onto them, and returns the points at a distance.
package road

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/twpayne/go-polyline"
)

// Point is a place on the earth in degrees.
type Point struct{ Latitude, Longitude float64 }

// Line is a way along streets. The zero line has no points.
type Line struct {
	points []Point
	// along is how far each point is from the first one, in meters.
	along []float64
}

// mostBytes bounds an encoded line.
const mostBytes = 1 << 20

// ErrTooLong says that a polyline is too long to be read.
var ErrTooLong = errors.New("the polyline is too long")

// Decode reads an encoded polyline of precision 5.
func Decode(text string) (Line, error) { return decode(text, 5) }

// DecodeFine reads an encoded polyline of precision 6, as Valhalla writes it.
func DecodeFine(text string) (Line, error) { return decode(text, 6) }

func decode(text string, precision int) (Line, error) {
	if len(text) > mostBytes {
		return Line{}, ErrTooLong
	}
	codec := polyline.Codec{Dim: 2, Scale: math.Pow10(precision)}
	coordinates, rest, err := codec.DecodeCoords([]byte(text))
	if err != nil || len(rest) > 0 {
		return Line{}, fmt.Errorf("invalid polyline of %d bytes", len(text))
	}
	points := make([]Point, len(coordinates))
	for i, c := range coordinates {
		if p := (Point{c[0], c[1]}); math.Abs(p.Latitude) > 90 || math.Abs(p.Longitude) > 180 {
			return Line{}, fmt.Errorf("point %d of a polyline is not on the earth", i)
		}
		points[i] = Point{c[0], c[1]}
	}
	return Of(points...), nil
}

// Of returns the line through points.
func Of(points ...Point) Line {
	l := Line{points: points, along: make([]float64, len(points))}
	for i := 1; i < len(points); i++ {
		l.along[i] = l.along[i-1] + apart(points[i-1], points[i])
	}
	return l
}

// Encode writes the line as a polyline of precision 5.
func (l Line) Encode() string {
	coordinates := make([][]float64, len(l.points))
	for i, p := range l.points {
		coordinates[i] = []float64{p.Latitude, p.Longitude}
	}
	return string(polyline.EncodeCoords(coordinates))
}

// Points returns the points of the line.
func (l Line) Points() []Point { return slices.Clone(l.points) }

// Known reports whether the line leads anywhere.
func (l Line) Known() bool { return len(l.points) > 1 }

// Length returns the length in meters.
func (l Line) Length() float64 {
	if len(l.along) == 0 {
		return 0
	}
	return l.along[len(l.along)-1]
}

// At returns the point at a distance from the beginning, or the nearer end.
func (l Line) At(meters float64) Point {
	if len(l.points) == 0 {
		return Point{}
	}
	next, _ := slices.BinarySearch(l.along, meters)
	switch {
	case next == 0:
		return l.points[0]
	case next == len(l.points):
		return l.points[next-1]
	}
	return between(l.points[next-1], l.points[next], (meters-l.along[next-1])/(l.along[next]-l.along[next-1]))
}

// Project returns how far along the line its nearest point to a position is, and how far
// away from the position, in meters. Of equally near points it returns the first.
func (l Line) Project(p Point) (along, away float64) {
	away = math.Inf(1)
	for i := 1; i < len(l.points); i++ {
		share := nearest(l.points[i-1], l.points[i], p)
		if d := apart(between(l.points[i-1], l.points[i], share), p); d < away {
			along, away = l.along[i-1]+share*(l.along[i]-l.along[i-1]), d
		}
	}
	return along, away
}

// After returns the rest of the line from a distance on.
func (l Line) After(meters float64) Line {
	if !l.Known() || meters <= 0 {
		return l
	}
	rest := []Point{l.At(meters)}
	for i, p := range l.points {
		if l.along[i] > meters {
			rest = append(rest, p)
		}
	}
	return Of(rest...)
}

// degree is the length of a degree of latitude in meters.
const degree = 111_195

// flat returns b seen from a, in meters to the east and to the north.
func flat(a, b Point) (east, north float64) {
	middle := (a.Latitude + b.Latitude) / 2 * math.Pi / 180
	return (b.Longitude - a.Longitude) * degree * math.Cos(middle), (b.Latitude - a.Latitude) * degree
}

// apart returns the distance of near points in meters.
func apart(a, b Point) float64 { return math.Hypot(flat(a, b)) }

// nearest returns the share of the way from a to b where it is nearest to a point.
func nearest(a, b, p Point) float64 {
	x, y := flat(a, b)
	if x == 0 && y == 0 {
		return 0
	}
	u, v := flat(a, p)
	return min(max((x*u+y*v)/(x*x+y*y), 0), 1)
}

func between(a, b Point, share float64) Point {
	return Point{
		Latitude:  a.Latitude + share*(b.Latitude-a.Latitude),
		Longitude: a.Longitude + share*(b.Longitude-a.Longitude),
	}
}
