package store

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/order/wire"
	"waybill/store/columns"
	"waybill/store/queries"
)

// NewImport is an import that is taken in: its claim check.
type NewImport struct {
	Defaults  order.Defaults
	RequestID string
	Total     int
	Chunks    []ImportChunk
	// InOrder is true if the chunks must run in sequence, because orders of
	// different chunks may be merged.
	InOrder bool
}

// ImportChunk is a part of an import that is worked on in one transaction.
type ImportChunk struct {
	// Positions are the places of the entries in the request.
	Positions []int32
	// Entries is a JSON array of the entries.
	Entries []byte
	// Numbers are the order numbers of the entries that have one.
	Numbers []string
}

// SaveNewImport keeps the request of an import until it is worked on, and
// returns its id.
func (s *Store) SaveNewImport(ctx context.Context, by caller.Caller, n NewImport) (int64, error) {
	defaults, err := jsonv2.Marshal(n.Defaults)
	if err != nil {
		return 0, fmt.Errorf("create import: %w", err)
	}
	var id int64
	if len(n.Chunks) == 1 {
		id, err = s.as(by).CreateSmallImport(ctx, queries.CreateSmallImportParams{
			OrgID: by.OrgID, Defaults: defaults, Total: int32(n.Total), RequestID: n.RequestID,
			Positions: n.Chunks[0].Positions, Entries: n.Chunks[0].Entries, Numbers: n.Chunks[0].Numbers,
		})
	} else {
		id, err = s.saveLargeImport(ctx, by, n, defaults)
	}
	if err != nil {
		return 0, fmt.Errorf("create import: %w", translate(err))
	}
	return id, nil
}

func (s *Store) saveLargeImport(
	ctx context.Context, by caller.Caller, n NewImport, defaults []byte,
) (id int64, err error) {
	err = s.InTx(ctx, by, func(t *Tx) error {
		id, err = t.q.CreateImport(ctx, queries.CreateImportParams{
			OrgID: by.OrgID, Defaults: defaults, Total: int32(n.Total), Chunks: int32(len(n.Chunks)), RequestID: n.RequestID,
		})
		if err != nil {
			return err
		}
		p := &pipeline{tx: t.tx}
		q := queries.New(p)
		for i, c := range n.Chunks {
			err := q.AddChunk(ctx, queries.AddChunkParams{
				OrgID: by.OrgID, ImportID: id, Chunk: int32(i), Positions: c.Positions, Entries: c.Entries, Numbers: c.Numbers,
			})
			if err != nil {
				return err
			}
		}
		return p.send(ctx)
	})
	return id, err
}

// ChunkEntries returns the entries of a chunk, or none if it is done.
func (s *Store) ChunkEntries(ctx context.Context, org, importID int64, chunk int) ([]order.Request, error) {
	raw, err := s.of(org).ReadChunk(ctx, queries.ReadChunkParams{OrgID: org, ImportID: importID, Chunk: int32(chunk)})
	if err != nil {
		return nil, fmt.Errorf("read chunk: %w", missing("import", importID, err))
	}
	if len(raw) == 0 {
		return nil, nil
	}
	return wire.DecodeEntries(raw)
}

// LockedChunk is a chunk that this transaction works on.
type LockedChunk struct {
	Done      bool
	Positions []int32
	Entries   []order.Request
	Defaults  order.Defaults
}

// LockChunk locks a chunk for this transaction. A second caller waits, and then
// finds it done.
func (t *Tx) LockChunk(ctx context.Context, importID int64, chunk int) (LockedChunk, error) {
	row, err := t.q.LockChunk(ctx, queries.LockChunkParams{OrgID: t.org, ImportID: importID, Chunk: int32(chunk)})
	if err != nil {
		return LockedChunk{}, fmt.Errorf("lock chunk: %w", missing("import", importID, err))
	}
	if row.Done {
		return LockedChunk{Done: true, Positions: row.Positions}, nil
	}
	if row.Dropped {
		return LockedChunk{}, fault.Missing("import", fmt.Sprint(importID)) // it has ended without this chunk
	}
	c := LockedChunk{Positions: row.Positions}
	if err := jsonv2.Unmarshal(row.Defaults, &c.Defaults); err != nil {
		return LockedChunk{}, fmt.Errorf("defaults of import: %w", err)
	}
	if c.Entries, err = wire.DecodeEntries(row.Entries); err != nil {
		return LockedChunk{}, fmt.Errorf("entries of chunk: %w", err)
	}
	return c, nil
}

// LoadOutcomes counts the results of some positions by kind.
func (t *Tx) LoadOutcomes(ctx context.Context, importID int64, positions []int32) (map[order.Kind]int, error) {
	rows, err := t.q.CountResults(ctx, queries.CountResultsParams{OrgID: t.org, ImportID: importID, Positions: positions})
	outcomes := make(map[order.Kind]int, len(rows))
	for _, row := range rows {
		outcomes[order.Kind(row.Kind)] = int(row.Count)
	}
	return outcomes, err
}

// FinishChunk keeps the results of a chunk and drops its entries; the last
// chunk completes the import.
func (t *Tx) FinishChunk(
	ctx context.Context, importID int64, chunk int, positions []int32, results []order.Result,
) error {
	p := queries.AddResultsParams{OrgID: t.org, ImportID: importID, Positions: positions}
	for i := range results {
		r := &results[i]
		columns.Add(&p.Kinds, string(r.Kind))
		columns.Add(&p.ExternalIds, r.ExternalID)
		columns.Add(&p.OrderIds, orderID(r.Order))
		columns.Add(&p.DraftIds, draftID(r.Draft))
		reasons := ""
		if all := slices.Concat(r.Reasons, r.NotApplied); len(all) > 0 {
			reasons = reasonsJSON(all)
		}
		columns.Add(&p.Reasons, reasons)
		columns.Add(&p.StatusIds, int16(r.Status))
	}
	line := &pipeline{tx: t.tx}
	q := queries.New(line)
	for _, err := range []error{
		q.AddResults(ctx, p),
		q.FinishChunk(ctx, queries.FinishChunkParams{OrgID: t.org, ImportID: importID, Chunk: int32(chunk)}),
		q.CountChunk(ctx, queries.CountChunkParams{OrgID: t.org, ImportID: importID}),
	} {
		if err != nil {
			return err
		}
	}
	return line.send(ctx)
}

// ImportProgress is the progress of an import.
type ImportProgress struct {
	ID          int64
	Total       int
	Done        int
	CreatedAt   time.Time
	CompletedAt *time.Time
	// EndedAt and EndedAs are when and how an import ended that did not
	// complete.
	EndedAt *time.Time
	EndedAs order.ImportEnd
}

// EndImport ends an import that has not completed. Finished entries stay; no
// others are processed. It waits for chunks in progress.
func (t *Tx) EndImport(ctx context.Context, importID int64, as order.ImportEnd) error {
	if err := t.q.DropChunks(ctx, queries.DropChunksParams{OrgID: t.org, ImportID: importID}); err != nil {
		return err
	}
	return t.q.EndImport(ctx, queries.EndImportParams{OrgID: t.org, ImportID: importID, EndedAs: string(as)})
}

// ImportProgress returns the progress of an import.
func (s *Store) ImportProgress(ctx context.Context, org, importID int64) (ImportProgress, error) {
	row, err := s.lookups(org).ImportProgress(ctx, queries.ImportProgressParams{OrgID: org, ImportID: importID})
	if err != nil {
		return ImportProgress{}, absent("import", importID, err)
	}
	return ImportProgress{
		ID: row.ID, Total: int(row.Total), Done: int(row.Done), CreatedAt: row.CreatedAt, CompletedAt: row.CompletedAt,
		EndedAt: row.EndedAt, EndedAs: order.ImportEnd(row.EndedAs),
	}, nil
}

// ImportResult is the result of one entry. Reasons explain why it failed or
// became a draft; for an order, they list what was not applied. Status is 0 if
// there is no order.
type ImportResult struct {
	// Position is the place of the entry in the request.
	Position   int
	Status     order.Status
	Kind       order.Kind
	OrderID    int64
	DraftID    int64
	ExternalID string
	Reasons    []order.Reason
}

// resultsPage is how many results are held in memory at a time.
const resultsPage = 1000

// ImportResults returns the results of an import in the request's order, a page
// at a time, so that a large import needs little memory.
func (s *Store) ImportResults(ctx context.Context, org, importID int64) iter.Seq2[ImportResult, error] {
	return func(yield func(ImportResult, error) bool) {
		after := int32(-1)
		for {
			rows, err := s.of(org).ImportResults(ctx, queries.ImportResultsParams{
				OrgID: org, ImportID: importID, After: after, PageSize: resultsPage,
			})
			if err != nil {
				yield(ImportResult{}, fmt.Errorf("import results: %w", translate(err)))
				return
			}
			for i := range rows {
				after = rows[i].Position
				if !yield(newImportResult(&rows[i])) {
					return
				}
			}
			if len(rows) < resultsPage {
				return
			}
		}
	}
}

func newImportResult(row *queries.ImportResultsRow) (ImportResult, error) {
	r := ImportResult{
		Position: int(row.Position), Kind: order.Kind(row.Kind), OrderID: row.OrderID, DraftID: row.DraftID,
		ExternalID: row.ExternalID, Status: order.Status(row.OrderStatusID),
	}
	if len(row.Reasons) == 0 {
		return r, nil
	}
	if err := json.Unmarshal(row.Reasons, &r.Reasons); err != nil {
		return r, fmt.Errorf("reasons of result %d: %w", row.Position, err)
	}
	return r, nil
}

// MergesByDefault reports whether an organization merges orders if the import
// does not specify that.
func (s *Store) MergesByDefault(ctx context.Context, org int64) (bool, error) {
	merges, err := s.of(org).MergesByDefault(ctx, org)
	return merges, translate(err)
}

// SaveAbandonedImport deletes an import if none of its chunks was processed;
// otherwise it changes nothing.
func (t *Tx) SaveAbandonedImport(ctx context.Context, importID int64) error {
	if err := t.q.AbandonChunks(ctx, queries.AbandonChunksParams{OrgID: t.org, ImportID: importID}); err != nil {
		return err
	}
	return t.q.AbandonImport(ctx, queries.AbandonImportParams{OrgID: t.org, ImportID: importID})
}
