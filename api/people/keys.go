package people

import (
	"context"
	"fmt"
	"slices"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/operations/people"
	"waybill/store"
)

// ListAPIKeys lists the keys, without their secrets.
func (h *Handlers) ListAPIKeys(
	ctx context.Context, _ contract.ListAPIKeysRequestObject,
) (contract.ListAPIKeysResponseObject, error) {
	keys, err := h.store.ListAPIKeys(ctx, edge.PrincipalOf(ctx).OrgID)
	list := contract.ListAPIKeys200JSONResponse{Items: make([]contract.APIKey, len(keys))}
	for i := range keys {
		list.Items[i] = newKey(&keys[i])
	}
	return list, err
}

func newKey(k *store.ListedAPIKey) contract.APIKey {
	return contract.APIKey{
		ID: k.ID, Name: k.Name, PublicPart: k.Public, CreatedAt: k.CreatedAt.UTC(), ExpiresAt: edge.OrNull(k.ExpiresAt),
		RevokedAt: edge.OrNull(k.RevokedAt), LastUsedAt: edge.OrNull(k.LastUsedAt), PersonalData: shownKinds(k.Personal),
	}
}

// shownKinds are the kinds of personal data that a key may read; nil are all of them.
func shownKinds(kinds []caller.Personal) []contract.PersonalData {
	if kinds == nil {
		kinds = caller.AllPersonal()
	}
	shown := make([]contract.PersonalData, len(kinds))
	for i, kind := range kinds {
		shown[i] = contract.PersonalData(kind)
	}
	return shown
}

// askedKinds are the requested kinds of personal data, or nil if none are
// named.
func askedKinds(named *[]contract.PersonalData) ([]caller.Personal, error) {
	if named == nil {
		return nil, nil
	}
	kinds := []caller.Personal{}
	for i, name := range *named {
		kind := caller.Personal(name)
		if !kind.Known() {
			return nil, fault.Field(fmt.Sprintf("personal_data[%d]", i), fault.Say("key.bad_personal_data"))
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds, nil
}

// shown is a key with its secret, this once.
func (h *Handlers) shown(ctx context.Context, made people.MadeKey) contract.NewAPIKey {
	edge.CreatedAt(ctx, fmt.Sprintf("/v1/api-keys/%d", made.ID))
	return contract.NewAPIKey{
		ID: made.ID, Name: made.Name, PublicPart: made.Key.Public(), CreatedAt: h.now().UTC(),
		ExpiresAt: edge.OrNull(made.Expires), RevokedAt: edge.OrNull[time.Time](nil),
		LastUsedAt: edge.OrNull[time.Time](nil), PersonalData: shownKinds(made.Personal), Key: made.Key.Reveal(),
	}
}

// CreateAPIKey creates a key.
func (h *Handlers) CreateAPIKey(
	ctx context.Context, request contract.CreateAPIKeyRequestObject,
) (contract.CreateAPIKeyResponseObject, error) {
	b := request.Body
	if err := checkName("name", b.Name); err != nil {
		return nil, err
	}
	var end *time.Time
	if at, err := b.ExpiresAt.Get(); err == nil {
		if end = &at; !at.After(h.now()) {
			return nil, fault.Field("expires_at", fault.Say("key.bad_end"))
		}
	}
	kinds, err := askedKinds(b.PersonalData)
	if err != nil {
		return nil, err
	}
	asked := people.AskedKey{Name: b.Name, Expires: end, Personal: kinds}
	made, err := h.operations.People.MakeAPIKey(ctx, edge.Caller(ctx), asked)
	if err != nil {
		return nil, err
	}
	return contract.CreateAPIKey201JSONResponse(h.shown(ctx, made)), nil
}

// The overlap of an old and a new key, in minutes: the usual and the longest.
const (
	usualOverlap   = 60
	longestOverlap = 43_200
)

// RotateAPIKey creates a key that replaces another.
func (h *Handlers) RotateAPIKey(
	ctx context.Context, request contract.RotateAPIKeyRequestObject,
) (contract.RotateAPIKeyResponseObject, error) {
	minutes := int32(usualOverlap)
	if given := request.Body.OverlapMinutes; given != nil {
		minutes = *given
	}
	if minutes < 0 || minutes > longestOverlap {
		return nil, fault.Field("overlap_minutes", fault.Say("key.bad_overlap"))
	}
	kinds, err := askedKinds(request.Body.PersonalData)
	if err != nil {
		return nil, err
	}
	overlap := time.Duration(minutes) * time.Minute
	made, err := h.operations.People.RotateAPIKey(ctx, edge.Caller(ctx), request.ID, overlap, kinds)
	if err != nil {
		return nil, err
	}
	return contract.RotateAPIKey201JSONResponse(h.shown(ctx, made)), nil
}

// RevokeAPIKey ends a key.
func (h *Handlers) RevokeAPIKey(
	ctx context.Context, request contract.RevokeAPIKeyRequestObject,
) (contract.RevokeAPIKeyResponseObject, error) {
	return contract.RevokeAPIKey204Response{}, h.operations.People.RevokeAPIKey(ctx, edge.Caller(ctx), request.ID)
}
