// Package exports serves carriers that fetch shipments and acknowledge them. It
// decodes, calls and encodes; when a shipment is offered is said in
// domain/export.
package exports

import "waybill/operations"

// Handlers serve the export of orders to carriers.
type Handlers struct {
	operations *operations.Operations
}

// New makes handlers.
func New(o *operations.Operations) *Handlers { return &Handlers{operations: o} }
