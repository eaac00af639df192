package tracking

import (
	"fmt"
	"math"
	"strings"

	"waybill/domain/road"
)

// sketch is a drawing of the driver's way, from the driver to the stop.
type sketch struct {
	Label string
	// Path is the line, as SVG writes it.
	Path string
	// FromX and FromY are where the driver is, ToX and ToY the stop.
	FromX, FromY, ToX, ToY string
}

// The size of a sketch, and its margin.
const (
	sketchWidth, sketchHeight = 320.0, 180.0
	sketchMargin              = 14.0
)

// sketchOf draws a way as large as fits; north is up. It is nil if there is nothing to draw.
func sketchOf(way road.Line, label string) *sketch {
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
	left, top := (sketchWidth-scale*(east-west))/2, (sketchHeight-scale*(north-south))/2
	at := func(p road.Point) (x, y string) {
		return fmt.Sprintf("%.1f", left+scale*(p.Longitude*wide-west)), fmt.Sprintf("%.1f", top+scale*(north-p.Latitude))
	}
	s := &sketch{Label: label}
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
