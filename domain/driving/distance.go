package driving

import (
	"math"
	"time"
)

// Position is the position of a driver, with its accuracy in metres, which is
// NaN if unknown.
type Position struct {
	At                            time.Time
	Latitude, Longitude, Accuracy float64
}

// Valid reports whether the coordinates are valid.
func (p *Position) Valid() bool {
	return math.Abs(p.Latitude) <= 90 && math.Abs(p.Longitude) <= 180 && !(p.Accuracy < 0)
}

// OrNowhere returns latitude, longitude and accuracy, or NaN for each if p is
// nil.
func (p *Position) OrNowhere() (latitude, longitude, accuracy float64) {
	if p == nil {
		return math.NaN(), math.NaN(), math.NaN()
	}
	return p.Latitude, p.Longitude, p.Accuracy
}

// earthRadius is the mean one, in metres.
const earthRadius = 6_371_008.8

// Distance returns the straight-line distance between two places in meters.
func Distance(latitude, longitude, toLatitude, toLongitude float64) float64 {
	const degree = math.Pi / 180
	a, b := latitude*degree, toLatitude*degree
	half := math.Sin((b - a) / 2)
	across := math.Sin((toLongitude - longitude) * degree / 2)
	h := half*half + math.Cos(a)*math.Cos(b)*across*across
	return 2 * earthRadius * math.Asin(math.Sqrt(min(h, 1)))
}
