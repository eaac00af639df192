package routingtest

import (
	"math/rand/v2"
	"slices"

	"waybill/domain/routing"
)

// Owe has the shifts of a problem owe some of what they have begun, in any order, and
// some requests that nobody has begun with.
func Owe(rng *rand.Rand, p *routing.Problem) {
	begun := map[int]bool{}
	for k := range p.Shifts {
		shift := &p.Shifts[k]
		open := slices.Clone(shift.OnBoard)
		for _, v := range shift.Frozen {
			if !v.Delivers() {
				open = append(open, v.Request())
			}
		}
		for _, r := range open {
			begun[r] = true
			if delivery := routing.DeliveryOf(r); !slices.Contains(shift.Frozen, delivery) && rng.IntN(4) > 0 {
				shift.Owed = append(shift.Owed, delivery)
			}
		}
		rng.Shuffle(len(shift.Owed), func(i, j int) { shift.Owed[i], shift.Owed[j] = shift.Owed[j], shift.Owed[i] })
	}
}
