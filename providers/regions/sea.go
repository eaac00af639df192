package regions

import (
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/clip/smartclip"
	"github.com/paulmach/orb/planar"
)

const (
	// cellPoints is how many points of coasts a polygon of the sea may have, about. Programs clip
	// each polygon to each tile that it touches, so small ones are quick.
	cellPoints = 500
	// smallestCell is the side of the smallest box that is cut, in degrees.
	smallestCell = 0.001
	// margin is how far lines go on beyond a box, in degrees, so that they cross its edge.
	margin = 0.0001
)

// seaIn returns the sea within a box, as polygons that do not overlap. Land is on the left of the
// coasts. A coast that ends within the box goes on straight to the nearest edge.
func seaIn(box orb.Bound, coasts []orb.LineString) (sea orb.MultiPolygon) {
	lines := make([]orb.LineString, 0, len(coasts))
	for _, coast := range coasts {
		line := coast.Clone()
		line.Reverse() // polygons have their content on the left
		if line[0] != line[len(line)-1] {
			line = extended(box.Pad(2*margin), line)
		}
		lines = append(lines, line)
	}
	lines = clipped(box.Pad(margin), lines)
	if len(lines) == 0 {
		return nil
	}
	return cut(box, lines)
}

// extended returns a line whose ends are not within a box.
func extended(box orb.Bound, line orb.LineString) orb.LineString {
	if first := line[0]; box.Contains(first) {
		line = append(orb.LineString{nearestEdge(box, first)}, line...)
	}
	if last := line[len(line)-1]; box.Contains(last) {
		line = append(line, nearestEdge(box, last))
	}
	return line
}

func nearestEdge(box orb.Bound, p orb.Point) orb.Point {
	nearest, least := p, math.Inf(1)
	for _, edge := range []orb.Point{{box.Min[0], p[1]}, {box.Max[0], p[1]}, {p[0], box.Min[1]}, {p[0], box.Max[1]}} {
		if away := planar.Distance(p, edge); away < least {
			nearest, least = edge, away
		}
	}
	return nearest
}

// clipped returns the parts of lines within a box.
func clipped(box orb.Bound, lines []orb.LineString) (parts []orb.LineString) {
	for _, line := range lines {
		if bound := line.Bound(); box.Contains(bound.Min) && box.Contains(bound.Max) {
			parts = append(parts, line)
			continue
		}
		found := clip.LineString(box, line)
		last := len(found) - 1
		// The first and the last part of a ring are one.
		if last > 0 && line[0] == line[len(line)-1] && found[0][0] == found[last][len(found[last])-1] {
			found[0] = append(found[last], found[0][1:]...)
			found = found[:last]
		}
		for _, part := range found {
			parts = appendLine(parts, part)
		}
	}
	return parts
}

// cut returns the sea within a box with lines, in pieces of a few points each.
func cut(box orb.Bound, lines []orb.LineString) orb.MultiPolygon {
	points := 0
	for _, line := range lines {
		points += len(line)
	}
	wide, high := box.Max[0]-box.Min[0], box.Max[1]-box.Min[1]
	if points <= cellPoints || max(wide, high) < smallestCell {
		return closed(box, lines)
	}
	one, other := box, box
	if wide > high {
		one.Max[0] = box.Center()[0]
		other.Min[0] = one.Max[0]
	} else {
		one.Max[1] = box.Center()[1]
		other.Min[1] = one.Max[1]
	}
	var sea orb.MultiPolygon
	for _, half := range []orb.Bound{one, other} {
		if inside := clipped(half.Pad(margin), lines); len(inside) > 0 {
			sea = append(sea, cut(half, inside)...)
		} else if isSea(half.Center(), lines) {
			sea = append(sea, half.ToPolygon())
		}
	}
	return sea
}

// closed returns the sea within a box: what is on the left of the lines, closed along its edges.
func closed(box orb.Bound, lines []orb.LineString) (sea orb.MultiPolygon) {
	var crossing orb.MultiPolygon
	var islands []orb.Ring
	for _, line := range lines {
		ring, bound := orb.Ring(line), line.Bound()
		isInside := isWithin(box, bound.Min) && isWithin(box, bound.Max)
		switch {
		case ring.Closed() && isInside && ring.Orientation() == orb.CCW:
			sea = append(sea, orb.Polygon{ring}) // a bay that has no other coast
		case ring.Closed() && isInside:
			islands = append(islands, ring)
		case ring.Closed() || !isWithin(box, line[0]) && !isWithin(box, line[len(line)-1]):
			crossing = append(crossing, orb.Polygon{ring})
		}
	}
	wrapped := smartclip.MultiPolygon(box, crossing, orb.CCW)
	if len(wrapped) == 0 && isSea(box.Min, lines) {
		wrapped = orb.MultiPolygon{box.ToPolygon()}
	}
	sea = append(sea, wrapped...)
	for _, island := range islands {
		for i := range sea {
			if planar.RingContains(sea[i][0], island[0]) {
				sea[i] = append(sea[i], island)
				break
			}
		}
	}
	return sea
}

// isWithin reports whether a point is within a box, and not on its edge.
func isWithin(box orb.Bound, p orb.Point) bool {
	return p[0] > box.Min[0] && p[0] < box.Max[0] && p[1] > box.Min[1] && p[1] < box.Max[1]
}

// isSea reports whether a point is on the left of the nearest line.
func isSea(p orb.Point, lines []orb.LineString) bool {
	least, side := math.Inf(1), false
	for _, line := range lines {
		for i := 1; i < len(line); i++ {
			away := planar.DistanceFromSegmentSquared(line[i-1], line[i], p)
			if away >= least {
				continue
			}
			least, side = away, isLeft(line[i-1], line[i], p)
			// At a corner the point may be beyond both lines: it is outside of the sharper side.
			if next, ok := after(line, i); ok && away == planar.DistanceSquared(line[i], p) {
				side = !isLeft(line[i-1], line[i], next)
				if isLeft(line[i-1], line[i], p) == isLeft(line[i], next, p) {
					side = isLeft(line[i], next, p)
				}
			}
		}
	}
	return side
}

// after is the point that follows one of a line, which begins again if it is a ring.
func after(line orb.LineString, i int) (orb.Point, bool) {
	if i+1 < len(line) {
		return line[i+1], true
	}
	return line[1], line[0] == line[i]
}

func isLeft(from, to, p orb.Point) bool {
	return (to[0]-from[0])*(p[1]-from[1])-(to[1]-from[1])*(p[0]-from[0]) > 0
}
