// Package activity serves what people look back on: who did what, and all
// that happened to an order.
package activity

import (
	"time"

	"waybill/store"
)

// Dependencies are what the handlers work with.
type Dependencies struct {
	Store *store.Store
	// TemporalUI is where workflows are shown to people, with the namespace; empty
	// when nobody shows them.
	TemporalUI, Namespace string
	Now                   func() time.Time
}

// Handlers serve the log.
type Handlers struct {
	store         *store.Store
	ui, namespace string
	now           func() time.Time
}

// New makes handlers.
func New(d Dependencies) *Handlers {
	return &Handlers{store: d.Store, ui: d.TemporalUI, namespace: d.Namespace, now: d.Now}
}
