// Package masterdata is what orders refer to and organizations keep: locations, drivers,
// load carriers, custom fields, records of all kinds, and what an organization switches on.
package masterdata

import (
	"time"

	"waybill/store"
)

// Settings are what an installation chooses for its organizations.
type Settings struct {
	// MailFrom and SMSFrom are whom messages are from where an organization does not say;
	// "" where the installation does not either.
	MailFrom, SMSFrom string
}

// Operations carries out what callers ask for.
type Operations struct {
	store    *store.Store
	now      func() time.Time
	settings Settings
}

// New makes the operations over a store; now is the clock.
func New(s *store.Store, now func() time.Time, settings Settings) *Operations {
	return &Operations{store: s, now: now, settings: settings}
}
