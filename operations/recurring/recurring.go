// Package recurring keeps the templates of recurring orders, and generates the orders that
// they ask for.
package recurring

import (
	"log/slog"
	"time"

	"waybill/store"
)

// Operations carries out what callers ask for.
type Operations struct {
	store *store.Store
	now   func() time.Time
	// log takes what only operators are to hear of; nil discards it.
	log *slog.Logger
}

// New makes the operations over a store; now is the clock.
func New(s *store.Store, now func() time.Time, log *slog.Logger) *Operations {
	return &Operations{store: s, now: now, log: log}
}
