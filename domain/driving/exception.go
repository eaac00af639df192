package driving

import (
	"slices"
	"time"

	"waybill/domain/order"
)

// ExceptionKind is the kind of an exception.
type ExceptionKind string

// The kinds of exception.
const (
	// LateStop is a stop that will be served after its window.
	LateStop ExceptionKind = "LATE_STOP"
	// SilentDriver is a driver on the road who has stopped reporting.
	SilentDriver ExceptionKind = "SILENT_DRIVER"
	// RuleMissed is an order that stays with a driver although a rule now forbids it,
	// because no other driver can take it.
	RuleMissed ExceptionKind = "RULE_MISSED"
	// DeliveredThoughCancelled and ActedThoughCancelled are actions on an order that
	// had been cancelled before.
	DeliveredThoughCancelled ExceptionKind = "DELIVERED_THOUGH_CANCELLED"
	ActedThoughCancelled     ExceptionKind = "ACTED_THOUGH_CANCELLED"
	// NotYoursAnyMore is an action on an order that another driver was carrying out.
	NotYoursAnyMore ExceptionKind = "NOT_YOURS_ANY_MORE"
	// DoneBefore is an action on an order that had already progressed further.
	DoneBefore ExceptionKind = "ALREADY_DONE"
	// BadOrderOfActions is an impossible sequence of actions.
	BadOrderOfActions ExceptionKind = "BAD_ORDER_OF_ACTIONS"
	// ProofAbsent is an action without the required proof.
	ProofAbsent ExceptionKind = "PROOF_MISSING"
	// GoodsMissing are goods that were not there to be picked up.
	GoodsMissing ExceptionKind = "GOODS_MISSING"
	// AllRefused is a delivery of which everything was refused.
	AllRefused ExceptionKind = "ALL_REFUSED"
	// Overridden is an earlier report from another phone that no longer counts.
	Overridden ExceptionKind = "OVERRIDDEN"
)

// Resolution is how an exception ended.
type Resolution string

// The resolutions.
const (
	// Accepted makes the driver's action count.
	Accepted Resolution = "ACCEPTED"
	// Dismissed changes nothing.
	Dismissed Resolution = "DISMISSED"
	// CameRight closes an exception that resolved without a decision.
	CameRight Resolution = "OVER"
)

// Resolutions returns the resolutions that the office can choose.
func (k ExceptionKind) Resolutions() []Resolution {
	switch k {
	case DeliveredThoughCancelled, ActedThoughCancelled, NotYoursAnyMore, DoneBefore:
		return []Resolution{Accepted, Dismissed}
	case LateStop, SilentDriver, RuleMissed, BadOrderOfActions, ProofAbsent, GoodsMissing, AllRefused, Overridden:
	}
	return []Resolution{Dismissed}
}

// May reports whether the office may choose a resolution.
func (k ExceptionKind) May(r Resolution) bool { return slices.Contains(k.Resolutions(), r) }

// Conflict returns the exception that a driver's action raises, given the
// order's state after it. It returns none for actions that took effect, agree
// with the order's state, or concern only the driver.
func (e Effect) Conflict(f Fact, after *Standing) (kind ExceptionKind, conflicts bool) {
	switch {
	case e == UnknownStop || e == WrongStop || e == UnknownCarrier:
		return BadOrderOfActions, true
	case e == ProofMissing:
		return ProofAbsent, true
	case e == Moved && f.Deed == ReportMissing && len(merged(nil, f.Products)) > 0:
		return GoodsMissing, true
	case e == Moved && f.Deed == Deliver && f.Nothing:
		return AllRefused, true
	case e == Moved || !f.Deed.Moves() || f.Deed == Undo:
		return "", false
	case e == OrderCancelled && f.Deed == Deliver:
		return DeliveredThoughCancelled, true
	case e == OrderCancelled:
		return ActedThoughCancelled, true
	case e == NotYours:
		return NotYoursAnyMore, true
	case e == AlreadyDone && !after.agrees(&f):
		return DoneBefore, true
	}
	return "", false
}

// agrees reports whether a fact confirms the current state or is implied by
// it.
func (s *Standing) agrees(f *Fact) bool {
	if f.Deed == Arrive {
		return true
	}
	if f.Deed == ReportMissing && !f.Nothing { // the goods were missing, regardless of the order's outcome
		return s.Status == order.Failed
	}
	return s.DriverID == f.DriverID && (f.Deed == PickUp || s.Status == f.reach())
}

// Clearing returns the office's correction that lets a driver's deed count:
// it resets the order to not begun just before the deed.
func (k ExceptionKind) Clearing(deed Fact) Fact {
	f := Fact{ID: "now", Deed: ByOffice, At: deed.At.Add(-time.Microsecond), To: order.Registered, Corrects: true}
	if k == DeliveredThoughCancelled || k == ActedThoughCancelled {
		f.Deed, f.Corrects = Reactivated, false
	}
	return f
}
