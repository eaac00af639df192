package pages

import (
	"net/http"
	"strings"
	"time"

	"waybill/api/edge"
	"waybill/store"
)

// account shows the account of the signed-in user.
func (p *Pages) account(_ http.ResponseWriter, r *http.Request) (view, error) {
	who, ok := p.edge.PrincipalFor(r)
	if !ok || who.DriverID != 0 {
		return view{To: "/sign-in"}, nil
	}
	user, err := p.store.Credentials(r.Context(), who.OrgID, who.ID)
	if err != nil {
		return view{}, err
	}
	v := view{
		Page: "account", Name: user.Name, Email: user.Email, Organization: user.Organization,
		HasPasskeys: p.operations.People.HasPasskeys(), MayConnect: p.edge.May(&who, "beginEnrolment"),
	}
	roles := make([]string, len(who.Roles))
	for i, role := range who.Roles {
		roles[i] = string(role)
	}
	v.Roles = strings.Join(roles, ", ")
	if err := p.listPasskeys(r, &who, &v); err != nil {
		return v, err
	}
	return v, p.listSessions(r, &who, &v)
}

func (p *Pages) listSessions(r *http.Request, who *edge.Principal, v *view) error {
	owner := store.SessionOwner{UserID: who.ID}
	sessions, err := p.store.Sessions(r.Context(), who.OrgID, owner, store.BrowserSession, p.now())
	for _, s := range sessions {
		v.Sessions = append(v.Sessions, session{
			Name: s.Name, Since: written(s.CreatedAt, who), Current: s.ID == who.SessionID,
		})
	}
	return err
}

func (p *Pages) listPasskeys(r *http.Request, who *edge.Principal, v *view) error {
	keys, err := p.store.Passkeys(r.Context(), who.OrgID, who.ID)
	for _, key := range keys {
		shown := passkey{ID: key.ID, Name: key.Name}
		if key.LastUsedAt != nil {
			shown.LastUsed = written(*key.LastUsedAt, who)
		}
		v.Passkeys = append(v.Passkeys, shown)
	}
	return err
}

// written is a moment by the clock of the organization.
func written(at time.Time, who *edge.Principal) string {
	return at.In(who.Zone).Format("2006-01-02 15:04")
}

// endOthers ends all sessions of a user except this browser's.
func (p *Pages) endOthers(_ http.ResponseWriter, r *http.Request) (view, error) {
	who, ok := p.edge.PrincipalFor(r)
	if !ok || who.DriverID != 0 {
		return view{To: "/sign-in"}, nil
	}
	_, err := p.operations.People.EndSessions(r.Context(), who.Caller, who.ID, who.SessionID)
	return view{To: "/account"}, err
}
