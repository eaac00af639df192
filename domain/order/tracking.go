package order

// At returns the order's status as shown to the contact of one stop: for a
// pickup it ends with the goods being picked up, because the rest does not
// concern them.
func (s Status) At(stop StopKind) Status {
	if stop == Pickup && (s == AtDelivery || s == Delivered) {
		return PickedUp
	}
	return s
}

// String returns the name of a status in the API.
func (s Status) String() string {
	names := [...]string{
		"registered", "planned", "at_pickup", "picked_up", "at_delivery", "delivered", "failed", "cancelled",
	}
	if s < Registered || s > Cancelled {
		return ""
	}
	return names[s-1]
}
