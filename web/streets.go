package web

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strconv"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
)

// StreetsURL is where the streets of a tile are, as a picture, before their version.
const StreetsURL = "/map/streets/{z}/{x}/{y}.svg"

// The kinds of roads that a picture has, with the width of their lines in units of the tile, of which it has 4,096.
// Paths are left out.
var widths = map[string]int{"highway": 56, "major": 48, "medium": 34, "minor": 20, "service": 12}

// kinds is the sequence in which they are drawn.
var kinds = []string{"service", "minor", "medium", "major", "highway"}

const (
	// coarsest is how far a point is from the one before at least, in the same units.
	coarsest = 8
	// largestDrawing is the size limit of a picture before it is compressed, in bytes. Roads that do not fit are left out.
	largestDrawing = 256 << 10
)

// drawStreets draws the roads and the water of a vector tile, both compressed. The picture has one shade for light pages
// and dark ones.
func drawStreets(tile []byte) ([]byte, error) {
	layers, err := mvt.UnmarshalGzipped(tile)
	if err != nil {
		return nil, fmt.Errorf("read a map tile: %w", err)
	}
	roads := map[string]*drawing{}
	for _, kind := range kinds {
		roads[kind] = &drawing{}
	}
	water := &drawing{}
	for _, layer := range layers {
		for _, f := range layer.Features {
			kind, _ := f.Properties["kind"].(string)
			switch {
			case layer.Name == "water":
				water.add(f.Geometry)
			case layer.Name == "roads" && roads[kind] != nil:
				roads[kind].add(f.Geometry)
			}
		}
	}
	var svg bytes.Buffer
	svg.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4096 4096" preserveAspectRatio="none">`)
	fmt.Fprintf(&svg, `<path fill="#7fa8c9" fill-opacity=".4" d="%s"/>`, water.path.Bytes())
	svg.WriteString(`<g fill="none" stroke="#8b949e" stroke-opacity=".6" stroke-linecap="round" stroke-linejoin="round">`)
	for _, kind := range kinds {
		if path := roads[kind].path.Bytes(); len(path) > 0 && svg.Len()+len(path) < largestDrawing {
			fmt.Fprintf(&svg, `<path stroke-width="%d" d="%s"/>`, widths[kind], path)
		}
	}
	svg.WriteString(`</g></svg>`)
	return packed(svg.Bytes())
}

func packed(content []byte) ([]byte, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(content); err != nil {
		return nil, fmt.Errorf("compress a picture: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compress a picture: %w", err)
	}
	return out.Bytes(), nil
}

// drawing is a path, as SVG writes it.
type drawing struct{ path bytes.Buffer }

func (d *drawing) add(geometry orb.Geometry) {
	switch g := geometry.(type) {
	case orb.LineString:
		d.line(g, false)
	case orb.MultiLineString:
		for _, line := range g {
			d.line(line, false)
		}
	case orb.Polygon:
		for _, ring := range g {
			d.line(orb.LineString(ring), true)
		}
	case orb.MultiPolygon:
		for _, polygon := range g {
			d.add(polygon)
		}
	}
}

// line adds a line by its steps from point to point.
func (d *drawing) line(points []orb.Point, isClosed bool) {
	var at [2]int
	for i, p := range points {
		x, y := int(p[0]), int(p[1])
		isNear := max(x-at[0], at[0]-x) < coarsest && max(y-at[1], at[1]-y) < coarsest
		switch {
		case i == 0:
			d.step('M', x, y)
		case isNear && i < len(points)-1:
			continue
		default:
			d.step('l', x-at[0], y-at[1])
		}
		at = [2]int{x, y}
	}
	if isClosed && len(points) > 0 {
		d.path.WriteByte('z')
	}
}

func (d *drawing) step(command byte, x, y int) {
	d.path.WriteByte(command)
	d.path.WriteString(strconv.Itoa(x))
	if y >= 0 {
		d.path.WriteByte(' ')
	}
	d.path.WriteString(strconv.Itoa(y))
}
