// Package travel determines travel times between places: from a server with
// road data, OSRM or Valhalla, or as straight-line estimates. It always returns
// a result: where a server has no value, it uses the estimate, and reports
// that.
//
// It knows nothing about orders.
package travel

import (
	"context"
	"fmt"
	"math"

	"waybill/domain/planning"
	"waybill/domain/routing"
)

// The words of plans that travel speaks in.
type (
	// Point is a place on the earth.
	Point = planning.Point
	// Profile is a mode of travel.
	Profile = planning.Profile
	// Cell is a place to within about five meters.
	Cell = planning.Cell
	// Source is who said how long legs take.
	Source = planning.TravelSource
	// Block is the legs from each of some cells to each of others.
	Block = planning.TravelBlock
)

// truckFactor is how much longer a truck takes than a car.
const truckFactor = 1.15

// Provider computes travel times. It is safe for concurrent use.
type Provider interface {
	// Name identifies the source of its values.
	Name() string
	// Serves reports whether it supports a profile.
	Serves(Profile) bool
	// Side is how many places it takes at most on either side of a question.
	Side() int
	// Legs returns the ways from each of some places to each of others. A way that
	// does not exist is routing.Unreachable. An error that is not the context's is a
	// *Fault.
	Legs(ctx context.Context, profile Profile, from, to []Point) (Answer, error)
}

// Answer is the ways from each of some places to each of others.
type Answer struct {
	// Legs are row by row.
	Legs []routing.Leg
	// FromMeters and ToMeters are how far the places are from a road; nil if the
	// server does not say it.
	FromMeters, ToMeters []int32
	// Version is that of the road data, or empty if the server does not say it.
	Version string
}

// Versioned is a provider that says which road data it uses.
type Versioned interface {
	// Version returns the version of the road data for a profile near a place, or empty.
	Version(ctx context.Context, profile Profile, near Point) (string, error)
}

// Locator is a provider that finds the nearest road.
type Locator interface {
	// Nearest returns the point of a road that is nearest to a place, at any distance.
	Nearest(ctx context.Context, profile Profile, p Point) (planning.Nearest, error)
}

// Fault is why a server returned no usable answer.
type Fault struct {
	// Asked means that the request is at fault: the server is fine, and the
	// same request again would not help.
	Asked bool
	// Unknown means that the server has no data for the profile.
	Unknown bool
	// Outside means that the server has no roads near a place, and Apart that
	// it has no way between some of the places. Both are asked for in vain.
	Outside, Apart bool
	// Code is what the server calls the fault, or empty.
	Code string
	// Text describes the fault, without data of the request.
	Text  string
	Cause error
}

// Error describes the fault, without places.
func (f *Fault) Error() string { return "travel times: " + f.Text }

// Unwrap returns the cause, if any.
func (f *Fault) Unwrap() error { return f.Cause }

func faulty(cause error, format string, args ...any) *Fault {
	return &Fault{Text: fmt.Sprintf(format, args...), Cause: cause}
}

// leg converts a server's values, and reports whether they are valid.
func leg(seconds, meters float64) (routing.Leg, bool) {
	if !(seconds >= 0 && seconds < routing.Unreachable && meters >= 0 && meters < math.MaxInt32) {
		return routing.Leg{}, false
	}
	return routing.Leg{Seconds: int32(math.Ceil(seconds)), Meters: int32(math.Round(meters))}, true
}

// nowhere is a way that does not exist.
var nowhere = routing.Leg{Seconds: routing.Unreachable, Meters: math.MaxInt32}
