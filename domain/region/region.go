// Package region has the rules of regions: the parts of the world that an installation has
// streets of, each built from one extract of OpenStreetMap.
package region

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"waybill/domain/place"
)

// Region is a region as the installation uses it.
type Region struct {
	Name string
	// Version identifies one build of the region. Its files are in a folder of that name.
	Version string
	Bounds  Bounds
	// Fingerprint identifies the extract that it was built from.
	Fingerprint string
	// RoadBytes and TileBytes are the sizes of the files, or zero if the region has none.
	RoadBytes, TileBytes int64
	// Addresses is how many addresses the register has of the region.
	Addresses int64
	// Attribution must be shown wherever the data is.
	Attribution string
	BuiltAt     time.Time
}

// HasRoads reports whether the region has road data.
func (r *Region) HasRoads() bool { return r.RoadBytes > 0 }

// HasTiles reports whether the region has map tiles.
func (r *Region) HasTiles() bool { return r.TileBytes > 0 }

// Part is one of the things that a region is built of.
type Part string

// The parts that a region can do without.
const (
	Roads Part = "roads"
	Tiles Part = "tiles"
)

// longestName is the length of the longest name of a region.
const longestName = 60

// CheckName refuses names that cannot be names of folders.
func CheckName(name string) error {
	isWrong := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}
	if name == "" || len(name) > longestName || strings.ContainsFunc(name, isWrong) || strings.HasPrefix(name, "-") {
		return fmt.Errorf("%q cannot be the name of a region: use up to %d lower-case letters, digits, - and _",
			name, longestName)
	}
	return nil
}

// Bounds is a box of degrees. It never crosses the antimeridian.
type Bounds struct {
	West  float64 `json:"west"`
	South float64 `json:"south"`
	East  float64 `json:"east"`
	North float64 `json:"north"`
}

// Credits returns what must be shown with a map of some regions: each attribution once.
func Credits(regions []Region) string {
	var credits []string
	for i := range regions {
		if credit := regions[i].Attribution; !slices.Contains(credits, credit) {
			credits = append(credits, credit)
		}
	}
	return strings.Join(credits, "; ")
}

// None are the bounds of nothing, which Include can extend.
func None() Bounds {
	return Bounds{West: math.Inf(1), South: math.Inf(1), East: math.Inf(-1), North: math.Inf(-1)}
}

// ParseBounds reads west, south, east and north, separated by commas.
func ParseBounds(text string) (b Bounds, err error) {
	parts := strings.Split(text, ",")
	if len(parts) != 4 {
		return b, fmt.Errorf("%q is not a bounding box: use west,south,east,north, such as 10.72,59.90,10.78,59.94", text)
	}
	for i, to := range []*float64{&b.West, &b.South, &b.East, &b.North} {
		if *to, err = strconv.ParseFloat(strings.TrimSpace(parts[i]), 64); err != nil {
			return b, fmt.Errorf("%q in the bounding box is not a number of degrees", parts[i])
		}
	}
	return b, b.Check()
}

// Check refuses boxes that contain nothing, or that lie outside the world.
func (b Bounds) Check() error {
	if !(b.West < b.East && b.South < b.North) {
		return errors.New("the bounding box is empty: west must be less than east, and south less than north")
	}
	if b.West < -180 || b.East > 180 || b.South < -90 || b.North > 90 {
		return errors.New("the bounding box lies outside the world")
	}
	return nil
}

// String is the box as ParseBounds reads it.
func (b Bounds) String() string {
	return fmt.Sprintf("%.5f,%.5f,%.5f,%.5f", b.West, b.South, b.East, b.North)
}

// Include returns the bounds that also hold a position.
func (b Bounds) Include(at place.Position) Bounds {
	return Bounds{
		West: min(b.West, at.Longitude), South: min(b.South, at.Latitude),
		East: max(b.East, at.Longitude), North: max(b.North, at.Latitude),
	}
}

// Holds reports whether a position lies within the bounds.
func (b Bounds) Holds(at place.Position) bool {
	return at.Longitude >= b.West && at.Longitude <= b.East && at.Latitude >= b.South && at.Latitude <= b.North
}

// Meets reports whether two boxes share a point.
func (b Bounds) Meets(o Bounds) bool {
	return b.West <= o.East && o.West <= b.East && b.South <= o.North && o.South <= b.North
}

// area is the size of the box, only to compare it with others.
func (b Bounds) area() float64 { return (b.East - b.West) * (b.North - b.South) }

// Holding returns the indexes of the regions whose bounds hold all positions, the smallest
// first. The boxes of neighboring countries overlap, and the smaller one is more often the
// right one.
func Holding(regions []Bounds, positions []place.Position) []int {
	var found []int
	for i, b := range regions {
		if !slices.ContainsFunc(positions, func(at place.Position) bool { return !b.Holds(at) }) {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(i, j int) int { return cmp.Compare(regions[i].area(), regions[j].area()) })
	return found
}
