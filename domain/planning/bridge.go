package planning

import (
	"slices"

	"waybill/domain/routing"
)

// Bridge uses straight-line legs between places that must be visited but have no known route: goods
// on board stay on their route. Those of a place that no road leads to lead everywhere. No other order
// gets a way by this: what no vehicle reaches stays unplanned.
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
		for _, at := range breakPlaces(shift) {
			visit(at)
		}
		for _, v := range slices.Concat(shift.Frozen, shift.Owed) {
			request := &d.Problem.Requests[v.Request()]
			if v.Delivers() {
				visit(request.Delivery.Place)
			} else {
				visit(request.Pickup.Place)
			}
		}
	}
	for profile := range d.Problem.Travel {
		travel := &d.Problem.Travel[profile]
		for place := range d.Points {
			if anyhow[place] {
				d.bridge(profile, place, anyhow, travel, flight)
			}
		}
	}
}

// bridge replaces the legs from and to a place that are unknown. It copies a matrix that others use.
func (d *Draft) bridge(
	profile, place int, anyhow []bool, travel *routing.Travel, flight func(p Profile, a, b Point) routing.Leg,
) {
	isCut := d.isCut(place, travel)
	replace := func(from, to int) {
		if travel.Leg(from, to).Seconds != routing.Unreachable {
			return
		}
		if travel.Shared() {
			*travel = travel.Own()
		}
		travel.Legs[from*travel.Places+to] = flight(d.Profiles[profile], d.Points[from], d.Points[to])
	}
	for other := range d.Points {
		if isCut || anyhow[other] {
			replace(place, other)
			replace(other, place)
		}
	}
}

// isCut reports whether no way leads from a place to any other.
func (d *Draft) isCut(place int, travel *routing.Travel) bool {
	for other := range d.Points {
		if other != place && travel.Leg(place, other).Seconds != routing.Unreachable {
			return false
		}
	}
	return true
}
