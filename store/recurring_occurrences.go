package store

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/domain/recurring"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Occurrences returns the generated occurrences of a template from a day on.
func (t *Tx) Occurrences(ctx context.Context, id int64, from time.Time) ([]recurring.Existing, error) {
	rows, err := t.q.FindOccurrences(ctx, queries.FindOccurrencesParams{
		OrgID: t.org, RecurringOrderID: id, FromDate: from,
	})
	if err != nil {
		return nil, fmt.Errorf("occurrences: %w", err)
	}
	all := make([]recurring.Existing, len(rows))
	for i := range rows {
		r := &rows[i]
		all[i] = recurring.Existing{
			Occurrence: recurring.Occurrence{Key: r.Occurrence, At: r.At.UTC(), Date: r.Date.UTC()},
			Number:     r.Number, Version: r.Version, Withdrawn: r.Withdrawn,
			OrderID: r.OrderID, Status: order.Status(r.StatusID),
			Cancelled: r.Cancelled, Booked: r.Booked, Edited: r.Edited, DraftGone: r.OrderID == 0 && r.DraftState == "discarded",
		}
	}
	return all, nil
}

// AnyEdited reports whether one of these orders has been edited since its template
// wrote it.
func (t *Tx) AnyEdited(ctx context.Context, ids []int64) (bool, error) {
	edited, err := t.q.AnyEdited(ctx, queries.AnyEditedParams{OrgID: t.org, Ids: ids})
	if err != nil {
		return false, fmt.Errorf("find edits: %w", err)
	}
	return edited, nil
}

// DiscardDraftsOf discards the drafts of numbers, with their events.
func (t *Tx) DiscardDraftsOf(ctx context.Context, numbers []string) error {
	drafts, err := t.q.DiscardDrafts(ctx, queries.DiscardDraftsParams{OrgID: t.org, Numbers: numbers})
	if err != nil {
		return fmt.Errorf("discard drafts: %w", err)
	}
	events := make([]order.Event, len(drafts))
	for i, d := range drafts {
		events[i] = order.Event{Kind: event.DraftDiscarded, Number: d.ExternalID, Draft: &order.Draft{ID: d.ID}}
	}
	s := newSaver(t)
	s.events(ctx, events)
	return s.send(ctx)
}

// NoteOccurrences records that part of a plan is done, and that the orders that
// this transaction wrote match the template: nobody has edited them.
func (t *Tx) NoteOccurrences(
	ctx context.Context, template *recurring.Template, done *recurring.Plan, orders []*order.Order,
) error {
	p := queries.PutOccurrencesParams{OrgID: t.org, RecurringOrderID: template.ID, Version: template.Version}
	add := func(o recurring.Occurrence, withdrawn bool) {
		columns.Add(&p.Occurrences, o.Key)
		columns.Add(&p.Numbers, template.Number(o))
		columns.Add(&p.Ats, o.At)
		columns.Add(&p.Dates, o.Date)
		columns.Add(&p.Withdrawns, withdrawn)
	}
	for _, e := range done.Protect {
		add(e.Occurrence, e.Withdrawn)
	}
	for _, e := range done.Cancel {
		add(e.Occurrence, true)
	}
	for _, list := range [][]recurring.Existing{done.Change, done.Restore} {
		for _, e := range list {
			add(e.Occurrence, false)
		}
	}
	for _, o := range done.Create {
		add(o, false)
	}
	if err := t.q.PutOccurrences(ctx, p); err != nil {
		return fmt.Errorf("save occurrences: %w", err)
	}
	ids := columns.Of(orders, func(o *order.Order) int64 { return o.ID })
	return t.q.NoteAsGenerated(ctx, queries.NoteAsGeneratedParams{OrgID: t.org, Ids: ids})
}

// Generation is what one step of generating adds to a template's statistics.
type Generation struct {
	Orders  int
	Worked  bool
	Error   string // code of the last failure, or empty
	Through *time.Time
	NextRun *time.Time
	// Owes is true if there is more to generate now, and Complete if nothing is
	// left to generate.
	Owes, Complete bool
	// AppliedTo is the last version that has been applied, and Announced the
	// last one announced; 0 means none.
	AppliedTo, Announced int64
}

// NoteGenerated keeps the statistics of a template.
func (t *Tx) NoteGenerated(ctx context.Context, id int64, g Generation) error {
	return t.q.NoteGenerated(ctx, queries.NoteGeneratedParams{
		OrgID: t.org, ID: id, Generated: int64(g.Orders), Worked: g.Worked, Failure: g.Error,
		GeneratedThrough: g.Through, NextRunAt: g.NextRun, Owes: g.Owes, IsComplete: g.Complete, AppliedTo: g.AppliedTo,
		Announced: g.Announced,
	})
}

// NoteGenerationError notes why a template cannot be expanded.
func (t *Tx) NoteGenerationError(ctx context.Context, id int64, code string, nextRun time.Time) error {
	return t.q.NoteGenerationError(ctx, queries.NoteGenerationErrorParams{
		OrgID: t.org, ID: id, Failure: code, NextRunAt: nextRun,
	})
}
