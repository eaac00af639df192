package store

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"waybill/store/queries"
)

// SealingKey returns the key with which secrets are encrypted.
func (s *Store) SealingKey(ctx context.Context) ([]byte, error) {
	return s.sealing.read(ctx, s.anyone())
}

// SealingKey returns the key with which secrets are encrypted. It is read on the
// transaction's own connection.
func (t *Tx) SealingKey(ctx context.Context) ([]byte, error) { return t.sealing.read(ctx, t.q) }

// sealingKey caches the key with which secrets are encrypted. The key never
// changes, so a process reads it once.
type sealingKey struct{ kept atomic.Pointer[[]byte] }

func (k *sealingKey) read(ctx context.Context, q *queries.Queries) ([]byte, error) {
	if key := k.kept.Load(); key != nil {
		return *key, nil
	}
	key, err := q.SigningKey(ctx, "totp")
	if err == nil {
		k.kept.Store(&key)
	}
	return key, translate(err)
}

// TOTPSeed is the encrypted seed of a user's one-time passwords.
type TOTPSeed = queries.TOTPSeedRow

// TOTPSeed returns a user's seed and locks it until the end of the transaction,
// or returns ErrNotFound.
func (t *Tx) TOTPSeed(ctx context.Context, user int64) (TOTPSeed, error) {
	seed, err := t.q.TOTPSeed(ctx, queries.TOTPSeedParams{OrgID: t.org, UserID: user})
	return seed, translate(err)
}

// PutTOTPSeed replaces a user's seed; the new one is not active yet.
func (t *Tx) PutTOTPSeed(ctx context.Context, user int64, seed []byte) error {
	return t.q.PutTOTPSeed(ctx, queries.PutTOTPSeedParams{OrgID: t.org, UserID: user, Seed: seed})
}

// UseTOTPStep marks a step of time as used and reports whether it was not before.
// The seed counts from then on.
func (t *Tx) UseTOTPStep(ctx context.Context, user, step int64, now time.Time) (bool, error) {
	_, err := t.q.UseTOTPStep(ctx, queries.UseTOTPStepParams{OrgID: t.org, UserID: user, Step: step, At: now})
	return found(err)
}

// RemoveTOTP forgets a user's seed and recovery codes, and reports whether there
// was one.
func (t *Tx) RemoveTOTP(ctx context.Context, user int64) (bool, error) {
	n, err := t.q.RemoveTOTP(ctx, queries.RemoveTOTPParams{OrgID: t.org, UserID: user})
	return n > 0, err
}

// PutRecoveryCodes keeps the hashes of recovery codes in place of those before.
func (t *Tx) PutRecoveryCodes(ctx context.Context, user int64, hashes [][]byte) error {
	return t.q.PutRecoveryCodes(ctx, queries.PutRecoveryCodesParams{OrgID: t.org, UserID: user, Hashes: hashes})
}

// UseRecoveryCode uses a recovery code up and reports whether it was good.
func (t *Tx) UseRecoveryCode(ctx context.Context, user int64, hash []byte, now time.Time) (bool, error) {
	_, err := t.q.UseRecoveryCode(ctx, queries.UseRecoveryCodeParams{OrgID: t.org, UserID: user, Hash: hash, At: now})
	return found(err)
}

// found reports whether a row was there.
func found(err error) (bool, error) {
	err = translate(err)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
