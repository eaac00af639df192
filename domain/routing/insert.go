package routing

import "slices"

// Insert places one request where it costs least, including the price of
// change and of another shift, and leaves everything else unchanged. It
// reports whether there is a place. Problem and plan must be valid; the plan
// is not changed.
func Insert(p *Problem, plan Plan, request int) (Plan, bool) {
	m := newModelFor(p, request)
	q := int32(request)
	f := finder{m: m, exact: true}
	best, at := found{cost: nowhere}, -1
	var chosen *route
	asks := map[int]*ask{}
	for k := range p.Shifts {
		if !m.allowed.has(request, k) || k >= len(plan.Routes) {
			continue
		}
		tariff := m.shifts[k].tariff
		if asks[tariff] == nil {
			asks[tariff] = m.gathered(q, tariff)
		}
		r := m.routeOf(k, plan.Routes[k])
		place := f.find(k, r, asks[tariff])
		if place.cost >= nowhere {
			continue
		}
		place.cost += m.changeOf(q, int32(k))
		if len(plan.Routes[k]) == 0 {
			place.cost += p.Objective.Shift + p.Shifts[k].Fee
		}
		if place.cost < best.cost {
			best, at, chosen = place, k, r
		}
	}
	if at < 0 {
		return plan, false
	}
	a := m.bareAsk(q, m.shifts[at].tariff)
	spots := m.spliced(nil, chosen.spots, &a, int(best.i), int(best.j))
	out := Plan{Routes: slices.Clone(plan.Routes)}
	out.Routes[at] = visitsOf(spots)
	return out, true
}

func visitsOf(spots []spot) []Visit {
	visits := make([]Visit, 0, len(spots)-2)
	for _, at := range spots[1 : len(spots)-1] {
		visits = append(visits, Visit(at.visit))
	}
	return visits
}

// routeOf measures a route of a plan.
func (m *model) routeOf(k int, visits []Visit) *route {
	r := &route{spots: make([]spot, 0, len(visits)+4)}
	r.spots = append(r.spots, m.begins(k))
	for _, v := range visits {
		r.spots = append(r.spots, m.spots[v])
	}
	r.spots = append(r.spots, m.ends(k))
	m.measure(k, r)
	return r
}

// gathered returns an ask with its own rows, for a model without rows.
func (m *model) gathered(q int32, tariff int) *ask {
	a := m.bareAsk(q, tariff)
	travel := &m.p.Travel[m.tariffs[tariff].profile]
	n, of := travel.Places, travel.row()
	row := func(place int32) []Leg {
		legs := make([]Leg, m.stride)
		if int(place) < n {
			copy(legs, travel.Legs[int(place)*of:][:n])
		}
		return legs
	}
	column := func(place int32) []Leg {
		legs := make([]Leg, m.stride)
		for from := 0; from < n && int(place) < n; from++ {
			legs[from] = travel.Legs[from*of+int(place)]
		}
		return legs
	}
	a.toPickup, a.fromPickup = column(a.pickup.place), row(a.pickup.place)
	a.toDrop, a.fromDrop = column(a.drop.place), row(a.drop.place)
	return &a
}

// newModelFor lays out a problem for one request.
func newModelFor(p *Problem, request int) *model {
	m := layOutVisits(p)
	m.allowed = newTable(len(p.Requests), len(p.Shifts))
	m.allowOne(request)
	return m
}

// Repair returns the valid part of a plan: it removes visits that must not or
// can no longer be made, with their requests, and puts frozen ones first.
func Repair(p *Problem, plan Plan) Plan {
	p.arrange()
	s := newSearch(newModel(p), 0)
	s.prices = newPrices(p, s.movable)
	s.load(plan)
	s.keep()
	return s.plan()
}
