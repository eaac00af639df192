package people_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
)

func TestIdentityProvidersAreKept(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "admin@acme.example", "admin")
	admin := o.session("acme", "admin@acme.example")
	call := func(method, path, body string, headers ...string) (int, contract.IdentityProvider, string) {
		w := o.Send(method, path, body, append(headers, "Cookie", admin)...)
		var p contract.IdentityProvider
		if w.Code < http.StatusMultipleChoices && w.Body.Len() > 0 {
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &p))
		}
		require.NotContains(t, w.Body.String(), "hush")
		return w.Code, p, w.Header().Get("ETag")
	}
	const list = "/v1/identity-providers"
	body := `{"slug": "idp", "name": "Directory", "issuer": "https://idp.example", "client_id": "waybill", ` +
		`"client_secret": "hush"}`
	status, made, _ := call(http.MethodPost, list, body)
	require.Equal(t, http.StatusCreated, status)
	require.True(t, made.HasClientSecret)
	require.Equal(t, "https://waybill.example/sign-in/callback", made.ReturnURI)
	status, _, _ = call(http.MethodPost, list, body)
	require.Equal(t, http.StatusConflict, status)

	for field, bad := range map[string]string{
		"http":   `{"slug": "a", "name": "n", "issuer": "http://idp.example", "client_id": "c"}`,
		"query":  `{"slug": "a", "name": "n", "issuer": "https://idp.example?x", "client_id": "c"}`,
		"slug":   `{"slug": "A b", "name": "n", "issuer": "https://idp.example", "client_id": "c"}`,
		"client": `{"slug": "a", "name": "n", "issuer": "https://idp.example", "client_id": ""}`,
		"name":   `{"slug": "a", "name": "", "issuer": "https://idp.example", "client_id": "c"}`,
	} {
		status, _, _ = call(http.MethodPost, list, bad)
		require.Equal(t, http.StatusBadRequest, status, field)
	}
	ids, err := o.ops.People.RoleIDs(t.Context(), o.org, []string{"admin", "support"})
	require.NoError(t, err)
	path := fmt.Sprintf("%s/%d", list, made.ID)
	refused := 0
	for _, role := range append(ids, 1<<40) {
		status, changed, _ := call(http.MethodPut, path, fmt.Sprintf(`{"new_users_role_id": %d}`, role))
		if status == http.StatusUnprocessableEntity {
			refused++
			continue
		}
		require.Equal(t, role, changed.NewUsersRoleID.MustGet())
	}
	require.Equal(t, 2, refused, "an administrator's role, and one that is not there")

	_, _, etag := call(http.MethodGet, path, "")
	status, changed, _ := call(http.MethodPut, path, `{"is_active": false, "client_secret": ""}`, "If-Match", etag)
	require.Equal(t, http.StatusOK, status)
	require.False(t, changed.IsActive)
	require.False(t, changed.HasClientSecret)
	status, _, _ = call(http.MethodPut, path, `{"name": "x"}`, "If-Match", etag)
	require.Equal(t, http.StatusPreconditionFailed, status)
	status, _, _ = call(http.MethodDelete, path, "")
	require.Equal(t, http.StatusNoContent, status)
	status, _, _ = call(http.MethodGet, path, "")
	require.Equal(t, http.StatusNotFound, status)
}
