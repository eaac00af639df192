// Package driving serves the drivers' phones: it returns a driver's day, and
// records the driver's actions. Drivers see only their own data.
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

// Files stores the bytes of pictures.
type Files interface {
	// Write stores a complete file if it has exactly as many bytes as declared,
	// and returns its SHA-256; otherwise it stores nothing.
	Write(ctx context.Context, key string, file attachment.File, content io.Reader) ([]byte, error)
	Delete(ctx context.Context, key string) error
}

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Edge       *edge.Edge
	Store      *store.Store
	Operations *operations.Operations
	Files      Files
	// Release is the release of the drivers' app that is served, or empty.
	// MustUpdate makes other releases of the app update to it.
	Release    string
	MustUpdate bool
	Now        func() time.Time
}

// Handlers serve drivers' phones.
type Handlers struct {
	edge       *edge.Edge
	store      *store.Store
	operations *operations.Operations
	files      Files
	release    string
	mustUpdate bool
	now        func() time.Time
	versions   *versions
}

// New returns handlers.
func New(d Dependencies) *Handlers {
	return &Handlers{
		edge: d.Edge, store: d.Store, operations: d.Operations, files: d.Files, release: d.Release, mustUpdate: d.MustUpdate,
		now: d.Now, versions: newVersions(mostStops),
	}
}
