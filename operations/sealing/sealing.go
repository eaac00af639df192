// Package sealing encrypts the secrets that the service has to read again, such
// as seeds of one-time passwords and the secrets of webhook endpoints and
// identity providers.
package sealing

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"waybill/store"
)

// Settings are the secrets of an installation.
type Settings struct {
	// Secret is mixed into the encryption key; "" uses only the key in the
	// database.
	Secret string
	// AlsoOpens are older secrets that only decrypt.
	AlsoOpens []string
}

// Sealer encrypts and decrypts the secrets of an installation.
type Sealer struct {
	store    *store.Store
	settings Settings
	// right is true if the canary was opened.
	right atomic.Bool
}

// New returns the sealer of a process.
func New(s *store.Store, settings Settings) *Sealer { return &Sealer{store: s, settings: settings} }

// ErrSealed is returned for values encrypted with another secret.
var ErrSealed = errors.New("decrypt a sealed value: WAYBILL_SEALING_SECRET has changed")

// KeyReader reads the key in the database, and the canary: the store, or a
// transaction, which must not wait for a second connection.
type KeyReader interface {
	SealingKey(ctx context.Context) ([]byte, error)
	Canary(ctx context.Context) (sealed []byte, at *time.Time, err error)
	PutCanary(ctx context.Context, sealed, before []byte) (bool, error)
}

// Seal encrypts a value that is read again later. It refuses to use a secret
// other than the installation's, because no other process could decrypt the
// value.
func (s *Sealer) Seal(ctx context.Context, from KeyReader, plain []byte) ([]byte, error) {
	if err := s.check(ctx, from); err != nil {
		return nil, err
	}
	return s.sealWith(ctx, from, s.settings.Secret, plain)
}

func (s *Sealer) sealWith(ctx context.Context, from KeyReader, secret string, plain []byte) ([]byte, error) {
	aead, err := cipherOf(ctx, from, secret)
	if err != nil {
		return nil, err
	}
	return aead.Seal(nil, nil, plain, nil), nil
}

// Open decrypts what Seal has encrypted, also with an older secret, and from
// before the installation had a secret.
func (s *Sealer) Open(ctx context.Context, from KeyReader, sealed []byte) ([]byte, error) {
	plain, _, err := s.openWith(ctx, from, sealed)
	return plain, err
}

// openWith also returns the secret that opened it.
func (s *Sealer) openWith(ctx context.Context, from KeyReader, sealed []byte) (plain []byte, by string, err error) {
	for _, secret := range slices.Concat([]string{s.settings.Secret}, s.settings.AlsoOpens, []string{""}) {
		aead, err := cipherOf(ctx, from, secret)
		if err != nil {
			return nil, "", err
		}
		if plain, err := aead.Open(nil, nil, sealed, nil); err == nil {
			return plain, secret, nil
		}
	}
	return nil, "", ErrSealed
}

// Hash returns a keyed hash of a text that is short enough to be guessed.
func (s *Sealer) Hash(ctx context.Context, from KeyReader, text string) ([]byte, error) {
	key, err := from.SealingKey(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the key with which codes are hashed: %w", err)
	}
	mac := hmac.New(sha256.New, append([]byte(s.settings.Secret), key...))
	mac.Write([]byte(text))
	return mac.Sum(nil), nil
}

// cipherOf encrypts with the key in the database and a secret that is not in
// it, so that a copy of the database decrypts nothing.
func cipherOf(ctx context.Context, from KeyReader, secret string) (cipher.AEAD, error) {
	key, err := from.SealingKey(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the sealing key: %w", err)
	}
	if secret != "" {
		sum := sha256.Sum256(append([]byte(secret+"\x00"), key...))
		key = sum[:]
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
