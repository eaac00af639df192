// Package exceptions serves the exceptions that the office must handle while
// drivers are on the road. Operations detect them; here they are listed and
// resolved.
package exceptions

import (
	"waybill/operations"
	"waybill/store"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Store      *store.Store
	Operations *operations.Operations
}

// Handlers serve exceptions.
type Handlers struct {
	store      *store.Store
	operations *operations.Operations
}

// New returns handlers.
func New(d Dependencies) *Handlers { return &Handlers{store: d.Store, operations: d.Operations} }
