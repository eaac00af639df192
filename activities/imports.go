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
// changes nothing, and counts what the earlier attempt did. When the database
// refuses something in the chunk, the entries that hold it fail, and the others
// are imported.
func (a *Imports) ImportChunk(ctx context.Context, in ChunkInput) (Outcomes, error) {
	defer heartbeat(ctx)()
	outcomes, err := a.importChunk(ctx, in, importTogether)
	if _, refused := store.RefusedData(err); refused {
		outcomes, err = a.importChunk(ctx, in, importInParts)
	}
	return outcomes, permanent(ctx, err)
}

// importEntries imports the entries of a chunk, and returns a result for each.
type importEntries func(context.Context, *store.Tx, order.Defaults, []order.Request) ([]order.Result, error)

func (a *Imports) importChunk(ctx context.Context, in ChunkInput, work importEntries) (Outcomes, error) {
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
		results, err := work(ctx, tx, chunk.Defaults, chunk.Entries)
		if err != nil {
			return err
		}
		for _, r := range results {
			outcomes.Add(r.Kind, 1)
		}
		return tx.FinishChunk(ctx, in.ImportID, in.Chunk, chunk.Positions, results)
	})
	return outcomes, err
}

func importTogether(
	ctx context.Context, tx *store.Tx, defaults order.Defaults, entries []order.Request,
) ([]order.Result, error) {
	snapshot, err := tx.Snapshot(ctx, store.Scope{Entries: entries, Defaults: defaults, Lock: true})
	if err != nil {
		return nil, err
	}
	plan := order.Decide(snapshot, defaults, entries)
	if err := tx.Save(ctx, plan, defaults); err != nil {
		return nil, fmt.Errorf("save: %w", err)
	}
	return plan.Results, nil
}

// importInParts halves entries until it has found those that the database
// refuses: they fail, each for itself.
func importInParts(
	ctx context.Context, tx *store.Tx, defaults order.Defaults, entries []order.Request,
) ([]order.Result, error) {
	var results []order.Result
	err := tx.Attempt(ctx, func(part *store.Tx) (err error) {
		results, err = importTogether(ctx, part, defaults, entries)
		return err
	})
	if _, refused := store.RefusedData(err); !refused {
		return results, err
	}
	if len(entries) == 1 {
		return []order.Result{order.Unstorable(&entries[0])}, nil
	}
	half := len(entries) / 2
	first, err := importInParts(ctx, tx, defaults, entries[:half])
	if err != nil {
		return nil, err
	}
	second, err := importInParts(ctx, tx, defaults, entries[half:])
	return append(first, second...), err
}

// RegisterInput names an import of several chunks.
type RegisterInput struct {
	OrgID    int64 `json:"orgId"`
	ImportID int64 `json:"importId"`
	Chunks   int   `json:"chunks"`
}

// RegisterLocations creates the places that an import speaks of for the first
// time, in the order of the request. Done before its chunks, it makes their
// outcome independent of the order in which they run. A chunk that holds what
// the database refuses is left out: it makes its own places, as far as it can.
func (a *Imports) RegisterLocations(ctx context.Context, in RegisterInput) error {
	defer heartbeat(ctx)()
	for chunk := range in.Chunks {
		entries, err := a.store.ChunkEntries(ctx, in.OrgID, in.ImportID, chunk)
		if err != nil {
			return permanent(ctx, err)
		}
		if len(entries) == 0 {
			continue
		}
		err = a.store.InTx(ctx, workflowOf(ctx, in.OrgID), func(tx *store.Tx) error {
			return tx.RegisterLocations(ctx, entries)
		})
		if _, refused := store.RefusedData(err); err != nil && !refused {
			return permanent(ctx, fmt.Errorf("chunk %d: %w", chunk, err))
		}
	}
	return nil
}
