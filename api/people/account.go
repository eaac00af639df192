package people

import (
	"context"
	"fmt"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/store"
)

// ownerOf is whose sessions the caller's own are.
func ownerOf(p edge.Principal) store.SessionOwner {
	if p.Kind == caller.Device {
		return store.SessionOwner{DriverID: p.DriverID}
	}
	return store.SessionOwner{UserID: p.ID}
}

func (h *Handlers) sessions(
	ctx context.Context, owner store.SessionOwner, current int64,
) (contract.SessionList, error) {
	sessions, err := h.store.Sessions(ctx, edge.PrincipalOf(ctx).OrgID, owner, store.BrowserSession, h.now())
	list := contract.SessionList{Items: make([]contract.Session, len(sessions))}
	for i, s := range sessions {
		list.Items[i] = contract.Session{
			ID: s.ID, Name: s.Name, IsCurrent: s.ID == current, CreatedAt: s.CreatedAt.UTC(),
			LastUsedAt: s.LastUsedAt.UTC(), ExpiresAt: s.ExpiresAt.UTC(),
		}
	}
	return list, err
}

// ListSessions lists the browsers in which the caller is signed in.
func (h *Handlers) ListSessions(
	ctx context.Context, _ contract.ListSessionsRequestObject,
) (contract.ListSessionsResponseObject, error) {
	p := edge.PrincipalOf(ctx)
	list, err := h.sessions(ctx, ownerOf(p), p.SessionID)
	return contract.ListSessions200JSONResponse(list), err
}

// EndSession ends one of the caller's sessions.
func (h *Handlers) EndSession(
	ctx context.Context, request contract.EndSessionRequestObject,
) (contract.EndSessionResponseObject, error) {
	return contract.EndSession204Response{},
		h.end(ctx, ownerOf(edge.PrincipalOf(ctx)), store.BrowserSession, request.ItemID)
}

// end ends one session, token or device.
func (h *Handlers) end(ctx context.Context, owner store.SessionOwner, kind store.SessionKind, id int64) error {
	public, err := h.operations.People.EndSessionOf(ctx, edge.Caller(ctx), owner, kind, id)
	if err == nil {
		h.edge.ForgetSession(public)
	}
	return err
}

// EndOtherSessions ends all sessions and personal tokens of the caller but the present
// session.
func (h *Handlers) EndOtherSessions(
	ctx context.Context, _ contract.EndOtherSessionsRequestObject,
) (contract.EndOtherSessionsResponseObject, error) {
	p, err := browserOf(ctx)
	if err == nil {
		_, err = h.operations.People.EndSessions(ctx, edge.Caller(ctx), p.ID, p.SessionID)
	}
	return contract.EndOtherSessions204Response{}, err
}

// ListTokens lists the caller's personal tokens.
func (h *Handlers) ListTokens(
	ctx context.Context, _ contract.ListTokensRequestObject,
) (contract.ListTokensResponseObject, error) {
	list, err := h.tokens(ctx, ownerOf(edge.PrincipalOf(ctx)))
	return contract.ListTokens200JSONResponse(list), err
}

// tokens lists a user's personal tokens.
func (h *Handlers) tokens(ctx context.Context, owner store.SessionOwner) (contract.TokenList, error) {
	tokens, err := h.store.Sessions(ctx, edge.PrincipalOf(ctx).OrgID, owner, store.TokenSession, h.now())
	list := contract.TokenList{Items: make([]contract.Token, len(tokens))}
	for i, t := range tokens {
		list.Items[i] = contract.Token{
			ID: t.ID, Name: t.Name, PublicPart: t.Public, CreatedAt: t.CreatedAt.UTC(), LastUsedAt: t.LastUsedAt.UTC(),
			ExpiresAt: t.ExpiresAt.UTC(),
		}
	}
	return list, err
}

// CreateToken creates a personal token of the caller.
func (h *Handlers) CreateToken(
	ctx context.Context, request contract.CreateTokenRequestObject,
) (contract.CreateTokenResponseObject, error) {
	p, err := browserOf(ctx)
	if err != nil {
		return nil, err
	}
	b := request.Body
	if err := checkName("name", b.Name); err != nil {
		return nil, err
	}
	token, err := h.operations.People.CreateToken(ctx, edge.Caller(ctx), p.ID, b.Name, b.ExpiresAt)
	if err != nil {
		return nil, err
	}
	edge.CreatedAt(ctx, fmt.Sprintf("/v1/account/tokens/%d", token.ID))
	now := h.now().UTC()
	return contract.CreateToken201JSONResponse{
		ID: token.ID, Name: b.Name, PublicPart: token.Secret.Public(), CreatedAt: now, LastUsedAt: now,
		ExpiresAt: token.ExpiresAt.UTC(), Token: token.Secret.Reveal(),
	}, nil
}

// RevokeToken ends one of the caller's personal tokens.
func (h *Handlers) RevokeToken(
	ctx context.Context, request contract.RevokeTokenRequestObject,
) (contract.RevokeTokenResponseObject, error) {
	return contract.RevokeToken204Response{},
		h.end(ctx, ownerOf(edge.PrincipalOf(ctx)), store.TokenSession, request.ItemID)
}

// BeginTotp creates the seed of the caller's one-time passwords.
func (h *Handlers) BeginTotp(
	ctx context.Context, _ contract.BeginTotpRequestObject,
) (contract.BeginTotpResponseObject, error) {
	p, err := browserOf(ctx)
	if err != nil {
		return nil, err
	}
	seed, err := h.operations.People.BeginTOTP(ctx, edge.Caller(ctx), p.ID)
	return contract.BeginTotp200JSONResponse{Secret: seed.Secret, URI: seed.URI}, err
}

// ConfirmTotp activates the caller's one-time passwords.
func (h *Handlers) ConfirmTotp(
	ctx context.Context, request contract.ConfirmTotpRequestObject,
) (contract.ConfirmTotpResponseObject, error) {
	p, err := browserOf(ctx)
	if err != nil {
		return nil, err
	}
	codes, err := h.operations.People.ConfirmTOTP(ctx, edge.Caller(ctx), p.ID, request.Body.Code)
	return contract.ConfirmTotp200JSONResponse{RecoveryCodes: codes}, err
}

// RemoveTotp removes the caller's second factor.
func (h *Handlers) RemoveTotp(
	ctx context.Context, _ contract.RemoveTotpRequestObject,
) (contract.RemoveTotpResponseObject, error) {
	p, err := browserOf(ctx)
	if err == nil {
		err = h.operations.People.RemoveTOTP(ctx, edge.Caller(ctx), p.ID)
	}
	return contract.RemoveTotp204Response{}, err
}
