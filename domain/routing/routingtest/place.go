package routingtest

import (
	"math/rand/v2"

	"waybill/domain/routing"
)

// PlaceBreaks gives shifts of a problem breaks at places, in addition to those that they have.
func PlaceBreaks(rng *rand.Rand, p *routing.Problem) {
	for k := range p.Shifts {
		shift := &p.Shifts[k]
		if shift.Break.Seconds == 0 && len(shift.Breaks) == 0 && rng.IntN(4) > 0 {
			shift.Break = routing.Break{Earliest: rng.Int64N(150), Seconds: 1 + rng.Int64N(20)}
			shift.Break.Latest = shift.Break.Earliest + 10 + rng.Int64N(150)
		}
		if shift.Break.Seconds > 0 && rng.IntN(4) > 0 {
			shift.Break.At = routing.AtPlace(rng.IntN(p.Travel[0].Places))
		}
		for i := range shift.Breaks {
			if rng.IntN(3) > 0 {
				shift.Breaks[i].At = routing.AtPlace(rng.IntN(p.Travel[0].Places))
			}
		}
	}
}
