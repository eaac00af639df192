// Package planning serves plans: who carries out which orders of a day and why
// others are left over, and what people change about that. Plans are made in
// workflows; here they are read.
package planning

import (
	"waybill/operations"
	"waybill/store"
)

// Dependencies are what the handlers work with.
type Dependencies struct {
	Store      *store.Store
	Operations *operations.Operations
	Map        Map
}

// Handlers serve plans.
type Handlers struct {
	store      *store.Store
	operations *operations.Operations
	drawn      Map
}

// New makes handlers.
func New(d Dependencies) *Handlers {
	return &Handlers{store: d.Store, operations: d.Operations, drawn: d.Map}
}
