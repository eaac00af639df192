package people

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/credential"
	"waybill/store"
)

// CreateAPIKey creates a key of an organization and returns it once: only its
// hash is stored. It is valid until expires, or without limit if that is 0.
// personal are the kinds of personal data that it may read; nil means all.
func (o *Operations) CreateAPIKey(
	ctx context.Context, c caller.Caller, name string, expires time.Duration, personal []caller.Personal,
) (credential.Secret, error) {
	asked := AskedKey{Name: name, Personal: personal}
	if expires > 0 {
		at := o.now().Add(expires)
		asked.Expires = &at
	}
	made, err := o.MakeAPIKey(ctx, c, asked)
	return made.Key, err
}

// AskedKey is a request for an API key.
type AskedKey struct {
	Name    string
	Expires *time.Time // nil: never
	// Personal are the kinds of personal data that it may read; nil is all of them.
	Personal []caller.Personal
}

// MadeKey is an API key with its secret, which is shown only once.
type MadeKey struct {
	AskedKey

	ID  int64
	Key credential.Secret
}

// MakeAPIKey creates a key of an organization that is valid until a time, or
// without limit. A key reaches the whole organization, so only administrators
// of the whole organization can create one.
func (o *Operations) MakeAPIKey(ctx context.Context, c caller.Caller, asked AskedKey) (MadeKey, error) {
	var made MadeKey
	if err := mayGiveAll(c); err != nil {
		return made, err
	}
	err := o.store.InTx(ctx, c, func(t *store.Tx) (err error) {
		made, err = makeKey(ctx, t, asked)
		return err
	})
	return made, err
}

func makeKey(ctx context.Context, t *store.Tx, asked AskedKey) (MadeKey, error) {
	key, err := credential.New(credential.APIKey, rand.Reader)
	if err != nil {
		return MadeKey{}, err
	}
	id, err := t.CreateAPIKey(ctx, store.NewAPIKey{
		Name: asked.Name, Public: key.Public(), Hash: key.Hash(), ExpiresAt: asked.Expires, Personal: asked.Personal,
	})
	if err != nil {
		return MadeKey{}, fmt.Errorf("save the key: %w", err)
	}
	return MadeKey{AskedKey: asked, ID: id, Key: key}, nil
}

// RotateAPIKey creates a key of the same name to replace another, which stays
// valid for a while. It may read the same personal data, unless personal is not
// nil.
func (o *Operations) RotateAPIKey(
	ctx context.Context, c caller.Caller, id int64, overlap time.Duration, personal []caller.Personal,
) (MadeKey, error) {
	var made MadeKey
	if err := mayGiveAll(c); err != nil {
		return made, err
	}
	err := o.store.InTx(ctx, c, func(t *store.Tx) error {
		name, before, err := t.RevokeAPIKey(ctx, id, o.now().Add(overlap))
		if err != nil {
			return err
		}
		if personal == nil {
			personal = before
		}
		made, err = makeKey(ctx, t, AskedKey{Name: name, Personal: personal})
		return err
	})
	return made, err
}

// RevokeAPIKey revokes one key at once.
func (o *Operations) RevokeAPIKey(ctx context.Context, c caller.Caller, id int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		_, _, err := t.RevokeAPIKey(ctx, id, o.now())
		return err
	})
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
