package planning

import (
	"slices"

	"waybill/domain/routing"
)

// Roads notes which places no vehicle reaches, with the nearest road, and how many meters each place is
// from a road. The profiles of a draft each say it; the largest distance counts.
func (d *Draft) Roads(lost map[int]Nearest, fromRoad []int32) {
	for place, nearest := range lost {
		if d.lost == nil {
			d.lost = map[int]Nearest{}
		}
		d.lost[place] = nearest
	}
	for len(d.fromRoad) < len(d.Points) {
		d.fromRoad = append(d.fromRoad, UnknownMeters)
	}
	for place := range min(len(fromRoad), len(d.fromRoad)) {
		d.fromRoad[place] = max(d.fromRoad[place], fromRoad[place])
	}
}

// farFromRoad returns how many meters a place is from a road, or 0 if it is near one.
func (d *Draft) farFromRoad(place int) int64 {
	if nearest, is := d.lost[place]; is {
		return int64(nearest.Meters)
	}
	if place < 0 || place >= len(d.fromRoad) || d.fromRoad[place] <= FarFromRoad {
		return 0
	}
	return int64(d.fromRoad[place])
}

// Route returns the places of a shift's route in sequence: where it begins, its visits, and where it ends.
func (d *Draft) Route(shift int, visits []routing.Visit) []int {
	of := &d.Problem.Shifts[shift]
	places := []int{of.From}
	for _, v := range visits {
		places = append(places, d.placeOf(v))
	}
	return append(places, of.To)
}

func (d *Draft) placeOf(v routing.Visit) int {
	request := &d.Problem.Requests[v.Request()]
	if v.Delivers() {
		return request.Delivery.Place
	}
	return request.Pickup.Place
}

// PlacesOf returns the places of each route of a plan, of the shifts with the profile of a matrix.
func (d *Draft) PlacesOf(plan routing.Plan, profile int) (routes [][]int) {
	of := d.Profiles[profile]
	for k, visits := range plan.Routes {
		if k < len(d.Problem.Shifts) && len(visits) > 0 && d.Profiles[d.Problem.Shifts[k].Profile] == of {
			routes = append(routes, d.Route(k, visits))
		}
	}
	return routes
}

// Hubs returns the places with so many visits, or where shifts begin or end: those with most first, and
// not more than most of them.
func (d *Draft) Hubs(visits, most int) []int {
	count := map[int]int{}
	for k := range d.Problem.Shifts {
		count[d.Problem.Shifts[k].From] += visits
		count[d.Problem.Shifts[k].To] += visits
		for _, at := range breakPlaces(&d.Problem.Shifts[k]) {
			count[at] += visits
		}
	}
	for r := range d.Problem.Requests {
		count[d.Problem.Requests[r].Pickup.Place]++
		count[d.Problem.Requests[r].Delivery.Place]++
	}
	delete(count, routing.Anywhere)
	var hubs []int
	for place, n := range count {
		if n >= visits {
			hubs = append(hubs, place)
		}
	}
	slices.SortFunc(hubs, func(a, b int) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return a - b
	})
	return hubs[:min(len(hubs), most)]
}
