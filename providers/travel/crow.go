package travel

import (
	"context"
	"math"
	"strings"

	"waybill/domain/driving"
	"waybill/domain/planning"
	"waybill/domain/routing"
	"waybill/domain/vehicle"
)

// Crow estimates legs from the straight line, lengthened by a typical factor.
// It needs no network, and never reports a place as unreachable.
//
// The minutes of a car are fitted to 189,000 legs in four cities; they are off
// by about 15 % in a city that was not among them. Beyond 40 km there was no
// data: a straight-line speed of 60 km/h is an assumption, and so is the speed
// of a bike.
type Crow struct{}

const (
	// roadFactor is how much longer a road is than the flight.
	roadFactor = 1.3
	// near is the distance in kilometres below which the overhead at both ends
	// decreases to zero.
	near = 0.1
)

// Name is "crow".
func (Crow) Name() string { return "crow" }

// Serves returns true for every plain profile: estimates know no classes.
func (Crow) Serves(p Profile) bool { return !classed(p) }

// Side is the limit of the server.
func (Crow) Side() int { return math.MaxInt32 }

// Legs never fails.
func (Crow) Legs(_ context.Context, profile Profile, from, to []Point) (Answer, error) {
	legs := make([]routing.Leg, 0, len(from)*len(to))
	for _, a := range from {
		for _, b := range to {
			legs = append(legs, flight(profile, a, b))
		}
	}
	return Answer{Legs: legs}, nil
}

// Flight is the way between two points as the crow flies.
func Flight(profile Profile, a, b Point) routing.Leg { return flight(profile, a, b) }

func flight(profile Profile, a, b Point) routing.Leg {
	meters := driving.Distance(a.Latitude, a.Longitude, b.Latitude, b.Longitude)
	return routing.Leg{
		Seconds: int32(math.Ceil(60 * minutes(profile, meters/1000))),
		Meters:  int32(math.Round(meters * roadFactor)),
	}
}

// minutes are those of a flight of so many kilometres.
func minutes(profile Profile, km float64) float64 {
	onAndOff := min(km/near, 1)
	switch {
	case profile == planning.Bike:
		return onAndOff + 4.9*km
	case profile == planning.Truck, strings.HasPrefix(string(profile), string(vehicle.Truck)):
		return truckFactor * minutes(planning.Car, km)
	}
	return 1.5*onAndOff + 2.31*km - 0.48*max(km-2, 0) - 0.15*max(km-8, 0) - 0.68*max(km-40, 0)
}
