package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/store/queries"
)

// Draft is a stored draft. Request and Defaults are the JSON from its import or
// last completion; lists leave them out.
type Draft struct {
	ID         int64
	ExternalID string
	State      order.DraftState
	Request    json.RawMessage
	Defaults   order.Defaults
	Reasons    []order.Reason
	// OrderID is the order that a promoted draft became, else 0.
	OrderID   int64
	CreatedAt time.Time
	UpdatedAt time.Time
	// Documents are its documents in the contract's form, and Booking is its
	// seat, or nil. Only reading a single draft loads them.
	Documents json.RawMessage
	Booking   *Booking
}

// DraftFilter selects drafts; nil matches any.
type DraftFilter struct {
	State        *string
	ExternalID   *string
	UpdatedSince *time.Time
	Reason       *string // one of its reasons
	Day          *string // as YYYY-MM-DD
}

// Drafts lists drafts behind an id, oldest first.
func (s *Store) Drafts(ctx context.Context, org int64, f DraftFilter, after int64, limit int32) ([]Draft, error) {
	rows, err := s.lists(org).ListDrafts(ctx, queries.ListDraftsParams{
		OrgID: org, State: f.State, ExternalID: f.ExternalID, UpdatedSince: f.UpdatedSince, After: after, PageSize: limit,
		Reason: f.Reason, OnDay: f.Day,
	})
	if err != nil {
		return nil, fmt.Errorf("list drafts: %w", translate(err))
	}
	drafts := make([]Draft, len(rows))
	for i, r := range rows {
		drafts[i] = Draft{
			ID: r.ID, ExternalID: r.ExternalID, State: order.DraftState(r.State), OrderID: r.OrderID,
			CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
		}
		if err := json.Unmarshal(r.Reasons, &drafts[i].Reasons); err != nil {
			return nil, fmt.Errorf("reasons of draft %d: %w", r.ID, err)
		}
	}
	return drafts, nil
}

// Draft reads one draft with its documents and its seat.
func (s *Store) Draft(ctx context.Context, org, id int64) (d Draft, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		if d, err = t.LoadDraft(ctx, id); err != nil {
			return err
		}
		d.Documents, err = t.q.DraftDocuments(ctx, queries.DraftDocumentsParams{OrgID: org, DraftID: id})
		if err != nil {
			return fmt.Errorf("documents of draft %d: %w", id, err)
		}
		seat, err := t.LoadBooking(ctx, Booked{DraftID: id})
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		d.Booking = &seat
		return err
	})
	return d, err
}

func newDraft(r *queries.ReadDraftRow) (Draft, error) {
	d := Draft{
		ID: r.ID, ExternalID: r.ExternalID, State: order.DraftState(r.State), Request: r.Request, OrderID: r.OrderID,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
	if err := jsonv2.Unmarshal(r.Defaults, &d.Defaults); err != nil {
		return d, fmt.Errorf("defaults of draft %d: %w", r.ID, err)
	}
	if err := json.Unmarshal(r.Reasons, &d.Reasons); err != nil {
		return d, fmt.Errorf("reasons of draft %d: %w", r.ID, err)
	}
	return d, nil
}

// LoadDraft reads one draft in this transaction.
func (t *Tx) LoadDraft(ctx context.Context, id int64) (Draft, error) {
	row, err := t.q.ReadDraft(ctx, queries.ReadDraftParams{OrgID: t.org, ID: id})
	if err != nil {
		return Draft{}, absent("draft", id, err)
	}
	return newDraft(&row)
}

// LockDraft locks a draft in this transaction, and returns its state.
func (t *Tx) LockDraft(ctx context.Context, id int64) (state order.DraftState, externalID string, err error) {
	row, err := t.q.LockDraft(ctx, queries.LockDraftParams{OrgID: t.org, DraftID: id})
	return order.DraftState(row.State), row.ExternalID, absent("draft", id, err)
}

// DraftHolds reports whether a draft was last completed by this request.
func (t *Tx) DraftHolds(ctx context.Context, id int64, req order.Request) (bool, error) {
	raw, err := jsonv2.Marshal(storable(req))
	if err != nil {
		return false, fmt.Errorf("encode request: %w", err)
	}
	same, err := t.q.DraftAsks(ctx, queries.DraftAsksParams{OrgID: t.org, ID: id, Request: raw})
	return same, absent("draft", id, err)
}

// SaveCompletion keeps the request that completed a draft. An empty number
// leaves the draft's number unchanged.
func (t *Tx) SaveCompletion(ctx context.Context, id int64, number string, req order.Request) error {
	raw, err := jsonv2.Marshal(storable(req))
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	return t.q.NoteCompletion(ctx, queries.NoteCompletionParams{OrgID: t.org, ID: id, Request: raw, ExternalID: number})
}

// SaveDiscarded ends a draft and frees its seat, with its event.
func (t *Tx) SaveDiscarded(ctx context.Context, d *order.Draft) error {
	s := newSaver(t)
	s.queue(s.q.DiscardDraft(ctx, queries.DiscardDraftParams{OrgID: t.org, ID: d.ID}))
	s.queue(s.q.ReleaseSeats(ctx, queries.ReleaseSeatsParams{OrgID: t.org, DraftIds: []int64{d.ID}}))
	s.events(ctx, []order.Event{{Kind: event.DraftDiscarded, Number: d.ExternalID, Draft: d}})
	return s.send(ctx)
}
