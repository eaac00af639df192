package routing_test

import (
	"testing"

	"waybill/domain/routing"
	"waybill/domain/routing/routingtest"
)

// farther returns a small problem with breaks at places.
func farther(seed int) *routing.Problem {
	p, rng := resting(seed), seeded(seed+1)
	if seed%3 > 0 {
		for k := range p.Shifts {
			p.Shifts[k].Rule, p.Shifts[k].Rested = routing.DrivingRule{}, routing.Rested{}
		}
	}
	routingtest.PlaceBreaks(rng, p)
	return p
}

// TestCheckAgreesOnBreaksAtPlaces compares Check, the search, and a driver who decides at every place whether to go
// to the break.
func TestCheckAgreesOnBreaksAtPlaces(t *testing.T) {
	t.Parallel()
	mustAgreeOnRests(t, farther)
}

// TestCheckAgreesOnAsksWithBreaksAtPlaces does so where orders ask for something, and shifts have limits and prices.
func TestCheckAgreesOnAsksWithBreaksAtPlaces(t *testing.T) {
	t.Parallel()
	mustAgreeOnAsks(t, farther)
}

func TestPlansWithBreaksAtPlacesAreOptimal(t *testing.T) {
	t.Parallel()
	mustBeOptimal(t, 400, func(seed int) *routing.Problem {
		p := farther(seed)
		noShortCuts(p)
		return p
	})
}

// noShortCuts makes no leg longer than the way by the place of a break.
func noShortCuts(p *routing.Problem) {
	for k := range p.Shifts {
		for _, pause := range append([]routing.Break{p.Shifts[k].Break}, p.Shifts[k].Breaks...) {
			for _, travel := range p.Travel {
				for i := range travel.Legs {
					if pause.At == 0 {
						continue
					}
					from, to, by := i/travel.Places, i%travel.Places, pause.At-1
					a, b := travel.Leg(from, by).Seconds, travel.Leg(by, to).Seconds
					if a < routing.Unreachable && b < routing.Unreachable {
						travel.Legs[i].Seconds = min(travel.Legs[i].Seconds, a+b)
					}
				}
			}
		}
	}
}
