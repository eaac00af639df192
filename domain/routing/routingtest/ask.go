package routingtest

import (
	"math/rand/v2"

	"waybill/domain/routing"
)

// Due gives about half of the stops of a problem a price of lateness.
func Due(rng *rand.Rand, p *routing.Problem) {
	for r := range p.Requests {
		for _, stop := range []*routing.Stop{&p.Requests[r].Pickup, &p.Requests[r].Delivery} {
			if rng.IntN(2) == 0 {
				stop.LatePrice = 1 + rng.Int64N(8)
				stop.Due = stop.Opens + rng.Int64N(stop.Closes-stop.Opens+1)
			}
		}
	}
}

// LimitAboard limits how long about half of the goods of a problem may be on board.
func LimitAboard(rng *rand.Rand, p *routing.Problem) {
	for r := range p.Requests {
		if rng.IntN(2) == 0 {
			p.Requests[r].MaxAboard = 1 + rng.Int64N(120)
		}
	}
}

// Part gives requests kinds of goods, of which some must not travel together.
func Part(rng *rand.Rand, p *routing.Problem) {
	for range 1 + rng.IntN(3) {
		p.Apart = append(p.Apart, routing.Apart{One: rng.IntN(4), Other: rng.IntN(4), Aboard: rng.IntN(2) == 0})
	}
	for r := range p.Requests {
		for kind := range 4 {
			if rng.IntN(3) == 0 {
				p.Requests[r].Goods = append(p.Requests[r].Goods, kind)
			}
		}
	}
}

// LoadMore gives a problem up to three further dimensions of loads. Half of the requests have
// none.
func LoadMore(rng *rand.Rand, p *routing.Problem) {
	p.More = 1 + rng.IntN(3)
	for r := range p.Requests {
		if rng.IntN(2) == 0 {
			for range 1 + rng.IntN(p.More) {
				p.Requests[r].More = append(p.Requests[r].More, rng.Int32N(6))
			}
		}
	}
	for k := range p.Shifts {
		for range p.More {
			p.Shifts[k].More = append(p.Shifts[k].More, 3+rng.Int32N(12))
		}
	}
}
