package recurring

import (
	"slices"
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
	// Doubled are the days that get an order although one stays that is no longer
	// asked for.
	Doubled []time.Time
}

// Reconcile compares what is asked for with what was generated. What is asked
// for after the horizon is not generated yet, but no reason to cancel what is
// there. Only what an older version than AppliedFrom generated is changed or
// cancelled, and nothing is added to days that were generated unless a change
// promised that.
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

// staying says what an order that is no longer asked for, and stays, means for its
// day.
type staying int

const (
	// standsBeside: it is protected, and an order that is asked for comes beside it.
	standsBeside staying = iota + 1
	// keepsDay: a change that left generated orders alone left this one, so the
	// day gets no other.
	keepsDay
)

// stay finds the days on which an order stays that is no longer asked for.
func (t *Template) stay(asked map[string]bool, existing []Existing) map[time.Time]staying {
	days := map[time.Time]staying{}
	for i := range existing {
		e := &existing[i]
		switch why := e.Protection(); {
		case asked[e.Key], why == Cancelled, e.Withdrawn && why == "":
		case e.Version >= t.AppliedFrom && e.Version < t.Version:
			days[e.Date] = keepsDay
		case why != "" && days[e.Date] == 0:
			days[e.Date] = standsBeside
		}
	}
	return days
}

func (p *Plan) noteDoubled(day time.Time, stay map[time.Time]staying) {
	if stay[day] == standsBeside && !slices.Contains(p.Doubled, day) {
		p.Doubled = append(p.Doubled, day)
	}
}

// Compare finds out what has to happen when it is today.
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

// within cuts a horizon to what was generated: a template that was deactivated keeps
// its promise there, and adds nothing behind it.
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

// Defaults are the settings with which occurrences are imported: an order of
// its own each, and all of it as the template says.
func Defaults() order.Defaults {
	no := false
	return order.Defaults{UpdateConfig: order.UpdateSettings{AllowMerge: &no, OrderPricing: order.ReplacePricing}}
}
