package driving

import (
	"slices"

	"waybill/domain/event"
	"waybill/domain/order"
)

// Advance is the effect of one more fact on an order.
type Advance struct {
	Effect Effect
	Before Standing
	After  Standing
	// Event is the event to record, nil when status and driver do not change.
	Event *order.Event
}

// With returns the effect on an order of one more fact.
func (h History) With(of *order.Order, f Fact) Advance {
	a := Advance{Before: h.Standing()}
	a.After = History{GivenTo: h.GivenTo, Facts: append(h.Facts[:len(h.Facts):len(h.Facts)], f)}.Standing()
	a.Effect = a.After.Effects[f.ID]
	if !a.Changes() || !a.moves() {
		return a
	}
	a.Event = &order.Event{
		Kind: event.OrderCorrected, Number: of.Number, Order: of, Status: a.After.Status, DriverID: a.After.DriverID,
		At: f.At,
	}
	if a.Effect == Moved && f.Deed != Undo && !f.Corrects && a.After.Status == f.reach() {
		a.Event.Kind, a.Event.Stop = kinds[a.After.Status], f.Stop
		if f.Stop == "" {
			a.Event.Stop = stopOf(a.Before.Status, a.After.Status)
		}
	}
	return a
}

// moves reports whether the order's status or driver changes. The assigned
// driver of a cancelled order does not matter.
func (a *Advance) moves() bool {
	return a.After.Status != a.Before.Status ||
		a.After.DriverID != a.Before.DriverID && a.After.Status != order.Cancelled
}

// Changes reports whether the fact changes the order's progress on the road.
// Planning's changes to an order that no driver has begun do not count.
func (a *Advance) Changes() bool {
	b, n := a.Before, a.After
	return (b.Begun || n.Begun) && (b.Status != n.Status || b.DriverID != n.DriverID || b.Begun != n.Begun ||
		b.Pickup != n.Pickup || b.Delivery != n.Delivery || b.Reason != n.Reason || b.Delivered != n.Delivered)
}

// Lacks reports whether other goods are missing than before.
func (a *Advance) Lacks() bool { return !slices.Equal(a.Before.Missing, a.After.Missing) }

// Answer is the answer to a driver's action.
type Answer string

// The results: it took effect, it was recorded without effect, or it is
// impossible.
const (
	Applied  Answer = "APPLIED"
	Recorded Answer = "RECORDED"
	Rejected Answer = "REJECTED"
)

// Why actions are rejected.
const (
	UnknownStop Effect = "UNKNOWN_STOP"
	WrongStop   Effect = "WRONG_STOP"
	IDTaken     Effect = "ID_TAKEN"
	// ProofMissing lacked a required proof.
	ProofMissing Effect = "PROOF_MISSING"
	// UnknownCarrier exchanged load carriers of a kind that the organization never had.
	UnknownCarrier Effect = "UNKNOWN_CARGO_CARRIER"
)

// Answer returns the answer to the driver.
func (e Effect) Answer() Answer {
	switch e {
	case Moved:
		return Applied
	case UnknownStop, WrongStop, IDTaken, ProofMissing, UnknownCarrier:
		return Rejected
	}
	return Recorded
}
