// Package orders serves orders and drafts: their imports, reads, changes, feeds
// and bookings. It decodes, calls and encodes; rules belong in domain, whatever
// takes time in workflows, and rows in store.
package orders

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
	// ImportWait is how long a request waits for its import before the response
	// says where to find the results later.
	ImportWait time.Duration
	Logger     *slog.Logger
	Now        func() time.Time
}

// Handlers serve the operations of orders and drafts: imports, reads, changes and bookings.
type Handlers struct {
	edge       *edge.Edge
	store      *store.Store
	operations *operations.Operations
	temporal   client.Client
	importWait time.Duration
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
		importWait: d.ImportWait,
		logger:     d.Logger,
		now:        d.Now,
	}
}
