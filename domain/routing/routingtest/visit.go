package routingtest

import (
	"math/rand/v2"

	"waybill/domain/routing"
)

// Visit gives the places of a problem one or two sites each, with setups, and leaves some
// stops without a site. Some shifts begin in the middle of a visit, and the vehicles of
// others are loaded before.
func Visit(rng *rand.Rand, p *routing.Problem) {
	p.Setups = []int64{0}
	for range 2 * p.Travel[0].Places {
		p.Setups = append(p.Setups, rng.Int64N(20))
	}
	site := func(place int) int {
		if place == routing.Anywhere || rng.IntN(8) == 0 {
			return 0
		}
		return 1 + 2*place + rng.IntN(6)/5
	}
	for r := range p.Requests {
		request := &p.Requests[r]
		request.Pickup.Site, request.Delivery.Site = site(request.Pickup.Place), site(request.Delivery.Place)
	}
	for k := range p.Shifts {
		shift := &p.Shifts[k]
		if rng.IntN(4) == 0 {
			shift.Site = site(shift.From)
		}
		if rng.IntN(3) == 0 {
			shift.Loading.Site = site(rng.IntN(p.Travel[0].Places))
			shift.Loading.Seconds = rng.Int64N(10)
		}
	}
}

// Maneuver gives places sites, if they have none, and lets the vehicles of most shifts take longer to set up. Some
// drivers take longer or shorter for all of their visits.
func Maneuver(rng *rand.Rand, p *routing.Problem) {
	if len(p.Setups) == 0 {
		Visit(rng, p)
	}
	for k := range p.Shifts {
		if rng.IntN(3) > 0 {
			p.Shifts[k].ExtraSetup = 1 + rng.Int64N(25)
		}
		if rng.IntN(2) == 0 {
			p.Shifts[k].VisitPercent = 50 + rng.Int64N(251)
		}
	}
}
