// Package masterdata serves the records that orders refer to: customers,
// locations, order types, drivers and custom fields.
package masterdata

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

// Handlers serve master data.
type Handlers struct {
	store      *store.Store
	operations *operations.Operations
	now        func() time.Time
}

// New returns handlers.
func New(d Dependencies) *Handlers {
	return &Handlers{
		store:      d.Store,
		operations: d.Operations,
		now:        d.Now,
	}
}
