package orders

import (
	"context"
	"fmt"
	"strconv"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/store"
)

// CompleteDraft judges a request that is to make an order of a draft, and
// promotes the draft when nothing is wrong with it. Completing a draft again by
// the request that promoted it changes nothing; any other one is refused.
func (o *Operations) CompleteDraft(ctx context.Context, c caller.Caller, id int64, req order.Request) (store.Draft, error) {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error { return completeDraft(ctx, t, id, req) })
	if err != nil {
		return store.Draft{}, fmt.Errorf("complete draft: %w", err)
	}
	return o.store.Draft(ctx, c.OrgID, id)
}

func completeDraft(ctx context.Context, t *store.Tx, id int64, req order.Request) error {
	kept, err := t.LoadDraft(ctx, id)
	if err != nil {
		return err
	}
	draft := &order.Draft{ID: id, ExternalID: kept.ExternalID}
	if req.ExternalID, err = draft.NumberFor(&req); err != nil {
		return err
	}
	if kept.State != order.DraftIncomplete {
		return settled(ctx, t, &kept, req)
	}
	snapshot, err := t.Snapshot(ctx, store.Scope{Entries: []order.Request{req}, Defaults: kept.Defaults, Lock: true})
	if err != nil {
		return err
	}
	// Only now are the number's other users held off, and the draft's.
	if again, err := lockDraft(ctx, t, &kept); err != nil || again {
		if err == nil {
			err = settled(ctx, t, &kept, req)
		}
		return err
	}
	if draft.Taken(snapshot, req.ExternalID) {
		return &fault.Error{
			Kind: fault.Duplicate, Text: fault.Say("draft.number_taken", "name", req.ExternalID),
			Resource: "order", Name: req.ExternalID,
		}
	}
	return promote(ctx, t, snapshot, &kept, draft, req)
}

// lockDraft holds a draft, and reports whether it was settled meanwhile.
func lockDraft(ctx context.Context, t *store.Tx, d *store.Draft) (settled bool, err error) {
	state, externalID, err := t.LockDraft(ctx, d.ID)
	if err != nil {
		return false, err
	}
	d.State = state
	if state == order.DraftIncomplete && externalID != d.ExternalID {
		name := strconv.FormatInt(d.ID, 10)
		return false, &fault.Error{
			Kind: fault.Conflict, Text: fault.Say("draft.changed", "name", name), Resource: "draft", Name: name,
		}
	}
	return state != order.DraftIncomplete, nil
}

// settled answers for a draft that is none any more: only the request that
// promoted it may come again.
func settled(ctx context.Context, t *store.Tx, d *store.Draft, req order.Request) error {
	name := strconv.FormatInt(d.ID, 10)
	if d.State == order.DraftDiscarded {
		return fault.Illegal("draft.discarded", "draft", name)
	}
	same, err := t.DraftHolds(ctx, d.ID, req)
	if err == nil && !same {
		err = fault.Illegal("draft.promoted", "draft", name)
	}
	return err
}

func promote(
	ctx context.Context, t *store.Tx, s *order.Snapshot, kept *store.Draft, draft *order.Draft, req order.Request,
) error {
	plan := order.Complete(s, kept.Defaults, draft, req)
	if err := t.Save(ctx, plan, kept.Defaults); err != nil {
		return fmt.Errorf("save: %w", err)
	}
	number := req.ExternalID
	if !order.UsableNumber(number) {
		number = ""
	}
	return t.SaveCompletion(ctx, draft.ID, number, req)
}

// DiscardDraft ends a draft that shall never be an order. Discarding it again
// changes nothing; one that became an order cannot be discarded.
func (o *Operations) DiscardDraft(ctx context.Context, c caller.Caller, id int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		state, externalID, err := t.LockDraft(ctx, id)
		if err != nil {
			return err
		}
		switch state {
		case order.DraftDiscarded:
			return nil
		case order.DraftPromoted:
			return fault.Illegal("draft.promoted", "draft", strconv.FormatInt(id, 10))
		}
		return t.SaveDiscarded(ctx, &order.Draft{ID: id, ExternalID: externalID})
	})
}
