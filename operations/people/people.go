// Package people is how users, drivers' devices and programs get in: accounts, roles,
// keys, sessions, passphrases, passkeys, second factors, identity providers, and the
// codes and links that accounts are taken up with.
package people

import (
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"waybill/operations/sealing"
	"waybill/providers/identity"
	"waybill/store"
)

// Settings are what an installation chooses for its accounts.
type Settings struct {
	// PublicURL is the address of the service, which links lead to and passkeys are made for.
	PublicURL string
	// AllowPrivateProviders lets identity providers lie in private networks.
	AllowPrivateProviders bool
}

// Operations carries out what callers ask for.
type Operations struct {
	store       *store.Store
	now         func() time.Time
	sealer      *sealing.Sealer
	settings    Settings
	passphrases *passphrases
	// relyingParty is what passkeys are made for; nil where there can be none.
	relyingParty *webauthn.WebAuthn
	// identity signs people in with their organization's identity provider.
	identity *identity.Client
}

// New makes the operations over a store; now is the clock.
func New(s *store.Store, now func() time.Time, sealer *sealing.Sealer, settings Settings) *Operations {
	return &Operations{
		store: s, now: now, sealer: sealer, settings: settings, passphrases: newPassphrases(),
		relyingParty: newRelyingParty(settings.PublicURL),
		identity:     identity.New(settings.AllowPrivateProviders, now),
	}
}
