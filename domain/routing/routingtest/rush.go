package routingtest

import (
	"math/rand/v2"

	"waybill/domain/routing"
)

// Rush puts most matrices into traffic that changes often, in up to three areas. Where there is traffic, a second of
// waiting costs as much as one of driving.
func Rush(rng *rand.Rand, p *routing.Problem) {
	for n := range p.Travel {
		travel := &p.Travel[n]
		if travel.Traffic = nil; rng.IntN(4) == 0 {
			continue
		}
		for range 1 + rng.IntN(3) {
			travel.Traffic = append(travel.Traffic, traffic(rng))
		}
		if len(travel.Traffic) > 1 || rng.IntN(2) == 0 {
			travel.Areas = make([]uint8, travel.Places)
			for place := range travel.Areas {
				travel.Areas[place] = uint8(rng.IntN(len(travel.Traffic)))
			}
		}
	}
	p.Objective.Waiting = p.Objective.Second
	for k := range p.Shifts {
		if rates := p.Shifts[k].Rates; rates != nil {
			rates.Waiting = rates.Second
		}
	}
}

// traffic returns up to eight paces, and now and then none.
func traffic(rng *rand.Rand) *routing.Traffic {
	var paces []routing.Pace
	at := int64(rng.IntN(60)) - 20
	for range rng.IntN(9) {
		paces = append(paces, routing.Pace{From: at, Speed: routing.FullSpeed / 20 * (6 + rng.Int64N(15))})
		at += 1 + rng.Int64N(90)
	}
	return routing.NewTraffic(paces)
}
