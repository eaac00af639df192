// Package masterdata maintains the records that orders refer to: locations,
// drivers, load carriers, custom fields, records of all kinds, and the features
// that an organization enables.
package masterdata

import (
	"time"

	"waybill/store"
)

// Settings are an installation's settings for its organizations.
type Settings struct {
	// MailFrom and SMSFrom are the default senders of messages; "" means none.
	MailFrom, SMSFrom string
}

// Operations are the operations on master data.
type Operations struct {
	store    *store.Store
	now      func() time.Time
	settings Settings
}

// New returns the operations over a store; now is the clock.
func New(s *store.Store, now func() time.Time, settings Settings) *Operations {
	return &Operations{store: s, now: now, settings: settings}
}
