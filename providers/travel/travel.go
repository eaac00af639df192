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
	// Cell is a place to within about fifty metres.
	Cell = planning.Cell
	// Way leads from one cell to another.
	Way = planning.Way
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
	// Legs returns the ways from each of some places to each of others, row by
	// row. A way that does not exist is routing.Unreachable. An error that is not
	// the context's is a *Fault.
	Legs(ctx context.Context, profile Profile, from, to []Point) ([]routing.Leg, error)
}

// Fault is why a server returned no usable answer.
type Fault struct {
	// Asked means that the request is at fault: the server is fine, and the
	// same request again would not help.
	Asked bool
	// Unknown means that the server has no data for the profile.
	Unknown bool
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
