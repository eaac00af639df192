package orders

import (
	"context"
	"fmt"
	"math"

	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/domain/order/wire"
	"waybill/operations/core"
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
		n.Chunks = append(n.Chunks, store.ImportChunk{
			Positions: positions, Entries: wire.EncodeEntries(entries), Numbers: wire.NumbersOf(entries),
		})
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

// PreviewImport returns what would become of a request, and writes nothing: what it
// decides upon comes from a transaction that cannot.
func (o *Operations) PreviewImport(ctx context.Context, c caller.Caller, body wire.Body) ([]order.Result, error) {
	entries, err := wire.RequestsOf(body.Entries)
	if err != nil {
		return nil, fmt.Errorf("preview import: %w", err)
	}
	var snapshot *order.Snapshot
	err = o.store.InReadOnlyTx(ctx, c.OrgID, func(t *store.Tx) (err error) {
		snapshot, err = t.Snapshot(ctx, store.Scope{Entries: entries, Defaults: body.Defaults, Receipt: math.MaxInt64})
		if err != nil {
			return err
		}
		return o.erased.TellErased(ctx, t, snapshot, entries)
	})
	if err != nil {
		return nil, fmt.Errorf("preview import: %w", err)
	}
	// Rules may take their time; by now nobody waits for the connection.
	return order.Decide(snapshot, body.Defaults, entries).Results, nil
}

// ImportChunk works on one chunk: it loads what the entries refer to, decides,
// and writes the orders with their events and the results. It counts what
// became of them by kind. The chunk's row is the key that every attempt shares:
// who finds it done changes nothing, and counts what the earlier attempt did.
// When the database refuses something in the chunk, or the rules panic over it, the
// entries that hold it fail, and the others are imported.
func (o *Operations) ImportChunk(
	ctx context.Context, c caller.Caller, importID int64, chunk int,
) (map[order.Kind]int, error) {
	leave, err := o.enterImporters(ctx, c.OrgID)
	if err != nil {
		return nil, err
	}
	defer leave()
	outcomes, err := o.importChunk(ctx, c, importID, chunk, o.importTogether)
	if core.Poisoned(err) {
		outcomes, err = o.importChunk(ctx, c, importID, chunk, o.importInParts)
	}
	if err == nil {
		o.watched.tell(c.OrgID, importID)
	}
	return outcomes, err
}

// enterImporters waits until there is room for one more chunk of an organization:
// one that sends very much does not have the database to itself.
func (o *Operations) enterImporters(ctx context.Context, org int64) (leave func(), err error) {
	if o.imports == nil {
		return func() {}, nil
	}
	return o.imports.Acquire(ctx, org)
}

// importEntries imports the entries of a chunk, and returns a result for each.
type importEntries func(context.Context, *store.Tx, store.Scope) ([]order.Result, error)

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
		// The id of an import is its place in the order of receipt.
		scope := store.Scope{
			Entries: locked.Entries, Defaults: locked.Defaults, Receipt: importID, Lock: true, Fresh: true,
		}
		results, err := work(ctx, t, scope)
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

func (o *Operations) importTogether(
	ctx context.Context, t *store.Tx, scope store.Scope,
) (results []order.Result, err error) {
	err = core.Guarded(o.log, func() (err error) {
		results, err = o.importAll(ctx, t, scope)
		return err
	})
	return results, err
}

func (o *Operations) importAll(ctx context.Context, t *store.Tx, scope store.Scope) ([]order.Result, error) {
	snapshot, err := t.Snapshot(ctx, scope)
	if err != nil {
		return nil, err
	}
	if err := o.erased.TellErased(ctx, t, snapshot, scope.Entries); err != nil {
		return nil, fmt.Errorf("find erased addresses: %w", err)
	}
	plan := o.decide(snapshot, scope.Defaults, scope.Entries)
	if err := t.Save(ctx, plan, scope.Defaults); err != nil {
		return nil, fmt.Errorf("save: %w", err)
	}
	return plan.Results, nil
}

// importInParts halves entries until it has found those that the database
// refuses, or that make us panic: they fail, each for itself.
func (o *Operations) importInParts(ctx context.Context, t *store.Tx, scope store.Scope) ([]order.Result, error) {
	scope.Fresh = false // a part cannot run again by itself
	var results []order.Result
	err := t.Attempt(ctx, func(part *store.Tx) (err error) {
		results, err = o.importTogether(ctx, part, scope)
		return err
	})
	if !core.Poisoned(err) {
		return results, err
	}
	entries := scope.Entries
	if len(entries) == 1 {
		return []order.Result{order.Unstorable(&entries[0])}, nil
	}
	half := len(entries) / 2
	scope.Entries = entries[:half]
	first, err := o.importInParts(ctx, t, scope)
	if err != nil {
		return nil, err
	}
	scope.Entries = entries[half:]
	second, err := o.importInParts(ctx, t, scope)
	return append(first, second...), err
}

// EndImport ends an import that does not complete. What was done stays done.
func (o *Operations) EndImport(ctx context.Context, c caller.Caller, importID int64, as order.ImportEnd) error {
	err := o.store.InTx(ctx, c, func(t *store.Tx) error { return t.EndImport(ctx, importID, as) })
	if err != nil {
		return fmt.Errorf("end import: %w", err)
	}
	return nil
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
		err = o.store.InTx(ctx, c, func(t *store.Tx) error {
			return core.Guarded(o.log, func() error { return t.RegisterLocations(ctx, entries) })
		})
		if err != nil && !core.Poisoned(err) {
			return fmt.Errorf("chunk %d: %w", chunk, err)
		}
	}
	return nil
}
