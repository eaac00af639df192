package activities

import (
	"context"

	"waybill/domain/caller"
	"waybill/domain/order"
)

// Importer are the operations that imports need.
type Importer interface {
	ImportChunk(ctx context.Context, c caller.Caller, importID int64, chunk int) (map[order.Kind]int, error)
	RegisterLocations(ctx context.Context, c caller.Caller, importID int64, chunks int) error
	EndImport(ctx context.Context, c caller.Caller, importID int64, as order.ImportEnd) error
}

// Imports are the activities of the workflow ImportOrders.
type Imports struct {
	operations Importer
}

// NewImports returns the activities of imports.
func NewImports(o Importer) *Imports { return &Imports{operations: o} }

// ChunkInput names one chunk of an import.
type ChunkInput struct {
	OrgID    int64 `json:"orgId"`
	ImportID int64 `json:"importId"`
	Chunk    int   `json:"chunk"`
}

// Outcomes counts entries by result.
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

// ImportChunk works on one chunk of an import.
func (a *Imports) ImportChunk(ctx context.Context, in ChunkInput) (Outcomes, error) {
	defer heartbeat(ctx)()
	counts, err := a.operations.ImportChunk(ctx, workflowOf(ctx, in.OrgID), in.ImportID, in.Chunk)
	var outcomes Outcomes
	for kind, n := range counts {
		outcomes.Add(kind, n)
	}
	return outcomes, permanent(ctx, err)
}

// EndInput identifies an import that does not complete, and how it ended.
type EndInput struct {
	OrgID    int64           `json:"orgId"`
	ImportID int64           `json:"importId"`
	As       order.ImportEnd `json:"as"`
}

// EndImport ends an import that does not complete.
func (a *Imports) EndImport(ctx context.Context, in EndInput) error {
	defer heartbeat(ctx)()
	return permanent(ctx, a.operations.EndImport(ctx, workflowOf(ctx, in.OrgID), in.ImportID, in.As))
}

// RegisterInput names an import of several chunks.
type RegisterInput struct {
	OrgID    int64 `json:"orgId"`
	ImportID int64 `json:"importId"`
	Chunks   int   `json:"chunks"`
}

// RegisterLocations creates the places that an import speaks of for the first
// time.
func (a *Imports) RegisterLocations(ctx context.Context, in RegisterInput) error {
	defer heartbeat(ctx)()
	return permanent(ctx, a.operations.RegisterLocations(ctx, workflowOf(ctx, in.OrgID), in.ImportID, in.Chunks))
}
