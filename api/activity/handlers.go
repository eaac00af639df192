// Package activity serves the history: who did what, and the events of an
// order.
package activity

import (
	"time"

	"waybill/store"
)

// Dependencies are the dependencies of the handlers.
type Dependencies struct {
	Store *store.Store
	// TemporalUI is the address of the web interface for workflows, with the
	// namespace, or empty.
	TemporalUI, Namespace string
	Now                   func() time.Time
}

// Handlers serve the log.
type Handlers struct {
	store         *store.Store
	ui, namespace string
	now           func() time.Time
}

// New returns handlers.
func New(d Dependencies) *Handlers {
	return &Handlers{store: d.Store, ui: d.TemporalUI, namespace: d.Namespace, now: d.Now}
}
