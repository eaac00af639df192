// Package travel finds out how long the way between places is: from a server
// that knows the roads, OSRM or Valhalla, or as the crow flies. Who asks gets an
// answer in any case: what a server does not say, the crow does, and the answer
// says so.
//
// It knows nothing of orders.
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
	// Profile is how somebody travels.
	Profile = planning.Profile
	// Cell is a place to within about fifty metres.
	Cell = planning.Cell
	// Way leads from one cell to another.
	Way = planning.Way
)

// truckFactor is how much longer a truck takes than a car.
const truckFactor = 1.15

// Provider knows how long ways are. It is safe for concurrent use.
type Provider interface {
	// Name distinguishes what it knows from what others do.
	Name() string
	// Serves reports whether it knows the ways of a profile.
	Serves(Profile) bool
	// Side is how many places it takes at most on either side of a question.
	Side() int
	// Legs returns the ways from each of some places to each of others, row by
	// row. A way that does not exist is routing.Unreachable. An error that is not
	// the context's is a *Fault.
	Legs(ctx context.Context, profile Profile, from, to []Point) ([]routing.Leg, error)
}

// Fault is why a server did not answer, or not with what was asked.
type Fault struct {
	// Asked is a fault of the question: the server is well, and the same question
	// again would not help.
	Asked bool
	// Text says what is wrong. It holds nothing of the question.
	Text  string
	Cause error
}

// Error says what is wrong, and names no place.
func (f *Fault) Error() string { return "travel times: " + f.Text }

// Unwrap returns the cause, if there is one.
func (f *Fault) Unwrap() error { return f.Cause }

func faulty(cause error, format string, args ...any) *Fault {
	return &Fault{Text: fmt.Sprintf(format, args...), Cause: cause}
}

// leg makes a leg of what a server says, and reports whether it can be one.
func leg(seconds, meters float64) (routing.Leg, bool) {
	if !(seconds >= 0 && seconds < routing.Unreachable && meters >= 0 && meters < math.MaxInt32) {
		return routing.Leg{}, false
	}
	return routing.Leg{Seconds: int32(math.Ceil(seconds)), Meters: int32(math.Round(meters))}, true
}

// nowhere is a way that does not exist.
var nowhere = routing.Leg{Seconds: routing.Unreachable, Meters: math.MaxInt32}
