// Package driving serves the drivers' phones: it returns their day, and
// records their actions. Drivers see only their own data.
package driving

import (
	"context"
	"io"
	"time"

	"waybill/api/edge"
	"waybill/domain/attachment"
	"waybill/operations"
	"waybill/store"
)

// Files keeps the bytes of pictures.
type Files interface {
	// Write keeps a file whole, under exactly as many bytes as it declares, and
	// returns their SHA-256; otherwise it keeps nothing.
	Write(ctx context.Context, key string, file attachment.File, content io.Reader) ([]byte, error)
	Delete(ctx context.Context, key string) error
}

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Edge       *edge.Edge
	Store      *store.Store
	Operations *operations.Operations
	Files      Files
	// Release is that of the drivers' app that is served; empty is none. MustUpdate has other
	// releases of it take this one.
	Release    string
	MustUpdate bool
	Now        func() time.Time
}

// Handlers serve drivers' telephones.
type Handlers struct {
	edge       *edge.Edge
	store      *store.Store
	operations *operations.Operations
	files      Files
	release    string
	mustUpdate bool
	now        func() time.Time
}

// New makes handlers.
func New(d Dependencies) *Handlers {
	return &Handlers{
		edge: d.Edge, store: d.Store, operations: d.Operations, files: d.Files, release: d.Release, mustUpdate: d.MustUpdate,
		now: d.Now,
	}
}
