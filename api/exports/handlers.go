// Package exports serves carriers that fetch shipments and acknowledge them. It
// decodes, calls and encodes; when a shipment is offered is said in
// domain/export.
package exports

import (
	"go.temporal.io/sdk/client"

	"waybill/operations"
	"waybill/store"
)

// Dependencies are what the handlers work with.
type Dependencies struct {
	Store      *store.Store
	Operations *operations.Operations
	Temporal   client.Client
}

// Handlers serve the export of orders to carriers.
type Handlers struct {
	store      *store.Store
	operations *operations.Operations
	temporal   client.Client
}

// New makes handlers.
func New(d Dependencies) *Handlers {
	return &Handlers{
		store:      d.Store,
		operations: d.Operations,
		temporal:   d.Temporal,
	}
}
