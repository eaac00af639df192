// Package export has the rules by which orders are offered to an external
// carrier: when an order is in the feed, the effect of an acknowledgement, when
// an order returns as an update, and when its export ends. The rules are pure:
// time, tokens and orders are arguments.
package export

import (
	"bytes"
	"errors"
	"time"

	"waybill/domain/event"
)

// Limit is how many acknowledgements of any kind an order may have. The last
// one removes it from the feed permanently (spec.md, "Limits").
const Limit = 5

// DefaultWindow is how long after its last successful export an order may come
// back as an update (spec.md, "Limits").
const DefaultWindow = 14 * 24 * time.Hour

// State is the state of an export.
type State string

// The states of an export. They are kept and must not be renamed.
const (
	// Pending orders are in the feed.
	Pending State = "pending"
	// Exported orders wait for changes until their window closes.
	Exported State = "exported"
	// Closed orders do not return, unless they only left.
	Closed State = "closed"
)

// Reason is why an export is closed.
type Reason string

// The reasons. They are kept and must not be renamed.
const (
	Spent       Reason = "acknowledgements_spent"
	WindowOver  Reason = "window_over"
	ReexportOff Reason = "reexport_off"
	// Left is an order that was cancelled, or got another type, before it was
	// ever exported. It can return.
	Left Reason = "left"
)

// Status is a carrier's answer to an offered shipment.
type Status string

// The statuses of an acknowledgement.
const (
	StatusExported Status = "EXPORTED"
	StatusFailed   Status = "FAILED"
)

// The refusals.
var (
	// ErrSpent refuses an acknowledgement beyond the limit.
	ErrSpent = errors.New("the order has used all of its acknowledgements")
	// ErrCancelled refuses to mark a cancelled order that was never exported.
	ErrCancelled = errors.New("the order is cancelled")
)

// Record is the state of one order's export. The zero Record is that of an
// order that was never marked.
type Record struct {
	State   State
	Reason  Reason // of a closed one
	Carrier string
	// ByHand was marked by an operator: it stays though its type has no carrier.
	ByHand bool
	// Reexport marks an offer that returned after an acknowledgement. It is
	// valid only while re-export is on.
	Reexport bool
	// Owed is a newer version than the acknowledged one that was offered before,
	// so the carrier gets it even when re-export is off.
	Owed bool
	// Version counts the offers; Fetched is the newest that the carrier may
	// have seen, and Done the newest that it acknowledged as exported.
	Version, Fetched, Done int
	// Fingerprint is that of the last offer, DoneFingerprint that of Done.
	Fingerprint, DoneFingerprint []byte
	Used                         int
	SucceededAt, ClosesAt        time.Time // zero until the first success
}

// Facts are the circumstances at the moment of a decision.
type Facts struct {
	Now      time.Time
	Reexport Reexport
	Window   time.Duration
}

// Reexport is the organization's setting, and since when it is on.
type Reexport struct {
	On    bool
	Since time.Time
}

// Covers reports whether an order that was last exported at some time may
// return: acknowledgements from before re-export was enabled stay final.
func (r Reexport) Covers(exported time.Time) bool { return r.On && !exported.Before(r.Since) }

// Order is the state of an order at the moment of a decision.
type Order struct {
	// Carrier is that of its type, or empty.
	Carrier     string
	Cancelled   bool
	Fingerprint []byte
}

// Known reports whether the order was ever marked.
func (r Record) Known() bool { return r.State != "" }

// IsUpdate reports whether the carrier has the shipment already, in another
// version.
func (r Record) IsUpdate() bool { return r.Done > 0 }

// Left is how many acknowledgements the order has left.
func (r Record) Left() int { return Limit - r.Used }

// InFeed reports whether the order is offered under a setting.
func (r Record) InFeed(setting Reexport) bool {
	return r.State == Pending && (!r.Reexport || setting.Covers(r.SucceededAt))
}

// Turned reports whether a cancellation, or the end of one, requires a decision
// about an order's export.
func (r Record) Turned(orderID int64, cancelled bool) bool {
	if !r.Known() || r.Reason == Left {
		return !cancelled
	}
	differs := func(fingerprint []byte) bool {
		return len(fingerprint) > 0 && bytes.Equal(fingerprint, cancelledFingerprint(orderID)) != cancelled
	}
	return !r.Final() && (differs(r.Fingerprint) || differs(r.DoneFingerprint))
}

// Final reports whether the order can't return.
func (r Record) Final() bool { return r.State == Closed && r.Reason != Left }

// Settle applies what has expired since, through time or a changed setting.
// All other rules call it first, so their results do not depend on how
// often the record is read.
func Settle(r Record, f Facts) Record {
	waiting := r.State == Exported && !r.Owed
	switch {
	case (waiting || r.State == Pending && r.Reexport) && !f.Reexport.Covers(r.SucceededAt):
		return r.closed(ReexportOff)
	case waiting && !f.Now.Before(r.ClosesAt):
		return r.closed(WindowOver)
	}
	return r
}

func (r Record) closed(why Reason) Record {
	r.State, r.Reason, r.Reexport, r.Owed = Closed, why, false, false
	return r
}

// Consider decides about an order that may have changed.
func Consider(r Record, o Order, f Facts) Record {
	r = Settle(r, f)
	switch {
	case !r.Known(), r.State == Closed && r.Reason == Left:
		return consideredNew(r, o)
	case r.State == Pending:
		return consideredPending(r, o, f)
	case r.State == Exported:
		return Settle(consideredExported(r, o), f)
	}
	return r
}

// subject reports whether an order that has not been exported belongs in the
// feed.
func (r Record) subject(o Order) bool { return !o.Cancelled && (o.Carrier != "" || r.ByHand) }

// called updates the carrier's name until a carrier has fetched the shipment;
// from then on the name is fixed.
func (r Record) called(o Order) Record {
	if o.Carrier != "" && r.Fetched == 0 {
		r.Carrier = o.Carrier
	}
	return r
}

func consideredNew(r Record, o Order) Record {
	if !r.subject(o) {
		return r
	}
	r = r.called(o)
	r.State, r.Reason, r.Reexport = Pending, "", false
	return r.offered(o)
}

func consideredPending(r Record, o Order, f Facts) Record {
	r = r.called(o)
	if !r.IsUpdate() && !r.subject(o) {
		return r.closed(Left)
	}
	if bytes.Equal(o.Fingerprint, r.Fingerprint) {
		return r
	}
	if r.unchanged(o) {
		r.State, r.Reexport, r.Owed = Exported, false, false
		return Settle(r, f)
	}
	return r.offered(o)
}

func consideredExported(r Record, o Order) Record {
	if r.unchanged(o) {
		r.Owed = false
		return r
	}
	r.State, r.Reexport, r.Owed = Pending, !r.Owed, false
	return r.offered(o)
}

// unchanged reports whether the carrier already has the order's current
// content, and has fetched nothing different since its last acknowledgement.
func (r Record) unchanged(o Order) bool {
	return r.IsUpdate() && r.Fetched <= r.Done && bytes.Equal(o.Fingerprint, r.DoneFingerprint)
}

func (r Record) offered(o Order) Record {
	r.Version++
	r.Fingerprint = o.Fingerprint
	return r
}

// Acknowledgement is a carrier's answer to one version.
type Acknowledgement struct {
	Version     int
	Fingerprint []byte // of that version
	Status      Status
}

// Acknowledge applies an acknowledgement. One of an older version counts,
// but leaves a newer one in the feed.
func Acknowledge(r Record, a Acknowledgement, f Facts) (Record, error) {
	if r.Used >= Limit {
		return r, ErrSpent
	}
	r = Settle(r, f)
	r.Used++
	r.Fetched = max(r.Fetched, a.Version)
	if a.Status == StatusExported {
		r = r.succeeded(a, f)
	}
	if r.Used == Limit {
		return r.closed(Spent), nil
	}
	return Settle(r, f), nil
}

func (r Record) succeeded(a Acknowledgement, f Facts) Record {
	r.SucceededAt, r.ClosesAt = f.Now, f.Now.Add(f.Window)
	if a.Version > r.Done {
		r.Done, r.DoneFingerprint = a.Version, a.Fingerprint
	}
	switch {
	case r.State == Closed && r.Reason == Left:
		// It was exported after all, so the carrier must be told that the order
		// left.
		r.State, r.Reason, r.Owed = Exported, "", true
	case r.State == Pending && r.holds():
		r.State, r.Reexport = Exported, false
	}
	return r
}

// holds reports whether the carrier has acknowledged the current offer.
func (r Record) holds() bool {
	return r.Done == r.Version || r.Fetched <= r.Done && bytes.Equal(r.Fingerprint, r.DoneFingerprint)
}

// Mark offers an order on request of an operator, regardless of its type
// and why it was closed. Used-up acknowledgements are not restored.
func Mark(r Record, o Order, f Facts) (Record, error) {
	r = Settle(r, f)
	switch {
	case r.Used >= Limit:
		return r, ErrSpent
	case o.Cancelled && !r.IsUpdate():
		return r, ErrCancelled
	}
	r.ByHand = true
	if r.State == Pending {
		return r, nil
	}
	r = r.called(o)
	r.State, r.Reason, r.Reexport, r.Owed = Pending, "", false, false
	return r.offered(o), nil
}

// Event returns the kind of event between two records, or empty if nothing
// relevant changed.
func Event(before, after Record) event.Kind {
	switch {
	case after.Used > before.Used:
		return event.ExportAcknowledged
	case after.Version > before.Version:
		return event.ExportOffered
	case after.State == Closed && before.State != Closed:
		return event.ExportClosed
	case after.State == Exported && before.State == Pending:
		return event.ExportWithdrawn
	}
	return ""
}
