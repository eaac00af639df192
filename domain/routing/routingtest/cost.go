package routingtest

import (
	"math/rand/v2"

	"waybill/domain/routing"
)

// Rate gives most shifts of a problem prices of their own, and half of the shifts a fee.
func Rate(rng *rand.Rand, p *routing.Problem) {
	for k := range p.Shifts {
		if rng.IntN(4) > 0 {
			p.Shifts[k].Rates = &routing.Rates{
				Second: rng.Int64N(5), Meter: rng.Int64N(3), Waiting: rng.Int64N(3), Service: rng.Int64N(4),
			}
		}
		if rng.IntN(2) == 0 {
			p.Shifts[k].Fee = rng.Int64N(200)
		}
	}
}

// WorkLonger lets most shifts of a problem end later at a price.
func WorkLonger(rng *rand.Rand, p *routing.Problem) {
	for k := range p.Shifts {
		if rng.IntN(4) > 0 {
			p.Shifts[k].End = p.Shifts[k].Start + (p.Shifts[k].End-p.Shifts[k].Start)/2
			p.Shifts[k].Overtime = routing.Overtime{Seconds: rng.Int64N(150), Price: rng.Int64N(8)}
		}
	}
}

// Prefer gives about half of the requests of a problem surcharges with some shifts.
func Prefer(rng *rand.Rand, p *routing.Problem) {
	for r := range p.Requests {
		if rng.IntN(2) == 0 {
			continue
		}
		p.Requests[r].Surcharges = make([]routing.Surcharge, len(p.Shifts))
		for k := range p.Shifts {
			p.Requests[r].Surcharges[k] = routing.Surcharge{Preference: rng.Int64N(2) * 40, Territory: rng.Int64N(60)}
		}
	}
}

// Spread gives most shifts of a problem prices of the squares of their hours and orders. Some have done work before.
func Spread(rng *rand.Rand, p *routing.Problem) {
	for k := range p.Shifts {
		b := &p.Shifts[k].Balance
		if rng.IntN(3) > 0 {
			b.Hour = rng.Int64N(100_000)
		}
		if rng.IntN(3) > 0 {
			b.Order = rng.Int64N(60)
		}
		if rng.IntN(3) == 0 {
			b.Seconds, b.Orders = rng.Int64N(200), rng.Int64N(4)
		}
	}
}
