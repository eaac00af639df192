// Package planning builds the plan of a day: positions and travel between them,
// which orders to plan, and which drivers may carry them. It translates orders,
// drivers and vehicles into a problem of package routing, which knows none of
// these.
package planning

import (
	"math"

	"waybill/domain/vehicle"
)

// Point is a place on the earth, in degrees.
type Point struct {
	Latitude, Longitude float64
	// Curbside means that a vehicle stops there on the side of the street where the place is. The same
	// position with and without it is two places, with travel times of their own.
	Curbside bool
}

// Is reports whether both are the same position, whichever way vehicles come there.
func (p Point) Is(other Point) bool {
	return p.Latitude == other.Latitude && p.Longitude == other.Longitude
}

// Valid reports whether the coordinates are valid.
func (p Point) Valid() bool {
	return math.Abs(p.Latitude) <= 90 && math.Abs(p.Longitude) <= 180 // which NaN is not
}

// Profile is a mode of travel, or the key of a class of vehicles that travel in that mode.
type Profile string

// The profiles of vehicles without a class, as types of vehicle name them.
const (
	Car   Profile = "CAR"
	Truck Profile = "TRUCK"
	Bike  Profile = "BIKE"
)

// ProfileOf returns the profile of a vehicle: its mode if it has no class, and otherwise the
// key of the class. A bike has no class. The function vehicle_profile of the database does the
// same.
func ProfileOf(mode Profile, class *vehicle.Class) Profile {
	switch {
	case class.Empty():
	case mode == Car:
		return Profile(class.Key(vehicle.Car))
	case mode == Truck:
		return Profile(class.Key(vehicle.Truck))
	}
	return mode
}

// Class returns the mode of a profile, and its class, which is empty for a plain mode.
func (p Profile) Class() (mode Profile, class vehicle.Class) {
	base, class, ok := vehicle.ParseKey(string(p))
	switch {
	case !ok:
		return p, vehicle.Class{}
	case base == vehicle.Truck:
		return Truck, class
	}
	return Car, class
}

// Cell is a place to within about five meters: all points of a cell share
// their legs.
type Cell struct {
	Latitude, Longitude int32
	Curbside            bool
}

// cells are so many to a degree.
const cells = 20_000

// CellOf returns the cell that contains a point.
func CellOf(p Point) Cell {
	return Cell{int32(math.Round(p.Latitude * cells)), int32(math.Round(p.Longitude * cells)), p.Curbside}
}

// curbsideBit differs from the sign in the number of a curbside place: no latitude needs it. The function
// legs_of_plan of the database does the same.
const curbsideBit = 62

// ID returns a number that no other cell has.
func (c Cell) ID() int64 {
	id := int64(c.Latitude)<<32 | int64(uint32(c.Longitude))
	if c.Curbside {
		id ^= 1 << curbsideBit
	}
	return id
}

// CellByID returns the cell of a number.
func CellByID(id int64) Cell {
	curbside := CurbsideByID(id)
	if curbside {
		id ^= 1 << curbsideBit
	}
	return Cell{int32(id >> 32), int32(uint32(id)), curbside}
}

// CurbsideByID reports whether the number of a place says that vehicles stop on its side of the street.
func CurbsideByID(id int64) bool { return (id^id<<1)>>63 != 0 }

// Way leads from one cell to another.
type Way struct{ From, To Cell }
