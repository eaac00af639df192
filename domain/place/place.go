// Package place turns addresses into positions: it reads addresses as people
// write them, builds the keys by which streets and towns are found in a
// register, and decides which entry of the register an address means and how
// precise its position is.
package place

import "math"

// Precision is how well a position is known. Smaller is better.
type Precision int

// The precisions. An unknown house is never a Point.
const (
	// Point is the house itself.
	Point Precision = iota + 1
	// Interpolated is between two known numbers on the same side of the street,
	// or another entrance of the same number.
	Interpolated
	// Street is somewhere in the right street, near the number if any number
	// there is known.
	Street
	// PostalCode is the middle of the postal code.
	PostalCode
	// City is the middle of the town.
	City
)

// String returns the precision as the contract writes it.
func (p Precision) String() string {
	switch p {
	case Point:
		return "POINT"
	case Interpolated:
		return "INTERPOLATED"
	case Street:
		return "STREET"
	case PostalCode:
		return "POSTAL_CODE"
	case City:
		return "CITY"
	}
	return ""
}

// IsCoarse reports whether the position is only somewhere in a street or a town, so that a
// person should check it.
func (p Precision) IsCoarse() bool { return p == 0 || p > Interpolated }

// IsGuess reports whether the position is only the middle of a postal code or a town.
func (p Precision) IsGuess() bool { return p >= PostalCode }

// Farthest is how far coordinates may be from a position of this precision, in meters, before
// one of them is probably wrong.
func (p Precision) Farthest() float64 {
	switch p {
	case Point, Interpolated:
		return 2_000
	case Street:
		return 10_000
	}
	return 50_000
}

// Position is a place on Earth, in degrees (WGS 84).
type Position struct{ Latitude, Longitude float64 }

// PositionAt returns a position to seven decimals, which is about a centimeter: means of several
// positions have more digits than meaning.
func PositionAt(latitude, longitude float64) Position {
	const parts = 1e7
	return Position{Latitude: math.Round(latitude*parts) / parts, Longitude: math.Round(longitude*parts) / parts}
}

// metersPerDegree is the length of a degree of latitude.
const metersPerDegree = 111_195

// Meters returns the distance to another position. It is exact enough below 100 km.
func (p Position) Meters(q Position) float64 {
	across := (p.Longitude - q.Longitude) * math.Cos((p.Latitude+q.Latitude)/2*math.Pi/180)
	return metersPerDegree * math.Hypot(p.Latitude-q.Latitude, across)
}

// Between returns the position at a share of the way to another one.
func (p Position) Between(q Position, share float64) Position {
	return PositionAt(p.Latitude+share*(q.Latitude-p.Latitude), p.Longitude+share*(q.Longitude-p.Longitude))
}

// IsValid reports whether it can be a position of an address.
func (p Position) IsValid() bool {
	return math.Abs(p.Latitude) <= 90 && math.Abs(p.Longitude) <= 180 && p != Position{}
}

// Record is one entry of a register: an address, or a town with its postal code when it has
// no street.
type Record struct {
	// Country is an ISO 3166-1 code in capitals.
	Country    string
	PostalCode string
	City       string
	Street     string
	// SecondName is the street's name in another language, if it has one.
	SecondName string
	House      House
	At         Position
	// Guessed is true if the register interpolated the position.
	Guessed bool
}
