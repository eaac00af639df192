package store

import (
	"context"
	"time"

	"waybill/domain/event"
	"waybill/domain/webhook"
	"waybill/store/columns"
	"waybill/store/queries"
)

// WebhookAttempt is one attempt to deliver an event.
type WebhookAttempt struct {
	webhook.Place

	ID       int64
	Test     string // the name of an example; empty for an entry of the feed
	Kind     event.Kind
	Count    int // the number of the attempt at the event
	At       time.Time
	Duration time.Duration
	Fault    webhook.Fault
	Status   int // 0 where there was no answer
	Answer   string
}

// MessageID is the public id of the message.
func (a *WebhookAttempt) MessageID() string {
	if a.Test != "" {
		return webhook.TestID(a.Test)
	}
	return a.Place.ID()
}

// WebhookAttemptsWanted filters attempts: before a given one, of one event or
// example, delivered or not.
type WebhookAttemptsWanted struct {
	Before    int64
	Event     *webhook.Place
	Test      string
	Delivered *bool
	AtMost    int32
}

// WebhookAttempts returns attempts, newest first.
func (s *Store) WebhookAttempts(
	ctx context.Context, org, endpoint int64, w WebhookAttemptsWanted,
) ([]WebhookAttempt, error) {
	if w.Event == nil && w.Test == "" {
		rows, err := s.of(org).WebhookAttempts(ctx, queries.WebhookAttemptsParams{
			OrgID: org, EndpointID: endpoint, Before: w.Before, Delivered: w.Delivered, PageSize: w.AtMost,
		})
		return columns.Of(rows, newWebhookAttempt), translate(err)
	}
	at := orZero(w.Event)
	rows, err := s.of(org).WebhookAttemptsOfEvent(ctx, queries.WebhookAttemptsOfEventParams{
		OrgID: org, EndpointID: endpoint, Position: at.Position, Place: at.Number, Test: w.Test,
		Before: w.Before, Delivered: w.Delivered, PageSize: w.AtMost,
	})
	return columns.Of(rows, func(r queries.WebhookAttemptsOfEventRow) WebhookAttempt {
		return newWebhookAttempt(queries.WebhookAttemptsRow(r))
	}), translate(err)
}

func newWebhookAttempt(r queries.WebhookAttemptsRow) WebhookAttempt {
	return WebhookAttempt{
		Place: webhook.Place{Position: r.Position, Number: r.Place}, ID: r.ID, Test: r.Test, Kind: event.Kind(r.Kind),
		Count: int(r.Number), At: r.At, Duration: time.Duration(r.DurationMs) * time.Millisecond,
		Fault: webhook.Fault(r.Fault), Status: int(r.Status), Answer: r.Answer,
	}
}

// AddWebhookAttempts keeps attempts, and returns their ids in their order.
func (t *Tx) AddWebhookAttempts(ctx context.Context, endpoint int64, all []WebhookAttempt) ([]int64, error) {
	p := queries.AddWebhookAttemptsParams{OrgID: t.org, EndpointID: endpoint}
	for i := range all {
		a := &all[i]
		columns.Add(&p.Positions, a.Position)
		columns.Add(&p.Places, a.Number)
		columns.Add(&p.Tests, a.Test)
		columns.Add(&p.Kinds, string(a.Kind))
		columns.Add(&p.Numbers, int32(a.Count))
		columns.Add(&p.Ats, a.At)
		columns.Add(&p.DurationsMs, int32(a.Duration.Milliseconds()))
		columns.Add(&p.Statuses, int32(a.Status))
		columns.Add(&p.Faults, string(a.Fault))
		columns.Add(&p.Answers, a.Answer)
		columns.Add(&p.Seqs, int32(i))
	}
	ids, err := t.q.AddWebhookAttempts(ctx, p)
	return ids, translate(err)
}

// WaitingDelivery is an event that an endpoint has not accepted. Attempts
// counts those since First, Earlier those before. Next is the next retry, or
// zero if it was given up.
type WaitingDelivery struct {
	webhook.Place

	First             time.Time
	Attempts, Earlier int
	Next              time.Time
}

// WebhookTurn is the result of some attempts at an endpoint.
type WebhookTurn struct {
	Attempts []WebhookAttempt
	// Kept are to be retried or were given up; Ended are accepted after they
	// were kept.
	Kept   []WaitingDelivery
	Ended  []webhook.Place
	Cursor webhook.Place
	Health webhook.Health
}

// SaveWebhookTurn saves the result of some attempts at an endpoint, and returns
// when its settings last changed.
func (t *Tx) SaveWebhookTurn(ctx context.Context, endpoint int64, turn *WebhookTurn) (changed time.Time, err error) {
	if len(turn.Attempts) > 0 {
		if _, err = t.AddWebhookAttempts(ctx, endpoint, turn.Attempts); err != nil {
			return changed, err
		}
	}
	if err := t.keepDeliveries(ctx, endpoint, turn.Kept); err != nil {
		return changed, err
	}
	if len(turn.Ended) > 0 {
		p := queries.EndWebhookDeliveriesParams{OrgID: t.org, EndpointID: endpoint}
		p.Positions, p.Places = placeColumns(turn.Ended)
		if err := t.q.EndWebhookDeliveries(ctx, p); err != nil {
			return changed, translate(err)
		}
	}
	h := turn.Health
	changed, err = t.q.NoteWebhookTurn(ctx, queries.NoteWebhookTurnParams{
		OrgID: t.org, ID: endpoint, Position: turn.Cursor.Position, Place: turn.Cursor.Number,
		FailingSince: h.FailingSince, Failures: int32(h.Failures), Rests: int32(h.Rests), RestingUntil: h.RestingUntil,
		DeliveredAt: h.DeliveredAt,
	})
	return changed, absent("webhook_endpoint", endpoint, err)
}

func (t *Tx) keepDeliveries(ctx context.Context, endpoint int64, kept []WaitingDelivery) error {
	if len(kept) == 0 {
		return nil
	}
	p := queries.KeepWebhookDeliveriesParams{OrgID: t.org, EndpointID: endpoint}
	for i := range kept {
		columns.Add(&p.Positions, kept[i].Position)
		columns.Add(&p.Places, kept[i].Number)
		columns.Add(&p.FirstAts, kept[i].First)
		columns.Add(&p.Attempts, int32(kept[i].Attempts))
		columns.Add(&p.NextAts, kept[i].Next)
	}
	return translate(t.q.KeepWebhookDeliveries(ctx, p))
}

// DueWebhookDeliveries returns the deliveries to retry by a time, most urgent
// first.
func (s *Store) DueWebhookDeliveries(
	ctx context.Context, org, endpoint int64, by time.Time, atMost int32,
) ([]WaitingDelivery, error) {
	rows, err := s.of(org).DueWebhookDeliveries(ctx, queries.DueWebhookDeliveriesParams{
		OrgID: org, EndpointID: endpoint, By: by, Batch: atMost,
	})
	return columns.Of(rows, func(r queries.DueWebhookDeliveriesRow) WaitingDelivery {
		return WaitingDelivery{
			Place: webhook.Place{Position: r.Position, Number: r.Place}, First: r.FirstAt, Attempts: int(r.Attempts),
			Earlier: int(r.Earlier),
		}
	}), translate(err)
}

// NextWebhookDelivery returns when the next retry is due, or zero if there is
// none, and how many deliveries are waiting.
func (s *Store) NextWebhookDelivery(ctx context.Context, org, endpoint int64) (next time.Time, waiting int, err error) {
	row, err := s.of(org).NextWebhookDelivery(ctx, queries.NextWebhookDeliveryParams{OrgID: org, EndpointID: endpoint})
	return row.NextAt.UTC(), int(row.Waiting), translate(err)
}

// TriedWebhookEvents returns which events from a position on were tried
// already.
func (s *Store) TriedWebhookEvents(
	ctx context.Context, org, endpoint, position int64,
) (map[webhook.Place]bool, error) {
	rows, err := s.of(org).TriedWebhookEvents(ctx, queries.TriedWebhookEventsParams{
		OrgID: org, EndpointID: endpoint, Position: position,
	})
	tried := make(map[webhook.Place]bool, len(rows))
	for _, r := range rows {
		tried[webhook.Place{Position: r.Position, Number: r.Place}] = true
	}
	return tried, translate(err)
}

// FeedEntries returns entries of the order status feed by position. Entries
// that no longer exist are left out.
func (s *Store) FeedEntries(ctx context.Context, org int64, places []webhook.Place) ([]StatusChange, error) {
	p := queries.FeedEntriesParams{OrgID: org}
	p.Positions, p.Places = placeColumns(places)
	rows, err := s.of(org).FeedEntries(ctx, p)
	return columns.Of(rows, func(r queries.FeedEntriesRow) StatusChange { return StatusChange(r) }), translate(err)
}
