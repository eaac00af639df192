package planning

import (
	"maps"
	"slices"
)

// Ground is the numbered places of an area. Drafts on the same ground give each
// place the same number, so they share a matrix. A ground is immutable; nil has
// no places.
type Ground struct {
	points  []Point
	numbers map[Point]int
}

// number returns the number of a place, if it has one.
func (g *Ground) number(p Point) (n int, known bool) {
	if g == nil {
		return 0, false
	}
	n, known = g.numbers[p]
	return n, known
}

// places returns the places by their numbers. To append to them copies them.
func (g *Ground) places() []Point {
	if g == nil {
		return nil
	}
	return slices.Clip(g.points)
}

// With returns the ground with the places that a draft on it added.
func (g *Ground) With(d *Draft) *Ground {
	known := len(g.places())
	if known == len(d.Points) && g != nil {
		return g
	}
	grown := &Ground{points: d.Points, numbers: make(map[Point]int, len(d.Points))}
	if g != nil {
		maps.Copy(grown.numbers, g.numbers)
	}
	for n := known; n < len(d.Points); n++ {
		grown.numbers[d.Points[n]] = n
	}
	return grown
}

// spareNames is how many more places than twice its own a draft lets its ground have.
const spareNames = 64

// Overgrown reports whether most places of the draft are no longer visited.
func (d *Draft) Overgrown() bool { return len(d.Points) > 2*len(d.places)+spareNames }
