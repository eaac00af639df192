package region

import "math"

// MostZoom is the zoom level of the most detailed tiles. Maps enlarge those for closer views.
const MostZoom = 14

// Tile identifies a tile of a map, as web maps number them: from the north-west corner.
type Tile struct{ Zoom, X, Y int }

// IsValid reports whether the tile can exist.
func (t Tile) IsValid() bool {
	if t.Zoom < 0 || t.Zoom > MostZoom {
		return false
	}
	side := 1 << t.Zoom
	return t.X >= 0 && t.X < side && t.Y >= 0 && t.Y < side
}

// Bounds are those of the tile.
func (t Tile) Bounds() Bounds {
	side := float64(int(1) << t.Zoom)
	longitude := func(x int) float64 { return float64(x)/side*360 - 180 }
	latitude := func(y int) float64 {
		return math.Atan(math.Sinh(math.Pi*(1-2*float64(y)/side))) * 180 / math.Pi
	}
	return Bounds{West: longitude(t.X), South: latitude(t.Y + 1), East: longitude(t.X + 1), North: latitude(t.Y)}
}

// TileAt returns the tile of a zoom level at a place.
func TileAt(longitude, latitude float64, zoom int) Tile {
	side := float64(int(1) << zoom)
	radians := latitude * math.Pi / 180
	down := (1 - math.Log(math.Tan(radians)+1/math.Cos(radians))/math.Pi) / 2
	within := func(x float64) int { return int(min(max(math.Floor(x), 0), side-1)) }
	return Tile{Zoom: zoom, X: within((longitude + 180) / 360 * side), Y: within(down * side)}
}
