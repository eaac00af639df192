package store

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/fault"
	"waybill/store/queries"
)

// IdentityProvider is a service with whose accounts people of an organization
// may sign in.
type IdentityProvider struct {
	IdentityProviderDetails

	ID        int64
	UpdatedAt time.Time
}

// IdentityProviderDetails are the settings of a provider that an administrator
// controls. Secret is encrypted, or nil. NewUsersRoleID is the role for users
// without an invitation; 0 means that they can't sign in.
type IdentityProviderDetails struct {
	Slug, Name, Issuer, ClientID string
	SealedSecret                 []byte
	NewUsersRoleID               int64
	IsActive                     bool
}

// IdentityProviders returns the providers of an organization, oldest first, at
// most 50.
func (s *Store) IdentityProviders(ctx context.Context, org int64) ([]IdentityProvider, error) {
	return identityProviders(ctx, s.of(org), queries.ListIdentityProvidersParams{OrgID: org})
}

// IdentityProviders returns the providers, as the transaction sees them.
func (t *Tx) IdentityProviders(ctx context.Context) ([]IdentityProvider, error) {
	return identityProviders(ctx, t.q, queries.ListIdentityProvidersParams{OrgID: t.org})
}

// IdentityProvider returns one provider.
func (s *Store) IdentityProvider(ctx context.Context, org, id int64) (IdentityProvider, error) {
	return oneIdentityProvider(ctx, s.of(org), org, id)
}

// IdentityProvider returns one provider and locks it until the end of the
// transaction.
func (t *Tx) IdentityProvider(ctx context.Context, id int64) (IdentityProvider, error) {
	if _, err := t.q.LockIdentityProvider(ctx, queries.LockIdentityProviderParams{OrgID: t.org, ID: id}); err != nil {
		return IdentityProvider{}, absent("identity_provider", id, err)
	}
	return oneIdentityProvider(ctx, t.q, t.org, id)
}

func oneIdentityProvider(ctx context.Context, q *queries.Queries, org, id int64) (IdentityProvider, error) {
	found, err := identityProviders(ctx, q, queries.ListIdentityProvidersParams{OrgID: org, ID: max(id, -1)})
	if err == nil && (len(found) == 0 || id == 0) {
		err = fault.Missing("identity_provider", fmt.Sprint(id))
	}
	if err != nil {
		return IdentityProvider{}, err
	}
	return found[0], nil
}

func identityProviders(
	ctx context.Context, q *queries.Queries, which queries.ListIdentityProvidersParams,
) ([]IdentityProvider, error) {
	rows, err := q.ListIdentityProviders(ctx, which)
	found := make([]IdentityProvider, len(rows))
	for i, r := range rows {
		found[i] = IdentityProvider{ID: r.ID, UpdatedAt: r.UpdatedAt, IdentityProviderDetails: IdentityProviderDetails{
			Slug: r.Slug, Name: r.Name, Issuer: r.Issuer, ClientID: r.ClientID, SealedSecret: r.SealedSecret,
			NewUsersRoleID: r.NewUsersRoleID, IsActive: r.IsActive,
		}}
	}
	return found, translate(err)
}

// CountIdentityProviders returns how many providers the organization has.
func (t *Tx) CountIdentityProviders(ctx context.Context) (int64, error) {
	return t.q.CountIdentityProviders(ctx, t.org)
}

// CreateIdentityProvider keeps a provider and returns its id.
func (t *Tx) CreateIdentityProvider(ctx context.Context, d IdentityProviderDetails) (int64, error) {
	id, err := t.q.CreateIdentityProvider(ctx, queries.CreateIdentityProviderParams{
		OrgID: t.org, Slug: d.Slug, Name: d.Name, Issuer: d.Issuer, ClientID: d.ClientID, SealedSecret: d.SealedSecret,
		NewUsersRoleID: d.NewUsersRoleID, IsActive: d.IsActive,
	})
	return id, refusedProvider(d, err)
}

// UpdateIdentityProvider saves a provider's settings.
func (t *Tx) UpdateIdentityProvider(ctx context.Context, id int64, d IdentityProviderDetails) error {
	return refusedProvider(d, t.q.UpdateIdentityProvider(ctx, queries.UpdateIdentityProviderParams{
		OrgID: t.org, ID: id, Slug: d.Slug, Name: d.Name, Issuer: d.Issuer, ClientID: d.ClientID,
		SealedSecret: d.SealedSecret, NewUsersRoleID: d.NewUsersRoleID, IsActive: d.IsActive,
	}))
}

// DeleteIdentityProvider deletes a provider. Users keep their links to its
// accounts, in case it is added again.
func (t *Tx) DeleteIdentityProvider(ctx context.Context, id int64) error {
	n, err := t.q.DeleteIdentityProvider(ctx, queries.DeleteIdentityProviderParams{OrgID: t.org, ID: id})
	if err == nil && n == 0 {
		return fault.Missing("identity_provider", fmt.Sprint(id))
	}
	return translate(err)
}

// Identity is an account elsewhere: its issuer and its subject there.
type Identity struct{ Issuer, Subject string }

// UserOfIdentity returns the user linked to an external account, or
// ErrNotFound.
func (s *Store) UserOfIdentity(ctx context.Context, org int64, i Identity) (int64, error) {
	id, err := s.of(org).UserOfIdentity(ctx, queries.UserOfIdentityParams{
		OrgID: org, Issuer: i.Issuer, Subject: i.Subject,
	})
	return id, translate(err)
}

// HasIdentity reports whether a user has an account with an issuer already.
func (t *Tx) HasIdentity(ctx context.Context, user int64, issuer string) (bool, error) {
	return t.q.HasIdentity(ctx, queries.HasIdentityParams{OrgID: t.org, Issuer: issuer, UserID: user})
}

// CreateIdentity links an external account to a user.
func (t *Tx) CreateIdentity(ctx context.Context, user int64, i Identity, at time.Time) error {
	return translate(t.q.CreateIdentity(ctx, queries.CreateIdentityParams{
		OrgID: t.org, Issuer: i.Issuer, Subject: i.Subject, UserID: user, At: at,
	}))
}

// refusedProvider explains why the database rejected a provider.
func refusedProvider(d IdentityProviderDetails, err error) error {
	switch {
	case breaks(err, "oidc_providers_slug_key"):
		return &fault.Error{
			Kind: fault.Duplicate, Text: fault.Say("identity_provider.exists", "name", d.Slug),
			Resource: "identity_provider", Name: d.Slug,
		}
	case breaks(err, "oidc_providers_role_fkey"):
		return unknownReference("new_users_role_id", fault.Say("role.unknown"))
	}
	return err
}
