package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store/queries"
)

// Draft is a draft as it is kept. Request and Defaults are what it was imported
// or last completed with, as JSON; lists leave them out.
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
}

// DraftFilter says which drafts a list holds; what is nil lets everything pass.
type DraftFilter struct {
	State      *string
	ExternalID *string
}

// Drafts lists drafts behind an id, oldest first.
func (s *Store) Drafts(ctx context.Context, org int64, f DraftFilter, after int64, limit int32) ([]Draft, error) {
	rows, err := s.of(org).ListDrafts(ctx, queries.ListDraftsParams{
		OrgID: org, State: f.State, ExternalID: f.ExternalID, After: after, PageSize: limit,
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

// Draft reads one draft.
func (s *Store) Draft(ctx context.Context, org, id int64) (Draft, error) {
	row, err := s.of(org).ReadDraft(ctx, queries.ReadDraftParams{OrgID: org, ID: id})
	if err != nil {
		return Draft{}, absent("draft", id, err)
	}
	return newDraft(&row)
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

// CompleteDraft judges a request that is to make an order of a draft, and
// promotes the draft when nothing is wrong with it. Completing a draft again by
// the request that promoted it changes nothing; any other one is refused.
func (s *Store) CompleteDraft(ctx context.Context, by caller.Caller, id int64, req order.Request) (Draft, error) {
	err := s.InTx(ctx, by, func(t *Tx) error { return t.completeDraft(ctx, id, req) })
	if err != nil {
		return Draft{}, fmt.Errorf("complete draft: %w", err)
	}
	return s.Draft(ctx, by.OrgID, id)
}

func (t *Tx) completeDraft(ctx context.Context, id int64, req order.Request) error {
	row, err := t.q.ReadDraft(ctx, queries.ReadDraftParams{OrgID: t.org, ID: id})
	if err != nil {
		return absent("draft", id, err)
	}
	kept, err := newDraft(&row)
	if err != nil {
		return err
	}
	draft := &order.Draft{ID: id, ExternalID: kept.ExternalID}
	if req.ExternalID, err = draft.NumberFor(&req); err != nil {
		return err
	}
	if kept.State != order.DraftIncomplete {
		return t.settled(ctx, &kept, req)
	}
	snapshot, err := t.Snapshot(ctx, Scope{Entries: []order.Request{req}, Defaults: kept.Defaults, Lock: true})
	if err != nil {
		return err
	}
	// Only now are the number's other users held off, and the draft's.
	if again, err := t.lockDraft(ctx, &kept); err != nil || again {
		if err == nil {
			err = t.settled(ctx, &kept, req)
		}
		return err
	}
	if draft.Taken(snapshot, req.ExternalID) {
		return &fault.Error{
			Kind: fault.Duplicate, Text: fault.Say("draft.number_taken", "name", req.ExternalID), Resource: "order", Name: req.ExternalID,
		}
	}
	return t.promote(ctx, snapshot, &kept, draft, req)
}

// lockDraft holds a draft, and tells whether it was settled meanwhile.
func (t *Tx) lockDraft(ctx context.Context, d *Draft) (settled bool, err error) {
	row, err := t.q.LockDraft(ctx, queries.LockDraftParams{OrgID: t.org, DraftID: d.ID})
	if err != nil {
		return false, absent("draft", d.ID, err)
	}
	d.State = order.DraftState(row.State)
	if d.State == order.DraftIncomplete && row.ExternalID != d.ExternalID {
		return false, &fault.Error{
			Kind: fault.Conflict, Text: fault.Say("draft.changed", "name", strconv.FormatInt(d.ID, 10)),
			Resource: "draft", Name: strconv.FormatInt(d.ID, 10),
		}
	}
	return d.State != order.DraftIncomplete, nil
}

// settled answers for a draft that is none any more: only the request that
// promoted it may come again.
func (t *Tx) settled(ctx context.Context, d *Draft, req order.Request) error {
	name := strconv.FormatInt(d.ID, 10)
	if d.State == order.DraftDiscarded {
		return &fault.Error{Kind: fault.IllegalState, Text: fault.Say("draft.discarded", "name", name), Resource: "draft", Name: name}
	}
	raw, err := jsonv2.Marshal(storable(req))
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	same, err := t.q.DraftAsks(ctx, queries.DraftAsksParams{OrgID: t.org, ID: d.ID, Request: raw})
	if err != nil {
		return absent("draft", d.ID, err)
	}
	if !same {
		return &fault.Error{Kind: fault.IllegalState, Text: fault.Say("draft.promoted", "name", name), Resource: "draft", Name: name}
	}
	return nil
}

func (t *Tx) promote(ctx context.Context, s *order.Snapshot, kept *Draft, draft *order.Draft, req order.Request) error {
	plan := order.Complete(s, kept.Defaults, draft, req)
	if err := t.Save(ctx, plan, kept.Defaults); err != nil {
		return fmt.Errorf("save: %w", err)
	}
	raw, err := jsonv2.Marshal(storable(req))
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	number := req.ExternalID
	if !order.UsableNumber(number) {
		number = ""
	}
	return t.q.NoteCompletion(ctx, queries.NoteCompletionParams{OrgID: t.org, ID: draft.ID, Request: raw, ExternalID: number})
}

// DiscardDraft ends a draft that shall never be an order. Discarding it again
// changes nothing; one that became an order cannot be discarded.
func (s *Store) DiscardDraft(ctx context.Context, by caller.Caller, id int64) error {
	return s.InTx(ctx, by, func(t *Tx) error {
		row, err := t.q.LockDraft(ctx, queries.LockDraftParams{OrgID: by.OrgID, DraftID: id})
		if err != nil {
			return absent("draft", id, err)
		}
		name := strconv.FormatInt(id, 10)
		switch order.DraftState(row.State) {
		case order.DraftDiscarded:
			return nil
		case order.DraftPromoted:
			return &fault.Error{Kind: fault.IllegalState, Text: fault.Say("draft.promoted", "name", name), Resource: "draft", Name: name}
		}
		if err := t.q.DiscardDraft(ctx, queries.DiscardDraftParams{OrgID: by.OrgID, ID: id}); err != nil {
			return err
		}
		if err := t.ReleaseDrafts(ctx, []int64{id}); err != nil {
			return err
		}
		saver := newSaver(t)
		saver.events(ctx, []order.Event{{
			Kind: order.EventDraftDiscarded, Number: row.ExternalID, Draft: &order.Draft{ID: id, ExternalID: row.ExternalID},
		}})
		return saver.send(ctx)
	})
}
