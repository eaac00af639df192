// Package planning serves plans: who carries out which orders of a day and why
// others are unplanned, and users' changes to that. Workflows make plans; here
// they are read.
package planning

import (
	"time"

	"waybill/operations"
	"waybill/store"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Store      *store.Store
	Operations *operations.Operations
	Map        Map
	Now        func() time.Time
}

// Handlers serve plans.
type Handlers struct {
	store      *store.Store
	operations *operations.Operations
	drawn      Map
	now        func() time.Time
}

// New returns handlers.
func New(d Dependencies) *Handlers {
	return &Handlers{store: d.Store, operations: d.Operations, drawn: d.Map, now: d.Now}
}
