package driving

import (
	"slices"
	"time"

	"waybill/domain/order"
)

// ExceptionKind is what sort of thing the office must look at.
type ExceptionKind string

// The kinds of exception.
const (
	// LateStop is a stop that will be served after its window.
	LateStop ExceptionKind = "LATE_STOP"
	// SilentDriver is a driver on the road of whom nothing is heard.
	SilentDriver ExceptionKind = "SILENT_DRIVER"
	// RuleMissed is an order that stays with a driver although a rule forbids that by now,
	// because nobody else can take it.
	RuleMissed ExceptionKind = "RULE_MISSED"
	// DeliveredThoughCancelled and ActedThoughCancelled are what a driver did with an
	// order that had been cancelled.
	DeliveredThoughCancelled ExceptionKind = "DELIVERED_THOUGH_CANCELLED"
	ActedThoughCancelled     ExceptionKind = "ACTED_THOUGH_CANCELLED"
	// NotYoursAnyMore is what a driver did with an order that another one was carrying
	// out.
	NotYoursAnyMore ExceptionKind = "NOT_YOURS_ANY_MORE"
	// DoneBefore is what a driver did with an order that was further on the road by
	// then.
	DoneBefore ExceptionKind = "ALREADY_DONE"
	// BadOrderOfActions is what cannot have happened.
	BadOrderOfActions ExceptionKind = "BAD_ORDER_OF_ACTIONS"
	// ProofAbsent is what a driver did without the proof that is required.
	ProofAbsent ExceptionKind = "PROOF_MISSING"
	// GoodsMissing are goods that were not there to be picked up.
	GoodsMissing ExceptionKind = "GOODS_MISSING"
	// AllRefused is a delivery of which nothing was taken.
	AllRefused ExceptionKind = "ALL_REFUSED"
	// Overridden is what a driver said before, on another phone, and does not count any
	// more.
	Overridden ExceptionKind = "OVERRIDDEN"
)

// Resolution is how an exception came to its end.
type Resolution string

// The resolutions.
const (
	// Accepted has what the driver did count.
	Accepted Resolution = "ACCEPTED"
	// Dismissed leaves everything as it is.
	Dismissed Resolution = "DISMISSED"
	// CameRight is what was over before anybody did anything.
	CameRight Resolution = "OVER"
)

// Resolutions are those that somebody may choose.
func (k ExceptionKind) Resolutions() []Resolution {
	switch k {
	case DeliveredThoughCancelled, ActedThoughCancelled, NotYoursAnyMore, DoneBefore:
		return []Resolution{Accepted, Dismissed}
	case LateStop, SilentDriver, RuleMissed, BadOrderOfActions, ProofAbsent, GoodsMissing, AllRefused, Overridden:
	}
	return []Resolution{Dismissed}
}

// May reports whether somebody may choose a resolution.
func (k ExceptionKind) May(r Resolution) bool { return slices.Contains(k.Resolutions(), r) }

// Conflict returns what the office must look at after what a driver did, given where
// the order stands after it; empty for what took effect, agrees with how the order
// is, or concerns the driver alone.
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

// agrees reports whether a driver said what is so anyway, or would be implied.
func (s *Standing) agrees(f *Fact) bool {
	if f.Deed == Arrive {
		return true
	}
	if f.Deed == ReportMissing && !f.Nothing { // the goods were missing, whatever came of the order
		return s.Status == order.Failed
	}
	return s.DriverID == f.DriverID && (f.Deed == PickUp || s.Status == f.reach())
}

// Clearing returns what the office says so that a driver's deed counts: just
// before it, the order was as if nobody had begun.
func (k ExceptionKind) Clearing(deed Fact) Fact {
	f := Fact{ID: "now", Deed: ByOffice, At: deed.At.Add(-time.Microsecond), To: order.Registered, Corrects: true}
	if k == DeliveredThoughCancelled || k == ActedThoughCancelled {
		f.Deed, f.Corrects = Reactivated, false
	}
	return f
}
