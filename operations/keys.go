package operations

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/credential"
	"waybill/store"
)

// CreateAPIKey makes a key of an organization and returns it, this once: only a
// hash of it is kept. It is good for ever, or until expires when that is not 0.
func (o *Operations) CreateAPIKey(
	ctx context.Context, c caller.Caller, name string, expires time.Duration,
) (credential.Secret, error) {
	key, err := credential.New(credential.APIKey, rand.Reader)
	if err != nil {
		return credential.Secret{}, err
	}
	kept := store.NewAPIKey{Name: name, Public: key.Public(), Hash: key.Hash()}
	if expires > 0 {
		end := o.now().Add(expires)
		kept.ExpiresAt = &end
	}
	if _, err := o.store.CreateAPIKey(ctx, c, kept); err != nil {
		return credential.Secret{}, fmt.Errorf("keep the key: %w", err)
	}
	return key, nil
}

// RevokedKeys are keys that end, by their public parts.
type RevokedKeys struct {
	Public []string
	End    time.Time
}

// RevokeAPIKeys ends all keys of a name, after a while that lets an old and a
// new key overlap. Keys that end earlier stay as they are.
func (o *Operations) RevokeAPIKeys(
	ctx context.Context, c caller.Caller, name string, after time.Duration,
) (RevokedKeys, error) {
	revoked := RevokedKeys{End: o.now().Add(after)}
	var err error
	if revoked.Public, err = o.store.RevokeAPIKeys(ctx, c, name, revoked.End); err != nil {
		return RevokedKeys{}, fmt.Errorf("revoke keys: %w", err)
	}
	return revoked, nil
}
