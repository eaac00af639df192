package order

import (
	"cmp"

	"waybill/domain/fault"
)

// VehicleTypeChange is the result of changing an order's vehicle type.
type VehicleTypeChange int

// The outcomes of giving an order a vehicle type.
const (
	VehicleTypeChanged VehicleTypeChange = iota
	// VehicleTypeSame is an order that has that type already.
	VehicleTypeSame
	// VehicleTypeFixed is an order whose goods are in a vehicle, or were.
	VehicleTypeFixed
)

// ChangeVehicleType sets an order's vehicle type, which stays until imports
// resolve to a different type than before. A planned order goes back to
// registered, and the caller removes it from its driver. A cancelled one stays
// cancelled.
func (o *Order) ChangeVehicleType(id int64) VehicleTypeChange {
	switch {
	case o.VehicleTypeID == id:
		return VehicleTypeSame
	case o.Status.Loaded():
		return VehicleTypeFixed
	}
	o.replaceVehicleType(id)
	o.Changes.Header = true
	o.tellShares(func(own *Own) { own.Header.replaceVehicleType(id) })
	if o.Status != Registered && o.Status != Cancelled {
		o.Status = Registered
		o.Changes.Status = true
	}
	return VehicleTypeChanged
}

// replaceVehicleType records the type that imports resolve to, so that the next
// one with the same result undoes nothing.
func (h *Header) replaceVehicleType(id int64) {
	imported := cmp.Or(h.ReplacedVehicleTypeID, h.VehicleTypeID)
	h.VehicleTypeID, h.ReplacedVehicleTypeID = id, imported
	if id == imported {
		h.ReplacedVehicleTypeID = 0
	}
}

// vehicleTypeKept records that an entry's vehicle type did not take effect.
func (o *Order) vehicleTypeKept(next *Order, p parts) []Reason {
	if !p.header || o.ReplacedVehicleTypeID == 0 || next.ReplacedVehicleTypeID == 0 {
		return nil
	}
	return []Reason{{ModifiedByPerson, "vehicleType", fault.Say("import.vehicle_type_modified")}}
}

// keepVehicleType keeps a vehicle type set by hand, as long as imports resolve
// to the type that it replaced.
func (o *Order) keepVehicleType(next *Order) {
	if o.ReplacedVehicleTypeID != 0 && next.VehicleTypeID == o.ReplacedVehicleTypeID {
		next.VehicleTypeID, next.ReplacedVehicleTypeID = o.VehicleTypeID, o.ReplacedVehicleTypeID
	}
}
