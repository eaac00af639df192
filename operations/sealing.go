package operations

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"
)

// errSealed is the error of what was encrypted with another secret.
var errSealed = errors.New("decrypt a sealed value: WAYBILL_SEALING_SECRET has changed")

// keyReader reads the key in the database, and the canary: the store, or a transaction, which must not wait
// for a second connection.
type keyReader interface {
	SealingKey(ctx context.Context) ([]byte, error)
	Canary(ctx context.Context) (sealed []byte, at *time.Time, err error)
	PutCanary(ctx context.Context, sealed, before []byte) (bool, error)
}

// seal encrypts what has to be kept and read again. It refuses to do so with another secret
// than the installation's: nobody else could open it.
func (o *Operations) seal(ctx context.Context, from keyReader, plain []byte) ([]byte, error) {
	if err := o.checkSealing(ctx, from); err != nil {
		return nil, err
	}
	return o.sealWith(ctx, from, o.settings.SealingSecret, plain)
}

func (o *Operations) sealWith(ctx context.Context, from keyReader, secret string, plain []byte) ([]byte, error) {
	aead, err := sealer(ctx, from, secret)
	if err != nil {
		return nil, err
	}
	return aead.Seal(nil, nil, plain, nil), nil
}

// unseal decrypts what seal has encrypted, also with a secret that also opens, and before the
// installation had a secret.
func (o *Operations) unseal(ctx context.Context, from keyReader, sealed []byte) ([]byte, error) {
	plain, _, err := o.unsealWith(ctx, from, sealed)
	return plain, err
}

// unsealWith also returns the secret that opened it.
func (o *Operations) unsealWith(ctx context.Context, from keyReader, sealed []byte) (plain []byte, by string, err error) {
	for _, secret := range slices.Concat([]string{o.settings.SealingSecret}, o.settings.SealingAlsoOpens, []string{""}) {
		aead, err := sealer(ctx, from, secret)
		if err != nil {
			return nil, "", err
		}
		if plain, err := aead.Open(nil, nil, sealed, nil); err == nil {
			return plain, secret, nil
		}
	}
	return nil, "", errSealed
}

// sealer encrypts with the key in the database and a secret that is not there, so
// that a copy of the database alone opens nothing.
func sealer(ctx context.Context, from keyReader, secret string) (cipher.AEAD, error) {
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
