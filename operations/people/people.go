// Package people authenticates users, drivers' devices and programs: accounts,
// roles, keys, sessions, passphrases, passkeys, second factors, identity
// providers, and the codes and links that activate accounts.
package people

import (
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"waybill/operations/sealing"
	"waybill/providers/identity"
	"waybill/store"
)

// Settings are an installation's settings for accounts.
type Settings struct {
	// PublicURL is the address of the service, for links and passkeys.
	PublicURL string
	// AllowPrivateProviders permits identity providers in private networks.
	AllowPrivateProviders bool
}

// Operations are the operations on accounts.
type Operations struct {
	store       *store.Store
	now         func() time.Time
	sealer      *sealing.Sealer
	settings    Settings
	passphrases *passphrases
	// relyingParty is the relying party of passkeys, or nil if they are not
	// supported.
	relyingParty *webauthn.WebAuthn
	// identity signs people in with their organization's identity provider.
	identity *identity.Client
}

// New returns the operations over a store; now is the clock.
func New(s *store.Store, now func() time.Time, sealer *sealing.Sealer, settings Settings) *Operations {
	return &Operations{
		store: s, now: now, sealer: sealer, settings: settings, passphrases: newPassphrases(),
		relyingParty: newRelyingParty(settings.PublicURL),
		identity:     identity.New(settings.AllowPrivateProviders, now),
	}
}
