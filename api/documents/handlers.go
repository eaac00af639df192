// Package documents serves the documents of orders, the signed URLs for their
// bytes, and the proofs of completion.
package documents

import (
	"log/slog"
	"time"

	"waybill/api/edge"
	"waybill/domain/attachment"
	"waybill/operations"
	"waybill/store"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Edge       *edge.Edge
	Store      *store.Store
	Operations *operations.Operations
	// Files stores the bytes of documents and proofs.
	Files Files
	// Limits are the limits on documents.
	Limits attachment.Limits
	Logger *slog.Logger
	Now    func() time.Time
}

// Handlers serve documents and proofs.
type Handlers struct {
	edge       *edge.Edge
	store      *store.Store
	operations *operations.Operations
	files      Files
	pictures   *shrinker
	limits     attachment.Limits
	logger     *slog.Logger
	now        func() time.Time
}

// New returns handlers.
func New(d Dependencies) *Handlers {
	return &Handlers{
		edge:       d.Edge,
		store:      d.Store,
		operations: d.Operations,
		files:      d.Files,
		pictures:   newShrinker(d.Files),
		limits:     d.Limits,
		logger:     d.Logger,
		now:        d.Now,
	}
}
