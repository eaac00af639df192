package pages

import (
	"net/http"

	"waybill/operations/people"
)

// goToProvider redirects a user to a provider of their organization, through an
// intermediate page, because browsers let our forms submit to no other site.
func (p *Pages) goToProvider(w http.ResponseWriter, r *http.Request) (view, error) {
	a := attemptOf(r)
	v := view{
		Page: "sign-in", Organization: a.Organization, Email: a.Email, HasPasskeys: p.operations.People.HasPasskeys(),
	}
	to, err := p.operations.People.SignInWithProvider(r.Context(), a, r.PostFormValue("provider"))
	if err != nil {
		return v, err
	}
	if to.Choices != nil {
		return view{Page: "which", Organization: a.Organization, Choices: to.Choices}, nil
	}
	p.edge.SetPending(w, to.Pending)
	return view{Page: "going", Name: to.Name, Address: to.Address}, nil
}

// comeBack signs in a user whom a provider sends back.
func (p *Pages) comeBack(w http.ResponseWriter, r *http.Request) (view, error) {
	v := view{Page: "sign-in", HasPasskeys: p.operations.People.HasPasskeys()}
	query := r.URL.Query()
	in, err := p.operations.People.ReturnFromProvider(r.Context(), attemptOf(r), people.Returned{
		Pending: p.edge.PendingOf(r), State: query.Get("state"), Code: query.Get("code"),
	})
	p.edge.SetPending(w, "")
	if err != nil {
		return v, err
	}
	if in.Session == nil {
		return view{Page: "factor", Pending: in.Pending}, nil
	}
	return p.letIn(w, r, in.Session)
}
