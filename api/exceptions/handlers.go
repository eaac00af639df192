// Package exceptions serves the exceptions that the office must handle while
// drivers are on the road, and the alerts by its own rules. Operations detect
// them; here they are listed and handled.
package exceptions

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

// Handlers serve exceptions.
type Handlers struct {
	store      *store.Store
	operations *operations.Operations
	now        func() time.Time
}

// New returns handlers.
func New(d Dependencies) *Handlers {
	return &Handlers{store: d.Store, operations: d.Operations, now: d.Now}
}
