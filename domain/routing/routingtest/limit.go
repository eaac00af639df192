package routingtest

import (
	"math/rand/v2"

	"waybill/domain/routing"
)

// Limit gives the shifts of a problem limits of stops and of driving.
func Limit(rng *rand.Rand, p *routing.Problem) {
	for k := range p.Shifts {
		shift := &p.Shifts[k]
		if rng.IntN(3) > 0 {
			shift.MaxStops = 2 + rng.IntN(6)
		}
		if rng.IntN(20) == 0 {
			shift.MaxStops = routing.NoStops
		}
		if rng.IntN(4) == 0 { // where a detour saves driving, one request may only fit with another
			shift.MaxDriving = 1 + rng.Int64N(150)
		}
	}
}
