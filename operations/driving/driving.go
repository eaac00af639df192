// Package driving takes what drivers do on the road, and works out what follows from it: ETAs,
// exceptions, and where a driver's day stands.
package driving

import (
	"context"
	"log/slog"
	"time"

	"waybill/domain/caller"
	"waybill/domain/planning"
	roads "waybill/domain/road"
	"waybill/store"
)

// Places are where addresses are.
type Places interface {
	// AcceptReported accepts what a driver says of the address of a stop, if the organization
	// does so by itself.
	AcceptReported(ctx context.Context, c caller.Caller, stopID int64) error
	// Learn learns from the arrivals at the address of a stop.
	Learn(ctx context.Context, c caller.Caller, stopID int64) error
}

// Streets are where vehicles drive.
type Streets interface {
	// Match returns the stretches of a track that are on streets, in the order of time, as
	// travel.Tables does. matches is false if nobody knows the streets.
	Match(ctx context.Context, profile planning.Profile, track roads.Track) (
		stretches []roads.Stretch, matches bool, err error)
}

// Operations carries out what callers ask for.
type Operations struct {
	store *store.Store
	now   func() time.Time
	// log takes what only operators are to hear of.
	log      *slog.Logger
	places   Places
	streets  Streets
	renewals *etaRenewals
}

// New makes the operations over a store; now is the clock, and pause how long the ETAs of a
// driver are left alone after they were worked out.
func New(
	s *store.Store, now func() time.Time, log *slog.Logger, pause time.Duration, places Places, streets Streets,
) *Operations {
	return &Operations{store: s, now: now, log: log, places: places, streets: streets, renewals: newETARenewals(pause)}
}
