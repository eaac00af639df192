package order

// VehicleTypeChange is what became of an order that was to get a vehicle type.
type VehicleTypeChange int

// The outcomes of giving an order a vehicle type.
const (
	VehicleTypeChanged VehicleTypeChange = iota
	// VehicleTypeSame is an order that has that type already.
	VehicleTypeSame
	// VehicleTypeFixed is an order whose goods are in a vehicle, or were.
	VehicleTypeFixed
)

// ChangeVehicleType gives an order another vehicle type. An order that is
// planned for a driver is planned anew: it goes back to registered, and the
// caller takes it from the driver. A cancelled one stays cancelled.
func (o *Order) ChangeVehicleType(id int64) VehicleTypeChange {
	switch {
	case o.VehicleTypeID == id:
		return VehicleTypeSame
	case o.Status.Loaded():
		return VehicleTypeFixed
	}
	o.VehicleTypeID = id
	o.Changes.Header = true
	o.tellShares(func(own *Own) { own.Header.VehicleTypeID = id })
	if o.Status != Registered && o.Status != Cancelled {
		o.Status = Registered
		o.Changes.Status = true
	}
	return VehicleTypeChanged
}
