// Package places serves the address register, and where addresses of organizations are.
package places

import (
	"time"

	"waybill/operations"
	"waybill/store"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Store      *store.Store
	Operations *operations.Operations
	Now        func() time.Time
}

// Handlers serve places.
type Handlers struct {
	store      *store.Store
	operations *operations.Operations
	now        func() time.Time
}

// New makes handlers.
func New(d Dependencies) *Handlers {
	return &Handlers{store: d.Store, operations: d.Operations, now: d.Now}
}
