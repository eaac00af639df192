package routing

import "slices"

// Visit is one end of a request: where it is picked up or where it is delivered.
type Visit int32

// PickupOf returns the visit at which a request is picked up.
func PickupOf(request int) Visit { return Visit(2 * request) }

// DeliveryOf returns the visit at which a request is delivered.
func DeliveryOf(request int) Visit { return Visit(2*request + 1) }

// Request returns whose visit it is.
func (v Visit) Request() int { return int(v >> 1) }

// Delivers reports whether it is the delivery.
func (v Visit) Delivers() bool { return v&1 == 1 }

// Plan is the visits of each shift in their order, the frozen ones included.
type Plan struct {
	Routes [][]Visit
}

// Clone returns a copy that shares nothing.
func (p Plan) Clone() Plan {
	routes := make([][]Visit, len(p.Routes))
	for k, route := range p.Routes {
		routes[k] = slices.Clone(route)
	}
	return Plan{Routes: routes}
}

// ShiftOf returns for each of so many requests the shift that delivers it, or
// -1. A request without a delivery is not planned.
func (p Plan) ShiftOf(requests int) []int {
	shifts := make([]int, requests)
	for r := range shifts {
		shifts[r] = -1
	}
	for k, route := range p.Routes {
		for _, v := range route {
			if v.Delivers() && v.Request() < requests {
				shifts[v.Request()] = k
			}
		}
	}
	return shifts
}

// Unplanned returns the requests among so many that the plan does not
// deliver.
func (p Plan) Unplanned(requests int) []int {
	var left []int
	for r, k := range p.ShiftOf(requests) {
		if k < 0 {
			left = append(left, r)
		}
	}
	return left
}

// Frozen returns the plan with only the frozen visits of every shift.
func Frozen(p *Problem) Plan {
	routes := make([][]Visit, len(p.Shifts))
	for k := range p.Shifts {
		routes[k] = slices.Clone(p.Shifts[k].Frozen)
	}
	return Plan{Routes: routes}
}

// setup returns how long it takes most vehicles to set up at a site.
func (p *Problem) setup(site int) int64 {
	if site == 0 {
		return 0
	}
	return p.Setups[site]
}

// setupOf returns how long it takes the vehicle of a shift.
func (p *Problem) setupOf(k, site int) int64 {
	if site == 0 {
		return 0
	}
	return p.Shifts[k].manner().sets(p.Setups[site])
}

func (p *Problem) stop(v Visit) *Stop {
	request := &p.Requests[v.Request()]
	if v.Delivers() {
		return &request.Delivery
	}
	return &request.Pickup
}
