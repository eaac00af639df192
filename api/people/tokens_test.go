package people_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/store/storetest"
)

// token makes a personal token and returns its id and a way to use it.
func (a asking) token(name string) (id int64, used func() int) {
	a.T.Helper()
	ends := a.Clock.Now().Add(24 * time.Hour).Format(time.RFC3339)
	w := a.Send(http.MethodPost, "/v1/account/tokens",
		fmt.Sprintf(`{"name": %q, "expires_at": %q}`, name, ends), "Cookie", a.cookie)
	require.Equal(a.T, http.StatusCreated, w.Code, w.Body)
	var made struct {
		ID    int64
		Token string
	}
	require.NoError(a.T, json.Unmarshal(w.Body.Bytes(), &made))
	return made.ID, func() int {
		a.Clock.Forward(2 * time.Second)
		return a.Send(http.MethodGet, "/v1/account/sessions", "", "Authorization", "Bearer "+made.Token).Code
	}
}

const another = "another passphrase entirely"

// TestTokensEndWhenUserIsDisabled ends a user's tokens in each way in which
// an account can be disabled.
func TestTokensEndWhenUserIsDisabled(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do    func(o *office, kari asking, id int64)
		lives bool
	}{
		"a change of the passphrase": {lives: true, do: func(_ *office, kari asking, _ int64) {
			kari.ask(http.StatusNoContent, http.MethodPut, "/v1/account/passphrase",
				fmt.Sprintf(`{"present": %q, "passphrase": %q}`, passphrase, another))
		}},
		"a change of the passphrase that says so": {do: func(_ *office, kari asking, _ int64) {
			kari.ask(http.StatusNoContent, http.MethodPut, "/v1/account/passphrase",
				fmt.Sprintf(`{"present": %q, "passphrase": %q, "end_tokens": true}`, passphrase, another))
		}},
		"a reset": {do: func(o *office, _ asking, id int64) {
			require.Equal(o.T, http.StatusNoContent, o.choose("/v1/password-resets", o.code(id), another))
		}},
		"everywhere else": {do: func(_ *office, kari asking, _ int64) {
			kari.ask(http.StatusNoContent, http.MethodDelete, "/v1/account/sessions", "")
		}},
		"an administrator's end all": {do: func(o *office, _ asking, id int64) {
			o.as("admin@acme.example").ask(http.StatusNoContent, http.MethodDelete, fmt.Sprintf("/v1/users/%d/sessions", id), "")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t)
			o.add(o.org, "admin@acme.example", "admin")
			id := o.add(o.org, "kari@acme.example", "support")
			kari := o.as("kari@acme.example")
			_, used := kari.token("nightly")
			require.Equal(t, http.StatusOK, used())
			c.do(o, kari, id)
			if c.lives {
				require.Equal(t, http.StatusOK, used())
				return
			}
			require.Equal(t, http.StatusUnauthorized, used())
		})
	}
}

// TestAdministratorsSeeAndRevokeTokens lists a user's tokens and revokes one.
func TestAdministratorsSeeAndRevokeTokens(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "admin@acme.example", "admin")
	id := o.add(o.org, "kari@acme.example", "support")
	kari, admin := o.as("kari@acme.example"), o.as("admin@acme.example")
	token, used := kari.token("nightly")
	_, kept := kari.token("weekly")
	list := fmt.Sprintf("/v1/users/%d/tokens", id)
	w := o.Send(http.MethodGet, list, "", "Cookie", admin.cookie)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Contains(t, w.Body.String(), "nightly")
	require.NotContains(t, w.Body.String(), "wbu_")
	one := fmt.Sprintf("%s/%d", list, token)

	other := storetest.Organization(t, o.db, "other")
	o.add(other, "admin@other.example", "admin")
	outsider := o.session("other", "admin@other.example")
	require.Equal(t, http.StatusNotFound, o.Send(http.MethodGet, list, "", "Cookie", outsider).Code)
	require.Equal(t, http.StatusNotFound, o.Send(http.MethodDelete, one, "", "Cookie", outsider).Code)
	kari.ask(http.StatusForbidden, http.MethodGet, list, "")
	require.Equal(t, http.StatusOK, used())

	admin.ask(http.StatusNoContent, http.MethodDelete, one, "")
	require.Equal(t, http.StatusUnauthorized, used())
	require.Equal(t, http.StatusOK, kept())
	admin.ask(http.StatusNotFound, http.MethodDelete, one, "")
}
