// Package exceptions serves what the office must look at while drivers are on the
// road. It is found elsewhere; here it is read and resolved.
package exceptions

import (
	"waybill/operations"
	"waybill/store"
)

// Dependencies are what the handlers work with.
type Dependencies struct {
	Store      *store.Store
	Operations *operations.Operations
}

// Handlers serve exceptions.
type Handlers struct {
	store      *store.Store
	operations *operations.Operations
}

// New makes handlers.
func New(d Dependencies) *Handlers { return &Handlers{store: d.Store, operations: d.Operations} }
