package planning

import (
	"slices"
	"time"

	"waybill/domain/routing"
)

// force finds the place where an order breaks least by itself, and nothing else
// breaks at all.
func (m *mover) force(o *Order, k, r int) bool {
	strict := m.strict(o, k, r)
	best, late := m.leastLate(k, r, &strict)
	if best == nil {
		return false
	}
	var a Accepted
	for n, stop := range []struct {
		until  *time.Time
		closes int64
	}{{&a.PickupUntil, strict.Pickup.Closes}, {&a.DeliveryUntil, strict.Delivery.Closes}} {
		if late[n] > 0 {
			*stop.until = m.d.moment(stop.closes + late[n])
		}
	}
	if by := max(late[0], late[1]); by > 0 {
		m.Breaks = append(m.Breaks, Break{OrderID: o.ID, DriverID: m.d.Drivers[k], Code: Late, By: float64(by)})
	}
	a.Anyhow = m.refused(o, k, r, strict, best)
	m.p.Requests[r].Pickup.Closes = strict.Pickup.Closes + late[0]
	m.p.Requests[r].Delivery.Closes = strict.Delivery.Closes + late[1]
	m.Plan.Routes[k] = best
	m.Accepted[o.ID] = a
	return true
}

// leastLate tries every place in a route, and returns the visits with the one
// in which the request is least late, and by how much at its pickup and its
// delivery.
func (m *mover) leastLate(k, r int, strict *routing.Request) (best []routing.Visit, late [2]int64) {
	route, frozen := m.Plan.Routes[k], len(m.p.Shifts[k].Frozen)
	least, shortest := int64(-1), int64(0)
	for i := frozen; i <= len(route); i++ {
		for j := i; j <= len(route); j++ {
			visits := slices.Concat(route[:i], []routing.Visit{routing.PickupOf(r)}, route[i:j],
				[]routing.Visit{routing.DeliveryOf(r)}, route[j:])
			t := m.p.Timetable(k, visits)
			if !t.Holds {
				continue
			}
			by := lateness(t, r, strict)
			sum := by[0] + by[1]
			if least >= 0 && (sum > least || sum == least && t.Driving >= shortest) || !m.keeps(k, visits) {
				continue
			}
			best, late, least, shortest = visits, by, sum, t.Driving
		}
	}
	return best, late
}

// lateness is by how much a request is late at its pickup and its delivery.
func lateness(t routing.Timetable, r int, strict *routing.Request) (late [2]int64) {
	for _, at := range t.Stops {
		switch at.Visit {
		case routing.PickupOf(r):
			late[0] = max(0, at.Starts-strict.Pickup.Closes)
		case routing.DeliveryOf(r):
			late[1] = max(0, at.Starts-strict.Delivery.Closes)
		}
	}
	return late
}

// keeps reports whether a shift keeps to everything with other visits.
func (m *mover) keeps(k int, visits []routing.Visit) bool { return len(m.check(&m.p, k, visits)) == 0 }

func (m *mover) check(p *routing.Problem, k int, visits []routing.Visit) []routing.Violation {
	alone := routing.Frozen(p)
	alone.Routes[k] = visits
	return slices.DeleteFunc(routing.Broken(p, alone), func(v routing.Violation) bool { return v.Shift != k })
}

// refused notes what else the order asks for that the driver does not have, and
// reports whether there is anything.
func (m *mover) refused(o *Order, k, r int, strict routing.Request, visits []routing.Visit) bool {
	p, refused := m.p, false
	p.Requests = slices.Clone(m.p.Requests)
	for {
		p.Requests[r] = strict
		p.Requests[r].Pickup.Closes = m.p.Requests[r].Pickup.Closes
		p.Requests[r].Delivery.Closes = m.p.Requests[r].Delivery.Closes
		at := slices.IndexFunc(m.check(&p, k, visits), func(v routing.Violation) bool { return v.Request == r })
		if at < 0 {
			return refused
		}
		v := m.check(&p, k, visits)[at]
		b := Break{OrderID: o.ID, DriverID: m.d.Drivers[k], Code: reasonOf[v.Code]}
		switch v.Code {
		case routing.ProhibitedShift:
			strict.Never = nil
		case routing.WrongVehicleType:
			strict.VehicleType = 0
		case routing.SkillMissing:
			b.SkillID, strict.Needs = v.By, without(strict.Needs, int(v.By))
		case routing.SkillProhibited:
			b.SkillID, strict.Refuses = v.By, without(strict.Refuses, int(v.By))
		default:
			return refused
		}
		refused = true
		m.Breaks = append(m.Breaks, b)
	}
}

func without(skills []int, skill int) []int {
	return slices.DeleteFunc(slices.Clone(skills), func(s int) bool { return s == skill })
}
