// Package masterdata is what people keep up by hand: the records that orders,
// bookings and prices refer to. Each kind is a struct whose JSON is that of the
// API, with the rules of what it may say.
package masterdata

import (
	"strconv"

	"waybill/domain/fault"
)

// Kind is a sort of master data, as the world calls it in the singular.
type Kind string

// The kinds.
const (
	Department   Kind = "department"
	Group        Kind = "group"
	Skill        Kind = "skill"
	VehicleType  Kind = "vehicle_type"
	OrderType    Kind = "order_type"
	Zone         Kind = "zone"
	FreightLevel Kind = "freight_level"
	OrderStatus  Kind = "order_status"
)

// Missing is the fault of a record that is not there.
func (k Kind) Missing(id int64) error {
	name := strconv.FormatInt(id, 10)
	switch k {
	case Department:
		return fault.Missing("department", name)
	case Group:
		return fault.Missing("group", name)
	case Skill:
		return fault.Missing("skill", name)
	case VehicleType:
		return fault.Missing("vehicle_type", name)
	case OrderType:
		return fault.Missing("order_type", name)
	case Zone:
		return fault.Missing("zone", name)
	case FreightLevel:
		return fault.Missing("freight_level", name)
	case OrderStatus:
	}
	return &fault.Error{Kind: fault.NotFound}
}
