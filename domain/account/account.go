// Package account has the rules for users' accounts: which passphrases are
// allowed, how long sessions and codes live, and what a custom role may
// contain. Storage and sign-in belong elsewhere.
package account

import (
	"net/mail"
	"strings"
	"time"
)

// State is the state of an account.
type State string

// The states of an account.
const (
	Invited  State = "invited" // not accepted yet
	Active   State = "active"
	Disabled State = "disabled"
)

// Enabled is the state of an account that is enabled again: in use, if it ever was.
func Enabled(wasUsed bool) State {
	if wasUsed {
		return Active
	}
	return Invited
}

// How long sessions are good: idle ones, and all of them.
const (
	BrowserIdle     = time.Hour
	BrowserLifetime = 24 * time.Hour
	DeviceIdle      = 30 * 24 * time.Hour
	DeviceLifetime  = 180 * 24 * time.Hour
	TokenLifetime   = 365 * 24 * time.Hour // the longest that may be asked for
)

// How long codes are good.
const (
	InvitationLifetime = 72 * time.Hour
	ResetLifetime      = time.Hour
	EnrolmentLifetime  = 10 * time.Minute // shown as a picture
	SentLinkLifetime   = 24 * time.Hour   // an enrolment that is sent
	PhoneCodeLifetime  = 10 * time.Minute
	ChallengeLifetime  = 10 * time.Minute // for steps that start before sign-in
)

// MostPasskeys is how many passkeys an account may have.
const MostPasskeys = 20

// maxEmail is the longest address that mail can carry.
const maxEmail = 254

// Email normalizes an address and reports whether it is readable.
func Email(text string) (string, bool) {
	text = Fold(text)
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Address != text || len(text) > maxEmail || strings.ContainsFunc(text, IsHidden) {
		return text, false
	}
	return text, true
}
