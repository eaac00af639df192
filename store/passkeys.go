package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"waybill/store/queries"
)

// Passkey is a passkey of an account. Credential is the record of the WebAuthn
// library.
type Passkey struct {
	ID         int64
	Name       string
	Credential json.RawMessage
	CreatedAt  time.Time
	LastUsedAt *time.Time
}

// Passkeys returns the passkeys of a user, oldest first.
func (s *Store) Passkeys(ctx context.Context, org, user int64) ([]Passkey, error) {
	return passkeys(ctx, s.of(org), org, user)
}

// Passkeys returns the passkeys of a user, as the transaction sees them.
func (t *Tx) Passkeys(ctx context.Context, user int64) ([]Passkey, error) {
	return passkeys(ctx, t.q, t.org, user)
}

func passkeys(ctx context.Context, q *queries.Queries, org, user int64) ([]Passkey, error) {
	rows, err := q.ListPasskeys(ctx, queries.ListPasskeysParams{OrgID: org, UserID: user})
	keys := make([]Passkey, len(rows))
	for i, r := range rows {
		keys[i] = Passkey{
			ID: r.ID, Name: r.Name, Credential: r.Credential, CreatedAt: r.CreatedAt, LastUsedAt: r.LastUsedAt,
		}
	}
	return keys, translate(err)
}

// NewPasskey is a passkey to be kept. CredentialID is how browsers name it.
type NewPasskey struct {
	UserID       int64
	CredentialID []byte
	Credential   json.RawMessage
	Name         string
	At           time.Time
}

// CreatePasskey keeps a passkey and returns its id.
func (t *Tx) CreatePasskey(ctx context.Context, n NewPasskey) (int64, error) {
	id, err := t.q.CreatePasskey(ctx, queries.CreatePasskeyParams{
		OrgID: t.org, UserID: n.UserID, CredentialID: n.CredentialID, Credential: n.Credential, Name: n.Name, At: n.At,
	})
	if err != nil {
		return 0, fmt.Errorf("save a passkey: %w", translate(err))
	}
	return id, nil
}

// UsePasskey saves a passkey after its use.
func (t *Tx) UsePasskey(ctx context.Context, user int64, credentialID []byte, c json.RawMessage, at time.Time) error {
	return t.q.UsePasskey(ctx, queries.UsePasskeyParams{
		OrgID: t.org, UserID: user, CredentialID: credentialID, Credential: c, At: at,
	})
}

// RemovePasskey forgets a passkey of a user and reports whether there was one.
func (t *Tx) RemovePasskey(ctx context.Context, user, id int64) (bool, error) {
	n, err := t.q.RemovePasskey(ctx, queries.RemovePasskeyParams{OrgID: t.org, UserID: user, ID: id})
	return n > 0, err
}
