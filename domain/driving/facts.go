package driving

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"waybill/domain/order"
)

// Deed is what somebody said of an order.
type Deed string

// What drivers say. Those from Scan on move no order.
const (
	Arrive  Deed = "ARRIVE"
	PickUp  Deed = "PICK_UP"
	Deliver Deed = "DELIVER"
	Fail    Deed = "FAIL"
	Undo    Deed = "UNDO"
	Scan    Deed = "SCAN"
	Note    Deed = "NOTE"
	// ReportMissing says which goods are not there to be picked up.
	ReportMissing Deed = "REPORT_MISSING"
	// Exchange hands load carriers over and takes others back.
	Exchange   Deed = "EXCHANGE_CARGO_CARRIERS"
	StartRoute Deed = "START_ROUTE"
	EndRoute   Deed = "END_ROUTE"
)

// What others say: the office and carriers, and that an order was cancelled or
// brought back.
const (
	ByOffice    Deed = "OFFICE"
	ByCarrier   Deed = "CARRIER"
	Cancel      Deed = "CANCELLED"
	Reactivated Deed = "REACTIVATED"
)

// Deeds are those of drivers.
func Deeds() []Deed {
	return []Deed{StartRoute, Arrive, PickUp, ReportMissing, Deliver, Fail, Undo, Scan, Note, Exchange, EndRoute}
}

// OfStop reports whether a driver's deed is about a stop.
func (d Deed) OfStop() bool { return d != StartRoute && d != EndRoute }

// Moves reports whether a driver's deed may move an order.
func (d Deed) Moves() bool {
	return d == Arrive || d == PickUp || d == ReportMissing || d == Deliver || d == Fail || d == Undo
}

// Counts reports whether a driver's deed is one of those that are taken together to
// decide what came of each: it may move an order, or be taken back.
func (d Deed) Counts() bool { return d.Moves() || d == Exchange }

// Belongs reports whether a driver can do this at such a stop.
func (d Deed) Belongs(stop order.StopKind) bool {
	switch d {
	case PickUp, ReportMissing:
		return stop == order.Pickup
	case Deliver:
		return stop == order.Delivery
	}
	return true
}

// Fact is one thing that somebody said of an order. Facts are never changed and
// never lost; what counts of them is decided anew each time.
type Fact struct {
	// ID tells the facts of an order apart.
	ID   string
	Deed Deed
	// At is when it counts from: when it happened, or for the office, when it said
	// so.
	At time.Time
	// Clock is what the driver's own clock said, which knows how long after one
	// another two deeds were even when it is wrong.
	Clock    time.Time
	DriverID int64
	Stop     order.StopKind
	// To is the status that the office or a carrier said.
	To order.Status
	// Corrects says that the office put right what was said wrongly before.
	Corrects bool
	// Undoes is the fact that an undo takes back.
	Undoes string
	Reason string
	// Products are what a delivery says of them one by one; none is that all were
	// delivered. Of a report they are those that are missing.
	Products []Product
	// Nothing holds when nothing of the order was delivered, or nothing was there.
	Nothing bool
}

// Product says how much of a product was delivered, how much refused, and how much was
// missing when it was to be picked up.
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

// UndoWithin is for how long a driver can take back what he said.
const UndoWithin = time.Minute

// inOrder returns facts as they happened, whenever they came. What happened at
// once stands in the order of the road.
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

// undone says of each undo what came of it, and which facts are taken back.
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
