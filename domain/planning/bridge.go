package planning

import (
	"slices"

	"waybill/domain/routing"
)

// Bridge uses straight-line legs for places that must be visited but have no
// known route: goods on board stay on their route.
func (d *Draft) Bridge(flight func(p Profile, a, b Point) routing.Leg) {
	anyhow := make([]bool, len(d.Points))
	visit := func(place int) {
		if place != routing.Anywhere {
			anyhow[place] = true
		}
	}
	for k := range d.Problem.Shifts {
		shift := &d.Problem.Shifts[k]
		visit(shift.From)
		visit(shift.To)
		for _, v := range slices.Concat(shift.Frozen, shift.Owed) {
			request := &d.Problem.Requests[v.Request()]
			if v.Delivers() {
				visit(request.Delivery.Place)
			} else {
				visit(request.Pickup.Place)
			}
		}
	}
	for profile, travel := range d.Problem.Travel {
		if travel.Shared() { // it has no place that cannot be reached
			continue
		}
		for a := range travel.Places {
			for b := range travel.Places {
				leg := &travel.Legs[a*travel.Places+b]
				if leg.Seconds == routing.Unreachable && (anyhow[a] || anyhow[b]) {
					*leg = flight(d.Profiles[profile], d.Points[a], d.Points[b])
				}
			}
		}
	}
}
