package recurring

import (
	"slices"
	"time"

	"waybill/domain/order"
)

// Protection is why a generated order must not be changed.
type Protection string

// The reasons, in the sequence of checks.
const (
	// Cancelled: it was cancelled by hand, or its draft was discarded.
	Cancelled Protection = "CANCELLED"
	// Started: a driver has begun it, or it is over.
	Started Protection = "STARTED"
	// Booked: it has a booking on an interval.
	Booked Protection = "BOOKED"
	// Edited: it was changed since generation wrote it.
	Edited Protection = "EDITED"
)

// Existing is a generated occurrence and its present state.
type Existing struct {
	Occurrence
	Number  string
	Version int64 // the template's version that wrote it last
	// Withdrawn: a change of the template took it away, and its order was
	// cancelled or its draft discarded for that.
	Withdrawn bool
	// OrderID is 0 while it is a draft.
	OrderID int64
	Status  order.Status
	// Cancelled also counts a number that was taken out of its order.
	Cancelled bool
	Booked    bool
	Edited    bool
	// DraftGone is true if there is no order and the draft was discarded.
	DraftGone bool
}

// Protection returns why the order must not be changed; empty when it can
// be.
func (e *Existing) Protection() Protection {
	switch {
	case e.Edited && e.Withdrawn:
		return Edited // reactivated by a person
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

// Protected is an occurrence that a change would affect but must not.
type Protected struct {
	Existing
	Why Protection
}

// Plan lists the changes needed to match a template's occurrences.
type Plan struct {
	// Create are occurrences without an order; Restore were withdrawn, and are
	// needed again.
	Create  []Occurrence
	Restore []Existing
	// Change are updated, and Cancel are no longer needed.
	Change  []Existing
	Cancel  []Existing
	Protect []Protected
	// Doubled are the days that get a new order although an outdated one stays.
	Doubled []time.Time
}

// Reconcile compares the wanted occurrences with the generated ones.
// Occurrences after the horizon are not generated yet, but existing orders
// for them are not cancelled. Only orders of versions older than AppliedFrom
// are changed or cancelled, and days already generated get no new orders
// unless a change applies to existing ones.
func (t *Template) Reconcile(wanted []Occurrence, horizon time.Time, existing []Existing) Plan {
	var p Plan
	known := make(map[string]bool, len(existing))
	asked := make(map[string]bool, len(wanted))
	for _, o := range wanted {
		asked[o.Key] = true
	}
	stay := t.stay(asked, existing)
	adds := func(day time.Time) bool { return !day.After(horizon) && t.isOpen(day) && stay[day] != keepsDay }
	for _, e := range existing {
		known[e.Key] = true
		why := e.Protection()
		old := e.Version < t.AppliedFrom
		switch {
		case e.Withdrawn && why == "" && asked[e.Key] && adds(e.Date):
			p.Restore = append(p.Restore, e)
			p.noteDoubled(e.Date, stay)
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
		if !known[o.Key] && adds(o.Date) {
			p.Create = append(p.Create, o)
			p.noteDoubled(o.Date, stay)
		}
	}
	slices.SortFunc(p.Doubled, time.Time.Compare)
	return p
}

// staying is the effect of an outdated order that stays on its day.
type staying int

const (
	// doublesDay means that it is protected, and a wanted order is created in
	// addition.
	doublesDay staying = iota + 1
	// keepsDay: a change that did not apply to generated orders kept this one,
	// so the day gets no other.
	keepsDay
)

// stay finds the days on which an outdated order stays.
func (t *Template) stay(asked map[string]bool, existing []Existing) map[time.Time]staying {
	days := map[time.Time]staying{}
	for i := range existing {
		e := &existing[i]
		switch why := e.Protection(); {
		case asked[e.Key], why == Cancelled, e.Withdrawn && why == "":
		case e.Version >= t.AppliedFrom && e.Version < t.Version:
			days[e.Date] = keepsDay
		case why != "" && days[e.Date] == 0:
			days[e.Date] = doublesDay
		}
	}
	return days
}

func (p *Plan) noteDoubled(day time.Time, stay map[time.Time]staying) {
	if stay[day] == doublesDay && !slices.Contains(p.Doubled, day) {
		p.Doubled = append(p.Doubled, day)
	}
}

// Compare returns the plan for today.
func (t *Template) Compare(existing []Existing, today time.Time, zone *time.Location) (Plan, error) {
	first, horizon := t.Horizon(today, zone)
	if !t.Active {
		horizon = t.within(horizon, today)
	}
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

// within limits a horizon to the generated days: a deactivated template keeps
// these up to date, and adds nothing after them.
func (t *Template) within(horizon, today time.Time) time.Time {
	through := today.AddDate(0, 0, -1)
	if t.GeneratedThrough != nil {
		through = *t.GeneratedThrough
	}
	if through.Before(horizon) {
		return through
	}
	return horizon
}

// Days are the days whose orders the plan changes, in order.
func (p *Plan) Days() []time.Time {
	var all []time.Time
	for _, list := range [][]Existing{p.Restore, p.Change, p.Cancel} {
		for i := range list {
			all = append(all, list[i].Date)
		}
	}
	for _, o := range p.Create {
		all = append(all, o.Date)
	}
	slices.SortFunc(all, time.Time.Compare)
	return slices.Compact(all)
}

// Size is how many occurrences the plan touches.
func (p *Plan) Size() int {
	return len(p.Create) + len(p.Restore) + len(p.Change) + len(p.Cancel) + len(p.Protect)
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

// Defaults are the settings with which occurrences are imported: one order
// each, with all values from the template.
func Defaults() order.Defaults {
	no := false
	return order.Defaults{UpdateConfig: order.UpdateSettings{AllowMerge: &no, OrderPricing: order.ReplacePricing}}
}
