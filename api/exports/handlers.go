// Package exports serves carriers that fetch shipments and acknowledge them.
// The rules for offers are in domain/export.
package exports

import "waybill/operations"

// Handlers serve the export of orders to carriers.
type Handlers struct {
	operations *operations.Operations
}

// New returns handlers.
func New(o *operations.Operations) *Handlers { return &Handlers{operations: o} }
