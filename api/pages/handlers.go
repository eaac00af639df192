package pages

import (
	"net/http"

	"waybill/api/edge"
	"waybill/domain/account"
	"waybill/operations/people"
	"waybill/store"
)

func attemptOf(r *http.Request) *people.Attempt {
	return &people.Attempt{
		Organization: r.PostFormValue("organization"), Email: r.PostFormValue("email"),
		Passphrase: r.PostFormValue("passphrase"), Address: edge.NetworkOf(r.Context()).String(),
		Agent: r.UserAgent(), Cause: edge.RequestID(r.Context()),
	}
}

func (p *Pages) showSignIn(_ http.ResponseWriter, r *http.Request) (view, error) {
	v := view{Page: "sign-in", Organization: r.URL.Query().Get("org")}
	if who, ok := p.edge.PrincipalFor(r); ok && who.DriverID == 0 {
		user, err := p.store.Credentials(r.Context(), who.OrgID, who.ID)
		if err != nil {
			return v, err
		}
		v.Organization, v.Email = user.Slug, user.Email
	}
	switch query := r.URL.Query(); {
	case query.Has("chosen"):
		v.Page = "chosen"
	case query.Has("again"):
		v.Page = "again"
	}
	v.HasPasskeys = p.operations.People.HasPasskeys()
	return v, nil
}

func (p *Pages) signIn(w http.ResponseWriter, r *http.Request) (view, error) {
	a := attemptOf(r)
	v := view{
		Page: "sign-in", Organization: a.Organization, Email: a.Email, HasPasskeys: p.operations.People.HasPasskeys(),
	}
	in, err := p.operations.People.SignIn(r.Context(), a)
	if err != nil {
		return v, err
	}
	if in.Session == nil {
		return view{Page: "factor", Pending: in.Pending}, nil
	}
	return p.letIn(w, r, in.Session)
}

func (p *Pages) finishSignIn(w http.ResponseWriter, r *http.Request) (view, error) {
	pending := r.PostFormValue("pending")
	in, err := p.operations.People.FinishSignIn(r.Context(), attemptOf(r), pending, r.PostFormValue("code"))
	if err != nil {
		return view{Page: "factor", Pending: pending}, err
	}
	return p.letIn(w, r, in)
}

// letIn replaces the session of the browser.
func (p *Pages) letIn(w http.ResponseWriter, r *http.Request, in *people.OpenedSession) (view, error) {
	if err := p.endPresent(r); err != nil {
		return view{}, err
	}
	p.edge.SetSession(w, in.Secret, account.BrowserLifetime)
	return view{To: p.home}, nil
}

// endPresent ends the session that the browser of a request has, if any.
func (p *Pages) endPresent(r *http.Request) error {
	who, ok := p.edge.PrincipalFor(r)
	secret, _ := p.edge.SessionOf(r)
	if !ok {
		return nil
	}
	p.edge.ForgetSession(secret.Public())
	return p.operations.People.EndSession(r.Context(), who.Caller, secret)
}

func (p *Pages) signOut(w http.ResponseWriter, r *http.Request) (view, error) {
	err := p.endPresent(r)
	p.edge.ClearSession(w)
	return view{To: "/sign-in"}, err
}

func (p *Pages) showForgotten(_ http.ResponseWriter, r *http.Request) (view, error) {
	return view{Page: "forgotten", Organization: r.URL.Query().Get("org")}, nil
}

func (p *Pages) forgotten(_ http.ResponseWriter, r *http.Request) (view, error) {
	a := attemptOf(r)
	v := view{Page: "forgotten", Organization: a.Organization, Email: a.Email}
	if err := p.operations.People.RequestReset(r.Context(), a); err != nil {
		return v, err
	}
	return view{Page: "sent"}, nil
}

func (p *Pages) showChoose(purpose store.CodePurpose) func(http.ResponseWriter, *http.Request) (view, error) {
	return func(_ http.ResponseWriter, r *http.Request) (view, error) {
		return choosing(purpose, r), nil
	}
}

func choosing(purpose store.CodePurpose, r *http.Request) view {
	v := view{Page: "choose", Action: r.URL.Path}
	if purpose == store.InvitationCode {
		v.Page = "welcome"
	}
	return v
}

func (p *Pages) choose(purpose store.CodePurpose) func(http.ResponseWriter, *http.Request) (view, error) {
	return func(_ http.ResponseWriter, r *http.Request) (view, error) {
		v := choosing(purpose, r)
		v.Code = r.PostFormValue("code")
		user, err := p.operations.People.ChoosePassphrase(r.Context(), people.Passphrase{
			Code: v.Code, Purpose: purpose, Chosen: r.PostFormValue("passphrase"), Cause: edge.RequestID(r.Context()),
		})
		if err != nil {
			return v, err
		}
		return view{To: "/sign-in?chosen&org=" + user.Slug}, nil
	}
}
