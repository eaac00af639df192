package activities

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/store"
)

// ImportStore is what imports need of the store.
type ImportStore interface {
	InTx(ctx context.Context, by caller.Caller, work func(*store.Tx) error) error
	ChunkEntries(ctx context.Context, org, importID int64, chunk int) ([]order.Request, error)
}

// Imports are the activities of the workflow ImportOrders.
type Imports struct {
	store ImportStore
}

// NewImports makes the activities of imports.
func NewImports(s ImportStore) *Imports { return &Imports{store: s} }

// ChunkInput names one chunk of an import.
type ChunkInput struct {
	OrgID    int64 `json:"orgId"`
	ImportID int64 `json:"importId"`
	Chunk    int   `json:"chunk"`
}

// Outcomes counts what became of entries.
type Outcomes struct {
	Created int `json:"created,omitempty"`
	Updated int `json:"updated,omitempty"`
	Merged  int `json:"merged,omitempty"`
	Drafts  int `json:"drafts,omitempty"`
	Failed  int `json:"failed,omitempty"`
}

// Add adds n entries of one kind.
func (o *Outcomes) Add(kind order.Kind, n int) {
	switch kind {
	case order.OrderCreated:
		o.Created += n
	case order.OrderUpdated:
		o.Updated += n
	case order.OrderMerged:
		o.Merged += n
	case order.DraftCreated:
		o.Drafts += n
	case order.FailedUpdate:
		o.Failed += n
	}
}

// ImportChunk works on one chunk in one transaction: it loads what the entries
// refer to, decides, and writes the orders with their events and the results.
// The chunk's row is the key that every attempt shares: who finds it done
// changes nothing, and counts what the earlier attempt did.
func (a *Imports) ImportChunk(ctx context.Context, in ChunkInput) (Outcomes, error) {
	defer heartbeat(ctx)()
	var outcomes Outcomes
	err := a.store.InTx(ctx, workflowOf(ctx, in.OrgID), func(tx *store.Tx) error {
		outcomes = Outcomes{}
		chunk, err := tx.LockChunk(ctx, in.ImportID, in.Chunk)
		if err != nil {
			return err
		}
		if chunk.Done {
			return tx.EachOutcome(ctx, in.ImportID, chunk.Positions, outcomes.Add)
		}
		scope := store.Scope{Entries: chunk.Entries, Defaults: chunk.Defaults, Lock: true}
		snapshot, err := tx.Snapshot(ctx, scope)
		if err != nil {
			return err
		}
		plan := order.Decide(snapshot, chunk.Defaults, chunk.Entries)
		if err := tx.Save(ctx, plan, chunk.Defaults); err != nil {
			return fmt.Errorf("save: %w", err)
		}
		for _, r := range plan.Results {
			outcomes.Add(r.Kind, 1)
		}
		return tx.FinishChunk(ctx, in.ImportID, in.Chunk, chunk.Positions, plan.Results)
	})
	return outcomes, permanent(err)
}

// RegisterInput names an import of several chunks.
type RegisterInput struct {
	OrgID    int64 `json:"orgId"`
	ImportID int64 `json:"importId"`
	Chunks   int   `json:"chunks"`
}

// RegisterLocations creates the places that an import speaks of for the first
// time, in the order of the request. Done before its chunks, it makes their
// outcome independent of the order in which they run.
func (a *Imports) RegisterLocations(ctx context.Context, in RegisterInput) error {
	defer heartbeat(ctx)()
	for chunk := range in.Chunks {
		entries, err := a.store.ChunkEntries(ctx, in.OrgID, in.ImportID, chunk)
		if err != nil {
			return permanent(err)
		}
		if len(entries) == 0 {
			continue
		}
		err = a.store.InTx(ctx, workflowOf(ctx, in.OrgID), func(tx *store.Tx) error {
			return tx.RegisterLocations(ctx, entries)
		})
		if err != nil {
			return fmt.Errorf("chunk %d: %w", chunk, permanent(err))
		}
	}
	return nil
}
