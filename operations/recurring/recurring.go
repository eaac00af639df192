// Package recurring maintains the templates of recurring orders, and generates
// their orders.
package recurring

import (
	"log/slog"
	"time"

	"waybill/store"
)

// Operations are the operations on templates.
type Operations struct {
	store *store.Store
	now   func() time.Time
	// log receives messages for operators; nil discards them.
	log *slog.Logger
}

// New returns the operations over a store; now is the clock.
func New(s *store.Store, now func() time.Time, log *slog.Logger) *Operations {
	return &Operations{store: s, now: now, log: log}
}
