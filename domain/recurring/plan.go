package recurring

import (
	"time"

	"waybill/domain/order"
)

// Protection says why an order that was generated is left as it is.
type Protection string

// The reasons, in the order in which they are looked for.
const (
	// Cancelled: it was cancelled by hand, or its draft was given up.
	Cancelled Protection = "CANCELLED"
	// Started: a driver has begun it, or it is over.
	Started Protection = "STARTED"
	// Booked: it has a booking on an interval.
	Booked Protection = "BOOKED"
	// Edited: it was changed since generation wrote it.
	Edited Protection = "EDITED"
)

// Existing is an occurrence that was generated, and where it stands now.
type Existing struct {
	Occurrence
	Number  string
	Version int64 // the template's version that wrote it last
	// Withdrawn: a change of the template took it away, and its order was
	// cancelled or its draft discarded for that.
	Withdrawn bool
	// OrderID is 0 while there is only a draft.
	OrderID int64
	Status  order.Status
	// Cancelled also counts a number that was taken out of its order.
	Cancelled bool
	Booked    bool
	Edited    bool
	// DraftGone: there is no order, and the draft was given up.
	DraftGone bool
}

// Protection returns why this may not be touched; empty when it may.
func (e *Existing) Protection() Protection {
	switch {
	case e.Edited && e.Withdrawn:
		return Edited // somebody has taken it up again
	case e.Withdrawn:
		return ""
	case e.Cancelled, e.Status == order.Cancelled, e.DraftGone:
		return Cancelled
	case e.Status > order.Planned:
		return Started
	case e.Booked:
		return Booked
	case e.Edited:
		return Edited
	}
	return ""
}

// Protected is an occurrence that a change would touch and may not.
type Protected struct {
	Existing
	Why Protection
}

// Plan is what has to happen so that there are the orders that a template asks
// for.
type Plan struct {
	// Create are occurrences without an order; Restore were withdrawn, and are
	// asked for again.
	Create  []Occurrence
	Restore []Existing
	// Change are brought up to date, and Cancel are no longer asked for.
	Change  []Existing
	Cancel  []Existing
	Protect []Protected
}

// Reconcile compares what is asked for with what was generated. What is asked
// for after the horizon is not generated yet, but no reason to cancel what is
// there. Only what an older version than AppliedFrom generated is changed or
// cancelled.
func (t *Template) Reconcile(wanted []Occurrence, horizon time.Time, existing []Existing) Plan {
	var p Plan
	known := make(map[string]bool, len(existing))
	asked := make(map[string]bool, len(wanted))
	for _, o := range wanted {
		asked[o.Key] = true
	}
	for _, e := range existing {
		known[e.Key] = true
		why := e.Protection()
		old := e.Version < t.AppliedFrom
		switch {
		case e.Withdrawn && why == "" && asked[e.Key] && !e.Date.After(horizon):
			p.Restore = append(p.Restore, e)
		case !old, e.Withdrawn && why == "":
		case why != "":
			p.Protect = append(p.Protect, Protected{e, why})
		case asked[e.Key]:
			p.Change = append(p.Change, e)
		default:
			p.Cancel = append(p.Cancel, e)
		}
	}
	for _, o := range wanted {
		if !known[o.Key] && !o.Date.After(horizon) {
			p.Create = append(p.Create, o)
		}
	}
	return p
}

// Compare finds out what has to happen when it is today.
func (t *Template) Compare(existing []Existing, today time.Time, zone *time.Location) (Plan, error) {
	first, horizon := t.Horizon(today, zone)
	last := horizon
	for i := range existing {
		if existing[i].Date.After(last) {
			last = existing[i].Date
		}
	}
	wanted, err := t.Occurrences(first, last, zone)
	if err != nil {
		return Plan{}, err
	}
	return t.Reconcile(wanted, horizon, existing), nil
}

// Size is how many occurrences the plan touches.
func (p *Plan) Size() int {
	return len(p.Create) + len(p.Restore) + len(p.Change) + len(p.Cancel) + len(p.Protect)
}

// Batch cuts the beginning off a plan, of at most size occurrences: first what
// goes, then what changes, then what is new.
func (p *Plan) Batch(size int) Plan {
	var b Plan
	b.Protect, size = cut(p.Protect, size)
	b.Cancel, size = cut(p.Cancel, size)
	b.Change, size = cut(p.Change, size)
	b.Restore, size = cut(p.Restore, size)
	b.Create, _ = cut(p.Create, size)
	return b
}

func cut[T any](list []T, size int) (head []T, left int) {
	n := min(len(list), size)
	return list[:n], size - n
}

// Requests are the orders that the plan imports, in the order Change, Restore,
// Create.
func (p *Plan) Requests(t *Template, zone *time.Location) []order.Request {
	requests := make([]order.Request, 0, len(p.Change)+len(p.Restore)+len(p.Create))
	for _, e := range p.Change {
		requests = append(requests, t.Request(e.Occurrence, zone))
	}
	for _, e := range p.Restore {
		requests = append(requests, t.Request(e.Occurrence, zone))
	}
	for _, o := range p.Create {
		requests = append(requests, t.Request(o, zone))
	}
	return requests
}

// Defaults are the settings with which occurrences are imported: an order of
// its own each, and all of it as the template says.
func Defaults() order.Defaults {
	no := false
	return order.Defaults{UpdateConfig: order.UpdateSettings{AllowMerge: &no, OrderPricing: order.ReplacePricing}}
}
