// Package driving decides how orders progress: which status may follow which,
// who may drive an order, and which event is recorded. One table of
// transitions serves drivers, dispatchers and carriers alike.
package driving

import (
	"slices"
	"strconv"

	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/order"
)

// Order is the part of an order that the rules of driving need.
type Order struct {
	*order.Order

	DriverID int64 // assigned driver, or 0
	LockedTo int64 // the only driver allowed; 0 for any
	// Prohibited lists drivers that may not have the order because of the order
	// itself, its customer or its locations.
	Prohibited []int64
}

// Outcome is the new state of an order and the event that records it;
// without an event nothing changes.
type Outcome struct {
	Status   order.Status
	DriverID int64
	Events   []order.Event
}

// Prohibit prohibits drivers for an order. It is taken off the route of a
// prohibited driver. Prohibit fails if one of them has begun the order, or if
// the order is locked to one of them.
func (o Order) Prohibit(drivers []int64) (Outcome, error) {
	if o.Status.Over() {
		return Outcome{}, fault.Illegal("driving.over", "order", o.Number)
	}
	if slices.Contains(drivers, o.LockedTo) {
		return Outcome{}, o.refuse(fault.Say("driving.locked", "name", o.Number, "driver", id(o.LockedTo)))
	}
	has := slices.Contains(drivers, o.DriverID)
	if has && o.underWay() {
		return Outcome{}, o.refuse(fault.Say("driving.under_way", "name", o.Number, "driver", id(o.DriverID)))
	}
	out := o.unchanged()
	out.Events = append(out.Events, o.event(event.OrderDriversProhibited, 0))
	if has && o.Status == order.Planned {
		out = o.unplan(out)
	}
	return out, nil
}

// Lock locks an order to one driver, or unlocks it if driver is 0. It is taken
// off the route of any other driver.
func (o Order) Lock(driver int64) (Outcome, error) {
	switch {
	case driver == o.LockedTo:
		return o.unchanged(), nil
	case o.Status.Over():
		return Outcome{}, fault.Illegal("driving.over", "order", o.Number)
	case slices.Contains(o.Prohibited, driver):
		return Outcome{}, o.refuse(fault.Say("driving.prohibited", "name", o.Number, "driver", id(driver)))
	case driver != 0 && o.DriverID != 0 && driver != o.DriverID && o.underWay():
		return Outcome{}, o.refuse(fault.Say("driving.under_way", "name", o.Number, "driver", id(o.DriverID)))
	}
	out := o.unchanged()
	if driver == 0 {
		out.Events = append(out.Events, o.event(event.OrderUnlocked, 0))
		return out, nil
	}
	out.Events = append(out.Events, o.event(event.OrderLocked, driver))
	if o.Status == order.Planned && o.DriverID != driver {
		out = o.unplan(out)
	}
	return out, nil
}

// unchanged is the order in its present state.
func (o Order) unchanged() Outcome { return Outcome{Status: o.Status, DriverID: o.DriverID} }

// unplan removes a planned order from its driver.
func (o Order) unplan(out Outcome) Outcome {
	out.Status, out.DriverID = order.Registered, 0
	unplanned := o.event(event.OrderUnplanned, 0)
	unplanned.Status = order.Registered
	out.Events = append(out.Events, unplanned)
	return out
}

// underWay reports whether a driver has begun with the order.
func (o Order) underWay() bool { return o.Status >= order.AtPickup && o.Status <= order.AtDelivery }

func (o Order) event(kind event.Kind, driver int64) order.Event {
	return order.Event{Kind: kind, Number: o.Number, Order: o.Order, DriverID: driver}
}

// refuse is the fault of a driver who can't have an order, or can't lose it.
func (o Order) refuse(why fault.Text) error {
	return &fault.Error{Kind: fault.IllegalState, Resource: "order", Name: o.Number, Text: why}
}

// id writes a driver's identifier for messages.
func id(driver int64) string { return strconv.FormatInt(driver, 10) }
