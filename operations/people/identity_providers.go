package people

import (
	"context"
	"fmt"
	"regexp"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/operations/core"
	"waybill/store"
)

// mostIdentityProviders is how many providers an organization may have.
const mostIdentityProviders = 20

var providerSlug = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)

// IdentityProvider are the settings of a provider. A nil Secret keeps the
// present one.
type IdentityProvider struct {
	store.IdentityProviderDetails

	Secret *string
}

// CreateIdentityProvider has people of the organization sign in with a provider. A
// provider vouches for everybody, so only whole administrators add or change one.
func (o *Operations) CreateIdentityProvider(
	ctx context.Context, c caller.Caller, p IdentityProvider,
) (store.IdentityProvider, error) {
	if err := mayGiveAll(c); err != nil {
		return store.IdentityProvider{}, err
	}
	return core.Once(ctx, o.store, c, func(t *store.Tx) (store.IdentityProvider, error) {
		if err := o.checkIdentityProvider(ctx, t, &p); err != nil {
			return store.IdentityProvider{}, err
		}
		n, err := t.CountIdentityProviders(ctx)
		if err != nil {
			return store.IdentityProvider{}, err
		}
		if n >= mostIdentityProviders {
			return store.IdentityProvider{}, fault.Illegal("identity_provider.too_many", "organization", fmt.Sprint(c.OrgID))
		}
		id, err := t.CreateIdentityProvider(ctx, p.IdentityProviderDetails)
		if err != nil {
			return store.IdentityProvider{}, err
		}
		if err := t.Append(ctx, event.IdentityProvider{ID: id, Name: p.Name}.Event(event.IdentityProviderCreated)); err != nil {
			return store.IdentityProvider{}, err
		}
		return t.IdentityProvider(ctx, id)
	})
}

// ChangeIdentityProvider applies change to a provider, and saves it.
func (o *Operations) ChangeIdentityProvider(
	ctx context.Context, c caller.Caller, id int64, change func(store.IdentityProvider) (IdentityProvider, error),
) (provider store.IdentityProvider, err error) {
	if err := mayGiveAll(c); err != nil {
		return store.IdentityProvider{}, err
	}
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		before, err := t.IdentityProvider(ctx, id)
		if err != nil {
			return err
		}
		wanted, err := change(before)
		if err != nil {
			return err
		}
		if err := secretStays(&before, &wanted); err != nil {
			return err
		}
		if err := o.checkIdentityProvider(ctx, t, &wanted); err != nil {
			return err
		}
		if err := t.UpdateIdentityProvider(ctx, id, wanted.IdentityProviderDetails); err != nil {
			return err
		}
		err = t.Append(ctx, event.IdentityProvider{ID: id, Name: wanted.Name}.Event(event.IdentityProviderUpdated))
		if err != nil {
			return err
		}
		provider, err = t.IdentityProvider(ctx, id)
		return err
	})
	return provider, err
}

// secretStays refuses to send the secret of a provider to another issuer or as
// another client: a change of either must include the secret again.
func secretStays(before *store.IdentityProvider, wanted *IdentityProvider) error {
	moves := wanted.Issuer != before.Issuer || wanted.ClientID != before.ClientID
	if moves && before.SealedSecret != nil && wanted.Secret == nil {
		return fault.Field("client_secret", fault.Say("identity_provider.secret_again"))
	}
	return nil
}

// DeleteIdentityProvider ends sign-in with a provider. Existing sessions stay.
func (o *Operations) DeleteIdentityProvider(ctx context.Context, c caller.Caller, id int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		p, err := t.IdentityProvider(ctx, id)
		if err != nil {
			return err
		}
		if err := t.DeleteIdentityProvider(ctx, id); err != nil {
			return err
		}
		return t.Append(ctx, event.IdentityProvider{ID: id, Name: p.Name}.Event(event.IdentityProviderDeleted))
	})
}

// checkIdentityProvider rejects invalid settings, and encrypts the secret.
func (o *Operations) checkIdentityProvider(ctx context.Context, t *store.Tx, p *IdentityProvider) (err error) {
	switch {
	case !providerSlug.MatchString(p.Slug):
		return fault.Field("slug", fault.Say("identity_provider.bad_slug"))
	case p.ClientID == "":
		return fault.Field("client_id", fault.Say("param.required"))
	case !o.identity.CheckIssuer(p.Issuer):
		return fault.Field("issuer", fault.Say("identity_provider.bad_issuer"))
	}
	if p.NewUsersRoleID != 0 {
		role, err := t.Role(ctx, p.NewUsersRoleID)
		if fault.KindOf(err) == fault.NotFound {
			return core.Unusable("new_users_role_id", fault.Say("role.unknown"))
		}
		if err != nil {
			return err
		}
		if role.Base == caller.Admin {
			return core.Unusable("new_users_role_id", fault.Say("identity_provider.admin_role"))
		}
	}
	if p.Secret != nil {
		p.SealedSecret = nil
		if *p.Secret != "" {
			p.SealedSecret, err = o.sealer.Seal(ctx, t, []byte(*p.Secret))
		}
	}
	return err
}
