// Package driving takes what drivers do on the road, and works out what follows from it: ETAs,
// exceptions, and where a driver's day stands.
package driving

import (
	"log/slog"
	"time"

	"waybill/store"
)

// Operations carries out what callers ask for.
type Operations struct {
	store *store.Store
	now   func() time.Time
	// log takes what only operators are to hear of.
	log      *slog.Logger
	renewals *etaRenewals
}

// New makes the operations over a store; now is the clock, and pause how long the ETAs of a
// driver are left alone after they were worked out.
func New(s *store.Store, now func() time.Time, log *slog.Logger, pause time.Duration) *Operations {
	return &Operations{store: s, now: now, log: log, renewals: newETARenewals(pause)}
}
