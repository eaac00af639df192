package people_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/domain/caller"
	"waybill/operations/people"
	"waybill/store"
)

// asking sends requests with the cookie of one browser.
type asking struct {
	*office

	cookie string
}

// as signs in a user of the organization.
func (o *office) as(email string) asking { return asking{o, o.session("acme", email)} }

// ask sends a request and returns the id in the response, if any.
func (a asking) ask(want int, method, path, body string) int64 {
	a.T.Helper()
	w := a.Send(method, path, body, "Cookie", a.cookie)
	require.Equal(a.T, want, w.Code, "%s %s: %s", method, path, w.Body)
	var made struct{ ID int64 }
	if want < http.StatusMultipleChoices && w.Body.Len() > 0 {
		require.NoError(a.T, json.Unmarshal(w.Body.Bytes(), &made))
	}
	return made.ID
}

// refused sends a request that is refused for a reason.
func (a asking) refused(want int, reason, method, path, body string) {
	a.T.Helper()
	w := a.Send(method, path, body, "Cookie", a.cookie)
	require.Equal(a.T, want, w.Code, "%s %s: %s", method, path, w.Body)
	require.EqualValues(a.T, reason, apitest.Reason(apitest.Status(a.T, w.Body.Bytes())), "%s %s", method, path)
}

// role returns the id of a role.
func (o *office) role(name string) int64 {
	o.T.Helper()
	ids, err := o.ops.People.RoleIDs(o.T.Context(), o.org, []string{name})
	require.NoError(o.T, err)
	return ids[0]
}

// invited creates an account with a pending invitation.
func (o *office) invited(email string, roles ...string) int64 {
	o.T.Helper()
	ids, err := o.ops.People.RoleIDs(o.T.Context(), o.org, roles)
	require.NoError(o.T, err)
	user, err := o.ops.People.CreateUser(o.T.Context(), caller.Service(o.org, "test"), people.NewUser{
		UserDetails: store.UserDetails{Email: email, Name: "Ola Hansen", RoleIDs: ids}, Source: "console",
	})
	require.NoError(o.T, err)
	return user.ID
}

// TestGrantsAreLimitedToOwnRoles has an administrator of people only try to
// become a full one: by a role, by a key, by a provider, and by another user's
// account.
func TestGrantsAreLimitedToOwnRoles(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first := o.add(o.org, "admin@acme.example", "admin")
	admin := o.as("admin@acme.example")
	hr := admin.ask(http.StatusCreated, http.MethodPost, "/v1/roles",
		`{"name": "hr", "base": "admin", "tags": ["People"]}`)
	clerk := admin.ask(http.StatusCreated, http.MethodPost, "/v1/roles",
		`{"name": "clerk", "base": "support", "tags": ["People"]}`)
	self := o.add(o.org, "hr@acme.example", "hr")
	other := o.add(o.org, "kari@acme.example", "dispatcher")
	waiting := o.invited("ola@acme.example", "dispatcher")
	key := admin.ask(http.StatusCreated, http.MethodPost, "/v1/api-keys", `{"name": "erp"}`)
	provider := admin.ask(http.StatusCreated, http.MethodPost, "/v1/identity-providers",
		`{"slug": "idp", "name": "Directory", "issuer": "https://idp.example", "client_id": "waybill"}`)

	narrow := o.as("hr@acme.example")
	user := func(id int64) string { return fmt.Sprintf("/v1/users/%d", id) }
	role := func(id int64) string { return fmt.Sprintf("/v1/roles/%d", id) }
	roles := func(id int64) string { return fmt.Sprintf(`{"role_ids": [%d]}`, id) }
	for _, c := range []struct{ method, path, body string }{
		{http.MethodPut, user(self), roles(o.role("admin"))},
		{http.MethodPut, user(self), roles(o.role("support"))},
		{
			http.MethodPost, "/v1/users",
			fmt.Sprintf(`{"email": "x@acme.example", "name": "X", "role_ids": [%d]}`, o.role("admin")),
		},
		{http.MethodPost, "/v1/roles", `{"name": "more", "base": "admin", "tags": ["People", "Orders"]}`},
		{http.MethodPut, role(hr), `{"tags": ["People", "Orders"]}`},
		{http.MethodPut, role(clerk), `{"tags": ["Orders"]}`},
		{http.MethodPost, "/v1/api-keys", `{"name": "mine"}`},
		{http.MethodPost, fmt.Sprintf("/v1/api-keys/%d/rotate", key), `{}`},
		{
			http.MethodPost, "/v1/identity-providers",
			`{"slug": "mine", "name": "Mine", "issuer": "https://mine.example", "client_id": "waybill"}`,
		},
		{http.MethodPut, fmt.Sprintf("/v1/identity-providers/%d", provider), `{"issuer": "https://mine.example"}`},
		{http.MethodPut, user(first), `{"email": "mine@acme.example"}`},
		{http.MethodPut, user(other), `{"email": "mine@acme.example"}`},
		{http.MethodPost, user(first) + "/reset", ""},
		{http.MethodPost, user(waiting) + "/invite", ""},
	} {
		narrow.refused(http.StatusForbidden, "ROLE_BEYOND_OWN", c.method, c.path, c.body)
	}

	// It may grant and revoke the permissions that it has.
	narrow.ask(http.StatusOK, http.MethodPut, role(clerk), `{"name": "Clerks"}`)
	narrow.ask(http.StatusCreated, http.MethodPost, "/v1/users",
		fmt.Sprintf(`{"email": "per@acme.example", "name": "Per", "role_ids": [%d]}`, clerk))
	narrow.ask(http.StatusOK, http.MethodPut, user(other), roles(clerk))
	narrow.ask(http.StatusOK, http.MethodPut, user(waiting), `{"is_active": false}`)
	narrow.refused(http.StatusForbidden, "ROLE_BEYOND_OWN", http.MethodPut, user(waiting), `{"is_active": true}`)
	narrow.ask(http.StatusNoContent, http.MethodDelete, fmt.Sprintf("/v1/api-keys/%d", key), "")
	admin.ask(http.StatusOK, http.MethodPut, user(other), roles(o.role("admin")))
}

// TestProviderRoleCannotBecomeAdministrator has the role of a provider's new users
// become an administrator's afterwards.
func TestProviderRoleCannotBecomeAdministrator(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "admin@acme.example", "admin")
	admin := o.as("admin@acme.example")
	narrow := admin.ask(http.StatusCreated, http.MethodPost, "/v1/roles",
		`{"name": "narrow", "base": "dispatcher", "tags": ["Orders"]}`)
	admin.ask(http.StatusCreated, http.MethodPost, "/v1/identity-providers", fmt.Sprintf(
		`{"slug": "idp", "name": "Directory", "issuer": "https://idp.example", "client_id": "waybill",
			"new_users_role_id": %d}`, narrow))
	path := fmt.Sprintf("/v1/roles/%d", narrow)
	admin.refused(http.StatusConflict, "ROLE_OF_PROVIDER", http.MethodPut, path, `{"base": "admin"}`)
	admin.ask(http.StatusOK, http.MethodPut, path, `{"base": "support"}`)
}
