package driving

import "math"

// earthRadius is the mean one, in metres.
const earthRadius = 6_371_008.8

// Distance returns how many metres lie between two places, as the crow flies.
func Distance(latitude, longitude, toLatitude, toLongitude float64) float64 {
	const degree = math.Pi / 180
	a, b := latitude*degree, toLatitude*degree
	half := math.Sin((b - a) / 2)
	across := math.Sin((toLongitude - longitude) * degree / 2)
	h := half*half + math.Cos(a)*math.Cos(b)*across*across
	return 2 * earthRadius * math.Asin(math.Sqrt(min(h, 1)))
}
