// Package credential defines the secrets with which callers authenticate: what
// they look like, how they are generated and what may be stored of them.
// Storage and authorization belong elsewhere.
package credential

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"io"
	"strings"
)

// Kind is the prefix of a secret, which names its purpose.
type Kind string

// The kinds of secret.
const (
	APIKey  Kind = "wbk_"
	Session Kind = "wbs_" // a person in a browser
	Device  Kind = "wbd_" // a driver's phone
	Token   Kind = "wbu_" // a person's scripts
	Code    Kind = "wbc_" // good once: an invitation, a reset, an enrolment
)

// A secret is "<kind><public part>_<secret part>". The public part finds it in
// storage and may be shown; the whole is shown once, when it is made.
const (
	publicBytes = 10 // 80 bits: never the same twice
	secretBytes = 20 // 160 bits: unguessable

	maxPublic = 32
	minSecret = 16
	maxSecret = 128
)

// encoding is lower-case letters and digits, so that a secret survives being
// copied, and selected by a double click.
var encoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Secret is a well-formed secret. It prints only its public part, so that a log
// never has the rest.
type Secret struct {
	text   string
	kind   Kind
	public string
}

// New returns a secret out of a source of randomness.
func New(kind Kind, random io.Reader) (Secret, error) {
	var raw [publicBytes + secretBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return Secret{}, fmt.Errorf("draw random bytes for a secret: %w", err)
	}
	public := encoding.EncodeToString(raw[:publicBytes])
	return Secret{
		text: string(kind) + public + "_" + encoding.EncodeToString(raw[publicBytes:]),
		kind: kind, public: public,
	}, nil
}

// Parse reads a secret of a kind as a caller sent it, and reports whether it is
// well formed.
func Parse(kind Kind, text string) (Secret, bool) {
	rest, found := strings.CutPrefix(text, string(kind))
	if !found {
		return Secret{}, false
	}
	public, secret, found := strings.Cut(rest, "_")
	if !found || !alphanumeric(public, 1, maxPublic) || !alphanumeric(secret, minSecret, maxSecret) {
		return Secret{}, false
	}
	return Secret{text: text, kind: kind, public: public}, true
}

// Kind returns the purpose of the secret.
func (s Secret) Kind() Kind { return s.kind }

// Public returns the part that finds the secret in storage.
func (s Secret) Public() string { return s.public }

// Reveal returns the whole secret, to be shown once to its requester.
func (s Secret) Reveal() string { return s.text }

// Hash returns the stored form of the secret: the SHA-256 of all of it.
func (s Secret) Hash() [sha256.Size]byte { return sha256.Sum256([]byte(s.text)) }

// String returns the secret without its secret part.
func (s Secret) String() string { return string(s.kind) + s.public }

// GoString returns the secret without its secret part.
func (s Secret) GoString() string { return s.String() }

func alphanumeric(s string, shortest, longest int) bool {
	if len(s) < shortest || len(s) > longest {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}
