package people

import (
	"context"
	"fmt"
	"strings"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/version"
	"waybill/operations/people"
	"waybill/store"
)

// ListIdentityProviders lists where people may sign in.
func (h *Handlers) ListIdentityProviders(
	ctx context.Context, _ contract.ListIdentityProvidersRequestObject,
) (contract.ListIdentityProvidersResponseObject, error) {
	providers, err := h.store.IdentityProviders(ctx, edge.PrincipalOf(ctx).OrgID)
	list := contract.ListIdentityProviders200JSONResponse{Items: make([]contract.IdentityProvider, len(providers))}
	for i, p := range providers {
		list.Items[i] = h.newIdentityProvider(&p)
	}
	return list, err
}

func (h *Handlers) newIdentityProvider(p *store.IdentityProvider) contract.IdentityProvider {
	shown := contract.IdentityProvider{
		ID: p.ID, Slug: p.Slug, Name: p.Name, Issuer: p.Issuer, ClientID: p.ClientID,
		HasClientSecret: p.SealedSecret != nil, IsActive: p.IsActive,
		ReturnURI: strings.TrimSuffix(h.publicURL, "/") + people.ReturnPath, UpdatedAt: p.UpdatedAt.UTC(),
	}
	shown.NewUsersRoleID.SetNull()
	if p.NewUsersRoleID != 0 {
		shown.NewUsersRoleID.Set(p.NewUsersRoleID)
	}
	return shown
}

// GetIdentityProvider reads one provider.
func (h *Handlers) GetIdentityProvider(
	ctx context.Context, request contract.GetIdentityProviderRequestObject,
) (contract.GetIdentityProviderResponseObject, error) {
	p, err := h.store.IdentityProvider(ctx, edge.PrincipalOf(ctx).OrgID, known(request.ID))
	edge.Versioned(ctx, version.At(p.UpdatedAt))
	return contract.GetIdentityProvider200JSONResponse(h.newIdentityProvider(&p)), err
}

// CreateIdentityProvider adds a provider.
func (h *Handlers) CreateIdentityProvider(
	ctx context.Context, request contract.CreateIdentityProviderRequestObject,
) (contract.CreateIdentityProviderResponseObject, error) {
	b := request.Body
	if err := checkName("name", b.Name); err != nil {
		return nil, err
	}
	p, err := h.operations.People.CreateIdentityProvider(ctx, edge.Caller(ctx), people.IdentityProvider{
		IdentityProviderDetails: store.IdentityProviderDetails{
			Slug: b.Slug, Name: b.Name, Issuer: b.Issuer, ClientID: b.ClientID,
			NewUsersRoleID: edge.IDOf(b.NewUsersRoleID), IsActive: b.IsActive == nil || *b.IsActive,
		},
		Secret: b.ClientSecret,
	})
	if err != nil {
		return nil, err
	}
	edge.CreatedAt(ctx, fmt.Sprintf("/v1/identity-providers/%d", p.ID))
	edge.Versioned(ctx, version.At(p.UpdatedAt))
	return contract.CreateIdentityProvider201JSONResponse(h.newIdentityProvider(&p)), nil
}

// UpdateIdentityProvider changes the given fields.
func (h *Handlers) UpdateIdentityProvider(
	ctx context.Context, request contract.UpdateIdentityProviderRequestObject,
) (contract.UpdateIdentityProviderResponseObject, error) {
	expected, err := edge.Expected(request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	by, id := edge.Caller(ctx), known(request.ID)
	p, err := h.operations.People.ChangeIdentityProvider(ctx, by, id,
		func(p store.IdentityProvider) (people.IdentityProvider, error) {
			err := expected.Check(version.At(p.UpdatedAt), "identity_provider", fmt.Sprint(p.ID))
			if err != nil {
				return people.IdentityProvider{}, err
			}
			return changedProvider(p.IdentityProviderDetails, request.Body)
		})
	if err != nil {
		return nil, err
	}
	edge.Versioned(ctx, version.At(p.UpdatedAt))
	return contract.UpdateIdentityProvider200JSONResponse(h.newIdentityProvider(&p)), nil
}

// changedProvider is a provider with the given changes.
func changedProvider(
	d store.IdentityProviderDetails, b *contract.ChangedIdentityProvider,
) (people.IdentityProvider, error) {
	for _, change := range []struct{ field, to *string }{
		{&d.Slug, b.Slug}, {&d.Name, b.Name}, {&d.Issuer, b.Issuer}, {&d.ClientID, b.ClientID},
	} {
		if change.to != nil {
			*change.field = *change.to
		}
	}
	if b.NewUsersRoleID.IsSpecified() {
		d.NewUsersRoleID = edge.IDOf(b.NewUsersRoleID)
	}
	if b.IsActive != nil {
		d.IsActive = *b.IsActive
	}
	return people.IdentityProvider{IdentityProviderDetails: d, Secret: b.ClientSecret}, checkName("name", d.Name)
}

// DeleteIdentityProvider removes a provider.
func (h *Handlers) DeleteIdentityProvider(
	ctx context.Context, request contract.DeleteIdentityProviderRequestObject,
) (contract.DeleteIdentityProviderResponseObject, error) {
	return contract.DeleteIdentityProvider204Response{},
		h.operations.People.DeleteIdentityProvider(ctx, edge.Caller(ctx), known(request.ID))
}
