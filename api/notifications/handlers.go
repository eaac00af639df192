// Package notifications serves the log of messages to receivers of orders.
// Package inbound receives providers' reports about messages.
package notifications

import (
	"go.temporal.io/sdk/client"

	"waybill/operations"
	"waybill/store"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Store      *store.Store
	Operations *operations.Operations
	Temporal   client.Client
}

// Handlers serve the log of messages.
type Handlers struct {
	store      *store.Store
	operations *operations.Operations
	temporal   client.Client
}

// New returns handlers.
func New(d Dependencies) *Handlers {
	return &Handlers{
		store:      d.Store,
		operations: d.Operations,
		temporal:   d.Temporal,
	}
}
