package tracking

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"waybill/domain/region"
	"waybill/domain/road"
)

// Streets are the streets that are drawn around a driver's way.
type Streets struct {
	// Regions are the regions with map tiles, and the version of the tiles. Nil draws no streets.
	Regions func() (regions []region.Region, version string)
	// URL is the address of a tile's streets, before the version.
	URL string
}

// sketch is a drawing of the driver's way, from the driver to the stop.
type sketch struct {
	Label string
	// Tiles are the streets around it, and Credit is what must be shown with them.
	Tiles  []drawnTile
	Credit string
	// Path is the line, as SVG writes it.
	Path string
	// FromX and FromY are where the driver is, ToX and ToY the stop.
	FromX, FromY, ToX, ToY string
}

// drawnTile is where the streets of a tile are in a sketch.
type drawnTile struct{ URL, X, Y, Width, Height string }

// mostTiles is how many tiles a sketch has at most, finestTiles their zoom level where the way is short.
const (
	mostTiles   = 6
	finestTiles = region.MostZoom
)

// The size of a sketch, and its margin.
const (
	sketchWidth, sketchHeight = 320.0, 180.0
	sketchMargin              = 14.0
	// closest is how many units a degree of latitude has at most, so that a sketch shows half a kilometer at least.
	closest = sketchWidth / 0.0045
)

// sketchOf draws a way as large as fits; north is up. It is nil if there is nothing to draw.
func sketchOf(way road.Line, label string, streets Streets) *sketch {
	if !way.Known() || way.Length() < 1 {
		return nil
	}
	points := way.Points()
	wide := math.Cos(points[0].Latitude * math.Pi / 180)
	west, south := math.Inf(1), math.Inf(1)
	east, north := math.Inf(-1), math.Inf(-1)
	for _, p := range points {
		west, east = min(west, p.Longitude*wide), max(east, p.Longitude*wide)
		south, north = min(south, p.Latitude), max(north, p.Latitude)
	}
	scale := min((sketchWidth-2*sketchMargin)/max(east-west, 1e-9), (sketchHeight-2*sketchMargin)/max(north-south, 1e-9))
	scale = min(scale, closest)
	left, top := (sketchWidth-scale*(east-west))/2, (sketchHeight-scale*(north-south))/2
	place := func(p road.Point) (x, y float64) {
		return left + scale*(p.Longitude*wide-west), top + scale*(north-p.Latitude)
	}
	at := func(p road.Point) (x, y string) {
		across, down := place(p)
		return inUnits(across), inUnits(down)
	}
	s := &sketch{Label: label}
	s.draw(streets, region.Bounds{
		West: (west - left/scale) / wide, South: south - top/scale,
		East: (east + left/scale) / wide, North: north + top/scale,
	}, place)
	var path strings.Builder
	for i, p := range points {
		x, y := at(p)
		path.WriteString(map[bool]string{true: "M", false: "L"}[i == 0] + x + " " + y)
	}
	s.Path = path.String()
	s.FromX, s.FromY = at(points[0])
	s.ToX, s.ToY = at(points[len(points)-1])
	return s
}

func inUnits(length float64) string { return fmt.Sprintf("%.1f", length) }

// draw adds the streets within some bounds, as far as regions have them.
func (s *sketch) draw(streets Streets, bounds region.Bounds, place func(road.Point) (x, y float64)) {
	if streets.Regions == nil {
		return
	}
	regions, version := streets.Regions()
	var drawn []region.Region
	for _, tile := range tilesIn(bounds) {
		around := tile.Bounds()
		isThere := false
		for i := range regions {
			if !regions[i].Bounds.Meets(around) {
				continue
			}
			isThere = true
			drawn = append(drawn, regions[i])
		}
		if !isThere {
			continue
		}
		x, y := place(road.Point{Latitude: around.North, Longitude: around.West})
		right, bottom := place(road.Point{Latitude: around.South, Longitude: around.East})
		s.Tiles = append(s.Tiles, drawnTile{
			streets.address(tile, version), inUnits(x), inUnits(y), inUnits(right - x), inUnits(bottom - y),
		})
	}
	s.Credit = region.Credits(drawn)
}

// tilesIn are the finest tiles, at most mostTiles, that cover some bounds.
func tilesIn(b region.Bounds) (tiles []region.Tile) {
	for zoom := finestTiles; zoom >= 0; zoom-- {
		first, last := region.TileAt(b.West, b.North, zoom), region.TileAt(b.East, b.South, zoom)
		if (last.X-first.X+1)*(last.Y-first.Y+1) > mostTiles {
			continue
		}
		for x := first.X; x <= last.X; x++ {
			for y := first.Y; y <= last.Y; y++ {
				tiles = append(tiles, region.Tile{Zoom: zoom, X: x, Y: y})
			}
		}
		return tiles
	}
	return nil
}

// address is where the streets of a tile are.
func (s Streets) address(tile region.Tile, version string) string {
	number := strings.NewReplacer("{z}", strconv.Itoa(tile.Zoom), "{x}", strconv.Itoa(tile.X), "{y}", strconv.Itoa(tile.Y))
	return number.Replace(s.URL) + "?v=" + version
}
