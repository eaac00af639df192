package routingtest

import (
	"math/rand/v2"
	"slices"

	"waybill/domain/routing"
)

// Owe makes the shifts of a problem owe some of the requests that they have
// begun, in any order.
func Owe(rng *rand.Rand, p *routing.Problem) {
	for k := range p.Shifts {
		shift := &p.Shifts[k]
		for _, r := range shift.Begun() {
			if delivery := routing.DeliveryOf(r); !slices.Contains(shift.Frozen, delivery) && rng.IntN(4) > 0 {
				shift.Owed = append(shift.Owed, delivery)
			}
		}
		rng.Shuffle(len(shift.Owed), func(i, j int) { shift.Owed[i], shift.Owed[j] = shift.Owed[j], shift.Owed[i] })
	}
}
