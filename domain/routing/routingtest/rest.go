package routingtest

import (
	"math/rand/v2"

	"waybill/domain/routing"
)

// Rest gives the shifts of a problem driving rules, further breaks, or both. Those that have begun have
// driven already.
func Rest(rng *rand.Rand, p *routing.Problem) {
	for k := range p.Shifts {
		shift := &p.Shifts[k]
		if rng.IntN(5) > 0 {
			shift.Rule = routing.DrivingRule{Most: 15 + rng.Int64N(50), Break: 3 + rng.Int64N(20)}
			if rng.IntN(2) == 0 {
				shift.Rule.First = 1 + rng.Int64N(shift.Rule.Break-1)
				shift.Rule.Second = shift.Rule.Break - shift.Rule.First + rng.Int64N(shift.Rule.First)
			}
			if len(shift.Frozen)+len(shift.OnBoard) > 0 {
				shift.Rested.Driven = rng.Int64N(shift.Rule.Most+11) - 10
				shift.Rested.First = shift.Rule.First > 0 && rng.IntN(2) == 0
			}
		}
		if rng.IntN(3) == 0 {
			at := rng.Int64N(100)
			if shift.Break.Seconds > 0 {
				at = shift.Break.Latest + shift.Break.Seconds + rng.Int64N(30)
			}
			for range 1 + rng.IntN(2) {
				next := routing.Break{Earliest: at, Latest: at + 20 + rng.Int64N(80), Seconds: 1 + rng.Int64N(20)}
				shift.Breaks = append(shift.Breaks, next)
				at = next.Latest + next.Seconds + rng.Int64N(30)
			}
		}
	}
}
