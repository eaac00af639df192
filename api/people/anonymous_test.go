package people_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/store"
	"waybill/store/storetest"
)

// TestForgedCookieEndsNoSession signs in with a cookie that has the public part
// of another user's session, token or phone.
func TestForgedCookieEndsNoSession(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	other := storetest.Organization(t, o.db, "other")
	victim := o.add(other, "victim@other.example", "support")
	o.add(o.org, "kari@acme.example", "support")
	cookie := o.session("other", "victim@other.example")
	owner := store.SessionOwner{UserID: victim}
	sessions, err := o.store.Sessions(t.Context(), other, owner, store.BrowserSession, o.Clock.Now())
	require.NoError(t, err)
	forged := "__Host-waybill=wbs_" + sessions[0].Public + "_" + strings.Repeat("a", 32)
	w := o.Send(http.MethodPost, "/v1/session",
		fmt.Sprintf(`{"organization": "acme", "email": "kari@acme.example", "passphrase": %q}`, passphrase),
		"Content-Type", "application/json", "Cookie", forged)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Equal(t, http.StatusOK, o.Send(http.MethodGet, "/v1/session", "", "Cookie", cookie).Code)
}

// TestForeignTextsCauseNoInternalErrors sends text that the database can't
// store to operations without credentials.
func TestForeignTextsCauseNoInternalErrors(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "kari@acme.example", "support")
	for _, c := range []struct {
		method, path, body string
		want               int
	}{
		{http.MethodPost, "/v1/session", `{"organization": "a\u0000", "email": "b", "passphrase": "c"}`, 401},
		{http.MethodPost, "/v1/session", `{"organization": "acme", "email": "b\u0000", "passphrase": "c"}`, 401},
		{
			http.MethodPost, "/v1/session",
			`{"organization": "acme", "email": "kari@acme.example", "passphrase": "c\u0000"}`, 401,
		},
		{http.MethodPost, "/v1/password-resets", `{"organization": "a\u0000", "email": "b"}`, 202},
		{http.MethodPost, "/v1/password-resets", `{"organization": "acme", "email": "b\u0000"}`, 202},
		{http.MethodPost, "/v1/driver/codes", `{"organization": "a\u0000", "phone_number": "+4790000000"}`, 202},
		{http.MethodPost, "/v1/driver/codes", `{"organization": "acme", "phone_number": "+4790\u0000"}`, 202},
	} {
		w := o.Send(c.method, c.path, c.body, "Content-Type", "application/json")
		require.Equal(t, c.want, w.Code, "%s %s: %s", c.path, c.body, w.Body)
	}
}
