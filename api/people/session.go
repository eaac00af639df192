package people

import (
	"context"
	"net/http"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/account"
	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/operations/people"
	"waybill/store"
)

// attemptOf describes the attempt to sign in that a request makes.
func attemptOf(r *http.Request, organization, email, passphrase string) *people.Attempt {
	return &people.Attempt{
		Organization: organization, Email: email, Passphrase: passphrase,
		Address: edge.NetworkOf(r.Context()).String(), Agent: r.UserAgent(), Cause: edge.RequestID(r.Context()),
	}
}

func (h *Handlers) signIn(w http.ResponseWriter, r *http.Request) error {
	body, err := read[contract.SignInRequest](r)
	if err != nil {
		return err
	}
	in, err := h.operations.People.SignIn(r.Context(), attemptOf(r, body.Organization, body.Email, body.Passphrase))
	if err != nil {
		return err
	}
	if in.Session == nil {
		return edge.WriteJSON(w, http.StatusAccepted, contract.FactorNeeded{
			Pending: in.Pending,
			Factors: []contract.FactorNeededFactors{contract.FactorNeededFactorsTotp, contract.FactorNeededFactorsRecoveryCode},
		})
	}
	return h.letIn(w, r, in.Session)
}

func (h *Handlers) finishSignIn(w http.ResponseWriter, r *http.Request) error {
	body, err := read[contract.FactorRequest](r)
	if err != nil {
		return err
	}
	session, err := h.operations.People.FinishSignIn(r.Context(), attemptOf(r, "", "", ""), body.Pending, body.Code)
	if err != nil {
		return err
	}
	return h.letIn(w, r, session)
}

// letIn stores a session in the browser, ends the previous one, and responds
// with the user.
func (h *Handlers) letIn(w http.ResponseWriter, r *http.Request, session *people.OpenedSession) error {
	ctx := r.Context()
	if err := h.endBefore(r); err != nil {
		return err
	}
	found, err := h.store.FindSession(ctx, session.Secret.Public())
	if err != nil {
		return err
	}
	who, err := h.whoIs(ctx, edge.PrincipalOfSession(found))
	if err != nil {
		return err
	}
	h.edge.SetSession(w, session.Secret, account.BrowserLifetime)
	w.Header().Set("Cache-Control", "no-store")
	return edge.WriteJSON(w, http.StatusOK, who)
}

// endBefore ends the previous session of a request's browser. It ignores a
// cookie whose secret is not the session's.
func (h *Handlers) endBefore(r *http.Request) error {
	before, ok := h.edge.SessionOf(r)
	if !ok {
		return nil
	}
	who, good := h.edge.PrincipalFor(r)
	h.edge.ForgetSession(before.Public())
	if !good {
		return nil
	}
	return h.operations.People.EndSession(r.Context(), who.Caller, before)
}

func (h *Handlers) whoIs(ctx context.Context, p edge.Principal) (contract.SignedIn, error) {
	who := contract.SignedIn{
		TimeZone: p.Zone.String(), Language: p.Language, SignedInAt: edge.TimeOrNull(p.SignedInAt),
		Roles: make([]contract.BuiltinRole, len(p.Roles)),
	}
	for i, role := range p.Roles {
		who.Roles[i] = contract.BuiltinRole(role)
	}
	if p.DriverID != 0 {
		driver, err := h.store.Driver(ctx, p.OrgID, p.DriverID)
		if err != nil {
			return who, err
		}
		who.Name = driver.Name
		who.Organization, who.OrganizationName, err = h.store.OrganizationNames(ctx, p.OrgID)
		return who, err
	}
	user, err := h.store.Credentials(ctx, p.OrgID, p.ID)
	who.UserID, who.Name, who.Email, who.Organization = user.ID, user.Name, user.Email, user.Slug
	who.OrganizationName, who.HasTotp = user.Organization, user.HasTotp
	return who, err
}

func (h *Handlers) getSession(w http.ResponseWriter, r *http.Request) error {
	who, err := h.whoIs(r.Context(), edge.PrincipalOf(r.Context()))
	if err != nil {
		return err
	}
	return edge.WriteJSON(w, http.StatusOK, who)
}

func (h *Handlers) signOut(w http.ResponseWriter, r *http.Request) error {
	secret, ok := h.edge.SessionOf(r)
	if !ok || r.Header.Get("Authorization") != "" {
		return noSession()
	}
	if err := h.operations.People.EndSession(r.Context(), edge.Caller(r.Context()), secret); err != nil {
		return err
	}
	h.edge.ForgetSession(secret.Public())
	h.edge.ClearSession(w)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// noSession rejects callers with a token from operations that require a sign-in
// with a browser.
func noSession() error {
	return &fault.Error{Kind: fault.Unauthenticated, Text: fault.Say("auth.no_session")}
}

// browserOf returns the user of a browser's session.
func browserOf(ctx context.Context) (edge.Principal, error) {
	p := edge.PrincipalOf(ctx)
	if p.Kind != caller.Person || p.SessionID == 0 || p.SignedInAt.IsZero() {
		return p, noSession()
	}
	return p, nil
}

func (h *Handlers) confirm(w http.ResponseWriter, r *http.Request) error {
	p, err := browserOf(r.Context())
	if err != nil {
		return err
	}
	body, err := read[contract.ConfirmRequest](r)
	if err != nil {
		return err
	}
	session, err := h.operations.People.SignInAgain(r.Context(), edge.Caller(r.Context()), p.SessionID,
		attemptOf(r, "", "", body.Passphrase), edge.OrEmpty(body.Code))
	if err != nil {
		return err
	}
	return h.letIn(w, r, session)
}

func (h *Handlers) changePassphrase(w http.ResponseWriter, r *http.Request) error {
	p, err := browserOf(r.Context())
	if err != nil {
		return err
	}
	body, err := read[contract.ChangePassphraseRequest](r)
	if err != nil {
		return err
	}
	err = h.operations.People.ChangePassphrase(r.Context(), edge.Caller(r.Context()), &people.ChangedPassphrase{
		Present: body.Present, Chosen: body.Passphrase, Session: p.SessionID,
		EndTokens: body.EndTokens != nil && *body.EndTokens,
		Address:   edge.NetworkOf(r.Context()).String(),
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (h *Handlers) requestReset(w http.ResponseWriter, r *http.Request) error {
	body, err := read[contract.ResetRequest](r)
	if err != nil {
		return err
	}
	if err := h.operations.People.RequestReset(r.Context(), attemptOf(r, body.Organization, body.Email, "")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusAccepted)
	return nil
}

func (h *Handlers) resetPassphrase(w http.ResponseWriter, r *http.Request) error {
	return h.choose(w, r, store.ResetCode)
}

func (h *Handlers) acceptInvitation(w http.ResponseWriter, r *http.Request) error {
	return h.choose(w, r, store.InvitationCode)
}

func (h *Handlers) choose(w http.ResponseWriter, r *http.Request, purpose store.CodePurpose) error {
	body, err := read[contract.ChosenPassphrase](r)
	if err != nil {
		return err
	}
	_, err = h.operations.People.ChoosePassphrase(r.Context(), people.Passphrase{
		Code: body.Code, Purpose: purpose, Chosen: body.Passphrase, Cause: edge.RequestID(r.Context()),
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
