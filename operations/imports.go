package operations

import (
	"context"
	"fmt"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/order/wire"
	"waybill/store"
)

// StagedImport is an import that is taken in and waits to be worked on.
type StagedImport struct {
	ID      int64
	Entries int
	Chunks  int
	// InOrder says that the chunks must wait for one another, because orders of
	// different chunks may be merged.
	InOrder bool
}

// StageImport cuts a request into chunks and keeps it until it is worked on.
func (o *Operations) StageImport(ctx context.Context, c caller.Caller, body wire.Body) (StagedImport, error) {
	n := store.NewImport{Defaults: body.Defaults, RequestID: c.Cause, Total: len(body.Entries)}
	for _, positions := range order.Cut(body.Numbers(), order.ChunkSize) {
		entries := make([]wire.Entry, len(positions))
		for i, p := range positions {
			entries[i] = body.Entries[p]
		}
		n.Chunks = append(n.Chunks, store.ImportChunk{Positions: positions, Entries: wire.EncodeEntries(entries)})
	}
	staged := StagedImport{Entries: n.Total, Chunks: len(n.Chunks)}
	if len(n.Chunks) > 1 {
		merges, err := o.store.MergesByDefault(ctx, c.OrgID)
		if err != nil {
			return StagedImport{}, err
		}
		staged.InOrder = body.Defaults.UpdateConfig.MayMerge(merges)
	}
	var err error
	staged.ID, err = o.store.SaveNewImport(ctx, c, n)
	return staged, err
}

// AbandonImport takes back an import whose workflow could not be started, as
// long as none of its chunks was worked on. A workflow that did start after all
// then finds nothing to do.
func (o *Operations) AbandonImport(ctx context.Context, c caller.Caller, importID int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error { return t.SaveAbandonedImport(ctx, importID) })
}

// PreviewImport returns what would become of a request, and writes nothing: it
// decides in a transaction that cannot.
func (o *Operations) PreviewImport(ctx context.Context, c caller.Caller, body wire.Body) ([]order.Result, error) {
	entries, err := wire.DecodeEntries(wire.EncodeEntries(body.Entries))
	if err != nil {
		return nil, fmt.Errorf("preview import: %w", err)
	}
	var results []order.Result
	err = o.store.InReadOnlyTx(ctx, c.OrgID, func(t *store.Tx) error {
		snapshot, err := t.Snapshot(ctx, store.Scope{Entries: entries, Defaults: body.Defaults})
		if err != nil {
			return err
		}
		results = order.Decide(snapshot, body.Defaults, entries).Results
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("preview import: %w", err)
	}
	return results, nil
}

// ImportChunk works on one chunk: it loads what the entries refer to, decides,
// and writes the orders with their events and the results. It counts what
// became of them by kind. The chunk's row is the key that every attempt shares:
// who finds it done changes nothing, and counts what the earlier attempt did.
// When the database refuses something in the chunk, the entries that hold it
// fail, and the others are imported.
func (o *Operations) ImportChunk(
	ctx context.Context, c caller.Caller, importID int64, chunk int,
) (map[order.Kind]int, error) {
	outcomes, err := o.importChunk(ctx, c, importID, chunk, importTogether)
	if _, refused := store.RefusedData(err); refused {
		outcomes, err = o.importChunk(ctx, c, importID, chunk, importInParts)
	}
	if err == nil {
		o.watched.tell(c.OrgID, importID)
	}
	return outcomes, err
}

// importEntries imports the entries of a chunk, and returns a result for each.
type importEntries func(context.Context, *store.Tx, order.Defaults, []order.Request) ([]order.Result, error)

func (o *Operations) importChunk(
	ctx context.Context, c caller.Caller, importID int64, chunk int, work importEntries,
) (outcomes map[order.Kind]int, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		locked, err := t.LockChunk(ctx, importID, chunk)
		if err != nil {
			return err
		}
		if locked.Done {
			outcomes, err = t.LoadOutcomes(ctx, importID, locked.Positions)
			return err
		}
		results, err := work(ctx, t, locked.Defaults, locked.Entries)
		if err != nil {
			return err
		}
		outcomes = map[order.Kind]int{}
		for i := range results {
			outcomes[results[i].Kind]++
		}
		return t.FinishChunk(ctx, importID, chunk, locked.Positions, results)
	})
	return outcomes, err
}

func importTogether(
	ctx context.Context, t *store.Tx, defaults order.Defaults, entries []order.Request,
) ([]order.Result, error) {
	snapshot, err := t.Snapshot(ctx, store.Scope{Entries: entries, Defaults: defaults, Lock: true})
	if err != nil {
		return nil, err
	}
	plan := order.Decide(snapshot, defaults, entries)
	if err := t.Save(ctx, plan, defaults); err != nil {
		return nil, fmt.Errorf("save: %w", err)
	}
	return plan.Results, nil
}

// importInParts halves entries until it has found those that the database
// refuses: they fail, each for itself.
func importInParts(
	ctx context.Context, t *store.Tx, defaults order.Defaults, entries []order.Request,
) ([]order.Result, error) {
	var results []order.Result
	err := t.Attempt(ctx, func(part *store.Tx) (err error) {
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
	first, err := importInParts(ctx, t, defaults, entries[:half])
	if err != nil {
		return nil, err
	}
	second, err := importInParts(ctx, t, defaults, entries[half:])
	return append(first, second...), err
}

// RegisterLocations creates the places that an import speaks of for the first
// time, in the order of the request. Done before its chunks, it makes their
// outcome independent of the order in which they run. A chunk that holds what
// the database refuses is left out: it makes its own places, as far as it can.
func (o *Operations) RegisterLocations(ctx context.Context, c caller.Caller, importID int64, chunks int) error {
	for chunk := range chunks {
		entries, err := o.store.ChunkEntries(ctx, c.OrgID, importID, chunk)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			continue
		}
		err = o.store.InTx(ctx, c, func(t *store.Tx) error { return t.RegisterLocations(ctx, entries) })
		if _, refused := store.RefusedData(err); err != nil && !refused {
			return fmt.Errorf("chunk %d: %w", chunk, err)
		}
	}
	return nil
}
