package planning

import (
	"slices"

	"waybill/domain/routing"
)

// force finds the place where the order itself has the smallest violations, and
// no other order has any.
func (m *mover) force(o *Order, k, r int) bool {
	strict := m.strict(o, k, r)
	forced, ok := routing.Force(&m.p, m.Plan, k, r, [2]int64{strict.Pickup.Closes, strict.Delivery.Closes})
	if !ok || !m.keeps(k, forced.Visits) {
		return false
	}
	late := [2]int64{forced.PickupLate, forced.DeliveryLate}
	m.note(o, k, r, late, forced.Visits)
	m.p.Requests[r].Pickup.Closes = strict.Pickup.Closes + late[0]
	m.p.Requests[r].Delivery.Closes = strict.Delivery.Closes + late[1]
	m.Plan.Routes[k] = forced.Visits
	return true
}

// keeps reports whether a shift keeps to everything with other visits.
func (m *mover) keeps(k int, visits []routing.Visit) bool { return len(m.check(&m.p, k, visits)) == 0 }

func (m *mover) check(p *routing.Problem, k int, visits []routing.Visit) []routing.Violation {
	alone := routing.Frozen(p)
	alone.Routes[k] = visits
	return slices.DeleteFunc(routing.Broken(p, alone), func(v routing.Violation) bool { return v.Shift != k })
}

// refused records the other requirements that the driver does not meet, and
// reports whether there are any.
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
		b := Break{OrderID: o.ID, DriverID: m.d.Drivers[k], Code: m.d.reason(v.Code, v.By)}
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
