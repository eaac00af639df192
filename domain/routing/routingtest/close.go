package routingtest

import (
	"math/rand/v2"

	"waybill/domain/routing"
)

// Close gives about half of the stops of a problem spans in which no service begins.
func Close(rng *rand.Rand, p *routing.Problem) {
	for r := range p.Requests {
		for _, stop := range []*routing.Stop{&p.Requests[r].Pickup, &p.Requests[r].Delivery} {
			from := stop.Opens
			for range rng.IntN(4) - 1 {
				if room := stop.Closes - from; room > 2 {
					at := from + rng.Int64N(room-1)
					until := at + 1 + rng.Int64N(min(room-1, stop.Closes-at))
					stop.Closed, from = append(stop.Closed, routing.Span{From: at, Until: until}), until
				}
			}
		}
	}
}
