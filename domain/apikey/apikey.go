// Package apikey says what an API key looks like, how a new one is made and
// what of it may be kept. Keys in storage, and who may use them, belong
// elsewhere.
package apikey

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"io"
	"strings"
)

// A key is "wbk_<public part>_<secret>". The public part finds the key in
// storage and may be shown; the secret is shown once, when the key is made.
const (
	prefix = "wbk_"

	publicBytes = 10 // 80 bits: never the same twice
	secretBytes = 20 // 160 bits: beyond guessing

	maxPublic = 32
	minSecret = 16
	maxSecret = 128
)

// encoding is lower-case letters and digits, so that a key survives being
// copied, and selected by a double click.
var encoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Key is a well-formed API key. It prints as its public part alone, so that a
// log never holds a secret.
type Key struct {
	text   string
	public string
}

// New makes a key out of a source of randomness.
func New(random io.Reader) (Key, error) {
	var raw [publicBytes + secretBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return Key{}, fmt.Errorf("draw random bytes for a key: %w", err)
	}
	public := encoding.EncodeToString(raw[:publicBytes])
	return Key{
		text:   prefix + public + "_" + encoding.EncodeToString(raw[publicBytes:]),
		public: public,
	}, nil
}

// Parse reads a key as a caller sent it, and reports whether it is well formed.
func Parse(text string) (Key, bool) {
	rest, found := strings.CutPrefix(text, prefix)
	if !found {
		return Key{}, false
	}
	public, secret, found := strings.Cut(rest, "_")
	if !found || !alphanumeric(public, 1, maxPublic) || !alphanumeric(secret, minSecret, maxSecret) {
		return Key{}, false
	}
	return Key{text: text, public: public}, true
}

// Public returns the part that finds the key in storage.
func (k Key) Public() string { return k.public }

// Reveal returns the whole key, to be shown once to whoever asked for it.
func (k Key) Reveal() string { return k.text }

// Hash returns what storage keeps of the key: the SHA-256 of the whole of it.
func (k Key) Hash() [sha256.Size]byte { return sha256.Sum256([]byte(k.text)) }

// String returns the key without its secret.
func (k Key) String() string { return prefix + k.public }

// GoString returns the key without its secret.
func (k Key) GoString() string { return k.String() }

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
