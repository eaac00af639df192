// Package recurring serves the templates of recurring orders. It decodes, calls
// and encodes; domain/recurring defines what a template means.
package recurring

import (
	"log/slog"
	"time"

	"go.temporal.io/sdk/client"

	"waybill/api/edge"
	"waybill/operations"
	"waybill/store"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Edge       *edge.Edge
	Store      *store.Store
	Operations *operations.Operations
	Temporal   client.Client
	Logger     *slog.Logger
	Now        func() time.Time
}

// Handlers serve the templates of recurring orders.
type Handlers struct {
	edge       *edge.Edge
	store      *store.Store
	operations *operations.Operations
	temporal   client.Client
	logger     *slog.Logger
	now        func() time.Time
}

// New returns handlers.
func New(d Dependencies) *Handlers {
	return &Handlers{
		edge:       d.Edge,
		store:      d.Store,
		operations: d.Operations,
		temporal:   d.Temporal,
		logger:     d.Logger,
		now:        d.Now,
	}
}
