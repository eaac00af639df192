package driving

import (
	"slices"
	"strconv"
	"time"

	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/order"
)

// Move is one wanted change of an order's status.
type Move struct {
	To order.Status
	// DriverID is the new driver; 0 keeps the current one.
	DriverID int64
	// Stop is where it happened, which matters only for failures; empty means
	// where the goods are.
	Stop order.StopKind
	// At is when it happened.
	At time.Time
	// Correct marks a correction of an earlier report, which may go beyond the
	// table of transitions.
	Correct bool
}

// Move returns the outcome of a move. Moving an order to its present status
// changes nothing, so the call can be repeated.
func (o Order) Move(m Move) (Outcome, error) {
	again := m.To == o.Status && (m.DriverID == 0 || m.DriverID == o.DriverID)
	if again && o.Status != order.Cancelled {
		return o.unchanged(), nil
	}
	handedOver := o.Status == order.Planned && m.To == order.Planned
	regular := handedOver || may(o.Status, m.To, false)
	if !regular && !may(o.Status, m.To, m.Correct) {
		return Outcome{}, o.illegal(m.To)
	}
	if err := o.usable(m); err != nil {
		return Outcome{}, err
	}
	driver, err := o.driverFor(m)
	if err != nil {
		return Outcome{}, err
	}
	happened := o.event(kinds[m.To], driver)
	happened.Status, happened.Stop, happened.At = m.To, stopOf(o.Status, m.To), m.At
	if m.To == order.Failed && m.Stop != "" {
		happened.Stop = m.Stop
	}
	if !regular {
		happened.Kind = event.OrderCorrected // so that no message is sent
	}
	return Outcome{Status: m.To, DriverID: driver, Events: []order.Event{happened}}, nil
}

// driverFor returns the order's driver after a move.
func (o Order) driverFor(m Move) (int64, error) {
	if m.To == order.Registered {
		return 0, nil
	}
	if m.DriverID == 0 || m.DriverID == o.DriverID {
		return o.DriverID, nil
	}
	switch {
	case m.Correct:
	case slices.Contains(o.Prohibited, m.DriverID):
		return 0, o.refuse(fault.Say("driving.prohibited", "name", o.Number, "driver", id(m.DriverID)))
	case o.LockedTo != 0 && o.LockedTo != m.DriverID:
		return 0, o.refuse(fault.Say("driving.locked", "name", o.Number, "driver", id(o.LockedTo)))
	case o.DriverID != 0 && o.underWay():
		return 0, o.refuse(fault.Say("driving.under_way", "name", o.Number, "driver", id(o.DriverID)))
	}
	return m.DriverID, nil
}

// usable reports why a move is incomplete or contradictory.
func (o Order) usable(m Move) error {
	var problems []fault.Violation
	complain := func(field string, text fault.Text) {
		problems = append(problems, fault.Violation{Field: field, Text: text})
	}
	switch {
	case m.To == order.Planned && m.DriverID == 0 && o.DriverID == 0:
		complain("driver_id", fault.Say("driving.driver_missing"))
	case m.To == order.Registered && m.DriverID != 0:
		complain("driver_id", fault.Say("driving.driver_left"))
	}
	where := stopOf(o.Status, m.To)
	if m.Stop != "" && m.Stop != where && (m.To != order.Failed || o.Status.Loaded()) {
		complain("stop", fault.Say("driving.wrong_stop"))
	}
	return fault.Violated(problems)
}

// illegal is the fault of a status that cannot follow the present one.
func (o Order) illegal(to order.Status) error {
	return &fault.Error{
		Kind: fault.IllegalState, Resource: "order", Name: o.Number,
		Text: fault.Say("illegal.transition", "name", o.Number, "from", strconv.Itoa(int(o.Status)),
			"to", strconv.Itoa(int(to)), "allowed", listed(transitions[o.Status])),
	}
}
