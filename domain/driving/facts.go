package driving

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"waybill/domain/order"
)

// Deed is the kind of a fact about an order.
type Deed string

// Deeds of drivers. Those from Scan on change no status.
const (
	Arrive  Deed = "ARRIVE"
	PickUp  Deed = "PICK_UP"
	Deliver Deed = "DELIVER"
	Fail    Deed = "FAIL"
	Undo    Deed = "UNDO"
	Scan    Deed = "SCAN"
	Note    Deed = "NOTE"
	// ReportMissing reports goods that are missing at pickup.
	ReportMissing Deed = "REPORT_MISSING"
	// Exchange hands load carriers over and takes others back.
	Exchange Deed = "EXCHANGE_CARGO_CARRIERS"
	// ReportWrongPin says where the address of a stop is, if it is not where the stop is shown.
	ReportWrongPin Deed = "REPORT_WRONG_PIN"
	StartRoute     Deed = "START_ROUTE"
	EndRoute       Deed = "END_ROUTE"
)

// Deeds of others: the office and carriers, and cancelling or restoring an
// order.
const (
	ByOffice    Deed = "OFFICE"
	ByCarrier   Deed = "CARRIER"
	Cancel      Deed = "CANCELLED"
	Reactivated Deed = "REACTIVATED"
)

// Deeds are those of drivers.
func Deeds() []Deed {
	return []Deed{
		StartRoute, Arrive, PickUp, ReportMissing, Deliver, Fail, Undo, Scan, Note, Exchange, ReportWrongPin, EndRoute,
	}
}

// OfStop reports whether a driver's deed is about a stop.
func (d Deed) OfStop() bool { return d != StartRoute && d != EndRoute }

// Moves reports whether a driver's deed may move an order.
func (d Deed) Moves() bool {
	return d == Arrive || d == PickUp || d == ReportMissing || d == Deliver || d == Fail || d == Undo
}

// Counts reports whether the action takes part in deciding an order's state: it
// may change the status, or be undone.
func (d Deed) Counts() bool { return d.Moves() || d == Exchange }

// Belongs reports whether the action is possible at such a stop.
func (d Deed) Belongs(stop order.StopKind) bool {
	switch d {
	case PickUp, ReportMissing:
		return stop == order.Pickup
	case Deliver:
		return stop == order.Delivery
	}
	return true
}

// Fact is one report about an order. Facts are never changed and never lost;
// their effects are recalculated each time.
type Fact struct {
	// ID identifies the fact within its order.
	ID   string
	Deed Deed
	// At is the effective time: when it happened, or for the office, when it was
	// reported.
	At time.Time
	// Clock is the time on the driver's own clock. Even a wrong clock gives the
	// right time between two actions.
	Clock    time.Time
	DriverID int64
	Stop     order.StopKind
	// To is the status that the office or a carrier set.
	To order.Status
	// Corrects marks a correction by the office of an earlier report.
	Corrects bool
	// Undoes is the fact that an undo takes back.
	Undoes string
	Reason string
	// Products are the delivered quantities per product; empty means that all
	// were delivered. In a missing report they are the missing goods.
	Products []Product
	// Nothing is true if nothing of the order was delivered, or nothing was
	// there.
	Nothing bool
}

// Product is how much of a product was delivered, refused, and missing at
// pickup.
type Product struct {
	ID        int64   `json:"id"`
	Delivered float64 `json:"delivered"`
	Refused   float64 `json:"refused"`
	Missing   float64 `json:"missing,omitempty"`
	Reason    string  `json:"reason,omitempty"`
	// ReportedBy and ReportedAt are the driver who reported it missing, and when.
	ReportedBy int64     `json:"-"`
	ReportedAt time.Time `json:"-"`
}

// UndoWithin is how long a driver can undo a deed.
const UndoWithin = time.Minute

// inOrder returns facts in the order in which they happened, regardless of
// when they arrived. Facts at the same time follow the order of the road.
func inOrder(facts []Fact) []Fact {
	sorted := slices.Clone(facts)
	slices.SortFunc(sorted, func(a, b Fact) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.reach(), b.reach()), strings.Compare(a.ID, b.ID))
	})
	return sorted
}

// reach is the status that a fact speaks of.
func (f *Fact) reach() order.Status {
	switch f.Deed {
	case Arrive:
		if f.Stop == order.Delivery {
			return order.AtDelivery
		}
		return order.AtPickup
	case PickUp:
		return order.PickedUp
	case Deliver:
		if f.Nothing {
			return order.Failed
		}
		return order.Delivered
	case ReportMissing:
		if f.Nothing {
			return order.Failed
		}
	case Fail:
		return order.Failed
	case ByOffice, ByCarrier:
		return f.To
	case Cancel:
		return order.Cancelled
	}
	return order.Registered
}

// undone returns the effect of each undo, and the facts that are undone.
func undone(facts []Fact) (gone map[string]bool, effects map[string]Effect) {
	byID := make(map[string]*Fact, len(facts))
	for i := range facts {
		byID[facts[i].ID] = &facts[i]
	}
	gone, effects = map[string]bool{}, map[string]Effect{}
	for i := range facts {
		f := &facts[i]
		if f.Deed != Undo {
			continue
		}
		effects[f.ID] = f.undoes(byID[f.Undoes])
		if effects[f.ID] == Moved {
			gone[f.Undoes] = true
		}
	}
	return gone, effects
}

// undoes decides whether an undo takes back a fact.
func (f *Fact) undoes(of *Fact) Effect {
	if of == nil || of.DriverID != f.DriverID || of.Deed == Undo || !of.Deed.Counts() {
		return NothingToUndo
	}
	if after := f.Clock.Sub(of.Clock); after < 0 || after > UndoWithin {
		return UndoTooLate
	}
	return Moved
}
