package recurring

import (
	"slices"

	"waybill/domain/event"
	"waybill/domain/order"
)

// Announce marks events of orders as caused by the template, and one of them as
// the announcement of the series. It reports whether there is one. A series is
// announced with its first orders, and again when a change that applies to
// existing orders adds or removes some. A change that replaces orders is
// announced by the new ones.
func (t *Template) Announce(plan *Plan, events []order.Event) bool {
	kind, about := event.OrderCreated, daysOfCreated(plan)
	if len(about) == 0 && t.Announced > 0 {
		kind, about = event.OrderCancelled, daysOfCancelled(plan)
	}
	due := len(about) > 0 && (t.Announced == 0 || t.Promised() && t.Announced < t.AppliedFrom)
	announced := false
	for i := range events {
		e := &events[i]
		if e.Kind != event.OrderCreated && e.Kind != event.OrderCancelled {
			continue
		}
		e.Series = &order.Series{Template: t.ID}
		if due && !announced && e.Kind == kind {
			e.Series.Orders, e.Series.First, e.Series.Last = len(about), about[0].Date, about[len(about)-1].Date
			announced = true
		}
	}
	return announced
}

func daysOfCreated(p *Plan) []Occurrence {
	all := slices.Clone(p.Create)
	for i := range p.Restore {
		all = append(all, p.Restore[i].Occurrence)
	}
	slices.SortFunc(all, byDate)
	return all
}

func daysOfCancelled(p *Plan) []Occurrence {
	all := make([]Occurrence, len(p.Cancel))
	for i := range p.Cancel {
		all[i] = p.Cancel[i].Occurrence
	}
	slices.SortFunc(all, byDate)
	return all
}

func byDate(a, b Occurrence) int { return a.Date.Compare(b.Date) }
