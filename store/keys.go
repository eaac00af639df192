package store

import (
	"context"
	"crypto/sha256"
	"time"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/store/columns"
	"waybill/store/queries"
)

// APIKey is a stored key, with the facts about the organization that its
// requests need.
type APIKey struct {
	OrgID int64
	ID    int64
	Name  string
	// Hash is the SHA-256 of the whole key.
	Hash      []byte
	ExpiresAt *time.Time
	// RevokedAt may lie ahead: the key is valid until then.
	RevokedAt *time.Time
	// Timezone and Language are the organization's.
	Timezone string
	Language string
	// Suspended is true if the organization is suspended.
	Suspended bool
	// Personal are the kinds of personal data that the key may read; nil is all of them.
	Personal []caller.Personal
}

// Written by hand, because sqlc does not know the columns of a function's
// result.
const findAPIKey = `
	SELECT org_id, id, name, hash, expires_at, revoked_at, timezone, language, is_suspended(org_id), personal_data
	FROM find_api_key($1)`

// FindAPIKey returns the key with this public part, valid or not, or
// ErrNotFound.
func (s *Store) FindAPIKey(ctx context.Context, public string) (APIKey, error) {
	var key APIKey
	err := s.find(ctx, findAPIKey, public,
		&key.OrgID, &key.ID, &key.Name, &key.Hash, &key.ExpiresAt, &key.RevokedAt, &key.Timezone, &key.Language,
		&key.Suspended, &key.Personal)
	return key, err
}

// TouchAPIKey records that a key was used just now.
func (s *Store) TouchAPIKey(ctx context.Context, org, key int64) error {
	return translate(s.of(org).TouchAPIKey(ctx, queries.TouchAPIKeyParams{OrgID: org, ID: key}))
}

// NewAPIKey is a key to be kept.
type NewAPIKey struct {
	Name      string
	Public    string
	Hash      [sha256.Size]byte
	ExpiresAt *time.Time // nil: never
	// Personal are the kinds of personal data that the key may read; nil is all of them.
	Personal []caller.Personal
}

// CreateAPIKey keeps a key, with its event, and returns its id. Several keys may
// share a name.
func (s *Store) CreateAPIKey(ctx context.Context, by caller.Caller, key NewAPIKey) (id int64, err error) {
	err = s.InTx(ctx, by, func(t *Tx) error {
		id, err = t.CreateAPIKey(ctx, key)
		return err
	})
	return id, err
}

// CreateAPIKey keeps a key, with its event, and returns its id.
func (t *Tx) CreateAPIKey(ctx context.Context, key NewAPIKey) (int64, error) {
	p := queries.CreateAPIKeyParams{
		OrgID: t.org, Name: key.Name, PublicPart: key.Public, Hash: key.Hash[:], ExpiresAt: key.ExpiresAt,
	}
	if key.Personal != nil { // A column without kinds differs from null.
		p.PersonalData = texts(key.Personal)
	}
	id, err := t.q.CreateAPIKey(ctx, p)
	if err != nil {
		return 0, err
	}
	return id, t.Append(ctx, event.Key{ID: id, Name: key.Name}.Event(event.KeyCreated))
}

// RevokeAPIKey ends a key at a time that may lie ahead, with its event. It
// returns the key's name and the kinds of personal data that it may read. A key
// that ends earlier is not changed.
func (t *Tx) RevokeAPIKey(ctx context.Context, id int64, at time.Time) (string, []caller.Personal, error) {
	row, err := t.q.RevokeAPIKey(ctx, queries.RevokeAPIKeyParams{OrgID: t.org, ID: id, RevokedAt: at})
	if err != nil {
		return "", nil, absent("key", id, err)
	}
	if row.Ended {
		err = t.Append(ctx, event.Key{ID: id, Name: row.Name}.Event(event.KeyRevoked))
	}
	return row.Name, personalOf(row.PersonalData), err
}

// personalOf are kinds of personal data from their column; nil stays nil.
func personalOf(texts []string) []caller.Personal {
	if texts == nil {
		return nil
	}
	return columns.Of(texts, func(text string) caller.Personal { return caller.Personal(text) })
}

// ListedAPIKey is a key as operators see it.
type ListedAPIKey struct {
	ID         int64
	Name       string
	Public     string
	CreatedAt  time.Time
	ExpiresAt  *time.Time
	RevokedAt  *time.Time
	LastUsedAt *time.Time
	// Personal are the kinds of personal data that the key may read; nil is all of them.
	Personal []caller.Personal
}

// ListAPIKeys returns all keys of an organization, oldest first.
func (s *Store) ListAPIKeys(ctx context.Context, org int64) ([]ListedAPIKey, error) {
	rows, err := s.of(org).ListAPIKeys(ctx, org)
	if err != nil {
		return nil, translate(err)
	}
	keys := make([]ListedAPIKey, len(rows))
	for i, r := range rows {
		keys[i] = ListedAPIKey{
			ID: r.ID, Name: r.Name, Public: r.PublicPart, CreatedAt: r.CreatedAt,
			ExpiresAt: r.ExpiresAt, RevokedAt: r.RevokedAt, LastUsedAt: r.LastUsedAt, Personal: personalOf(r.PersonalData),
		}
	}
	return keys, nil
}

// RevokeAPIKeys ends the keys with a name at a time that may lie ahead, so that
// an old and a new key can overlap. It appends one event per key and returns
// the public parts of the keys that it ended. Keys that end earlier are not
// changed.
func (s *Store) RevokeAPIKeys(
	ctx context.Context, by caller.Caller, name string, at time.Time,
) (public []string, err error) {
	err = s.InTx(ctx, by, func(t *Tx) error {
		rows, err := t.q.RevokeAPIKeys(ctx, queries.RevokeAPIKeysParams{OrgID: t.org, Name: name, RevokedAt: at})
		if err != nil {
			return err
		}
		public = make([]string, len(rows))
		ended := make([]event.Event, len(rows))
		for i, r := range rows {
			public[i] = r.PublicPart
			ended[i] = event.Key{ID: r.ID, Name: name}.Event(event.KeyRevoked)
		}
		return t.Append(ctx, ended...)
	})
	return public, err
}
