package people

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/operations/people"
	"waybill/store"
)

// beginPasskeySignIn begins a sign-in with a passkey.
func (h *Handlers) beginPasskeySignIn(w http.ResponseWriter, r *http.Request) error {
	request, err := h.operations.People.BeginPasskeySignIn(r.Context(), attemptOf(r, "", "", ""))
	if err != nil {
		return err
	}
	asked, err := asked(request)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return edge.WriteJSON(w, http.StatusOK, asked)
}

// signInWithPasskey signs in the owner of a passkey.
func (h *Handlers) signInWithPasskey(w http.ResponseWriter, r *http.Request) error {
	body, err := read[contract.PasskeySignIn](r)
	if err != nil {
		return err
	}
	answer, err := answered(body.Credential)
	if err != nil {
		return err
	}
	session, err := h.operations.People.SignInWithPasskey(r.Context(), attemptOf(r, "", "", ""), body.Pending, answer)
	if err != nil {
		return err
	}
	return h.letIn(w, r, session)
}

// asked converts the options for the browser to the contract's form.
func asked(request people.PasskeyRequest) (contract.PasskeyRequest, error) {
	options, err := json.Marshal(request.Options)
	if err != nil {
		return contract.PasskeyRequest{}, fmt.Errorf("write passkey request: %w", err)
	}
	shown := contract.PasskeyRequest{Pending: request.Pending}
	return shown, json.Unmarshal(options, &shown.Options)
}

// answered converts the browser's response for the library.
func answered(credential map[string]any) (json.RawMessage, error) {
	answer, err := json.Marshal(credential)
	if err != nil {
		return nil, fault.Field("credential", fault.Say("passkey.bad"))
	}
	return answer, nil
}

// ListPasskeys lists the caller's passkeys.
func (h *Handlers) ListPasskeys(
	ctx context.Context, _ contract.ListPasskeysRequestObject,
) (contract.ListPasskeysResponseObject, error) {
	p := edge.PrincipalOf(ctx)
	keys, err := h.store.Passkeys(ctx, p.OrgID, ownerOf(p).UserID)
	list := contract.ListPasskeys200JSONResponse{Items: make([]contract.Passkey, len(keys))}
	for i, key := range keys {
		list.Items[i] = passkeyOf(key)
	}
	return list, err
}

func passkeyOf(key store.Passkey) contract.Passkey {
	shown := contract.Passkey{ID: key.ID, Name: key.Name, CreatedAt: key.CreatedAt.UTC()}
	shown.LastUsedAt.SetNull()
	if key.LastUsedAt != nil {
		shown.LastUsedAt.Set(key.LastUsedAt.UTC())
	}
	return shown
}

// BeginPasskey begins creating a passkey in the caller's browser.
func (h *Handlers) BeginPasskey(
	ctx context.Context, _ contract.BeginPasskeyRequestObject,
) (contract.BeginPasskeyResponseObject, error) {
	p, err := browserOf(ctx)
	if err != nil {
		return nil, err
	}
	request, err := h.operations.People.BeginPasskey(ctx, edge.Caller(ctx), p.ID)
	if err != nil {
		return nil, err
	}
	asked, err := asked(request)
	return contract.BeginPasskey200JSONResponse(asked), err
}

// AddPasskey stores a passkey that the caller's browser has created.
func (h *Handlers) AddPasskey(
	ctx context.Context, request contract.AddPasskeyRequestObject,
) (contract.AddPasskeyResponseObject, error) {
	p, err := browserOf(ctx)
	if err != nil {
		return nil, err
	}
	b := request.Body
	if err := checkName("name", b.Name); err != nil {
		return nil, err
	}
	answer, err := answered(b.Credential)
	if err != nil {
		return nil, err
	}
	added, err := h.operations.People.AddPasskey(ctx, edge.Caller(ctx), p.ID, b.Pending, b.Name, answer)
	if err != nil {
		return nil, err
	}
	edge.CreatedAt(ctx, fmt.Sprintf("/v1/account/passkeys/%d", added.ID))
	return contract.AddPasskey201JSONResponse(passkeyOf(added)), nil
}

// RemovePasskey ends a passkey of the caller.
func (h *Handlers) RemovePasskey(
	ctx context.Context, request contract.RemovePasskeyRequestObject,
) (contract.RemovePasskeyResponseObject, error) {
	p, err := browserOf(ctx)
	if err == nil {
		err = h.operations.People.RemovePasskey(ctx, edge.Caller(ctx), p.ID, request.ItemID)
	}
	return contract.RemovePasskey204Response{}, err
}
