package people_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestEachSignInHasItsOwnSecret signs in again in the same browser: its
// previous cookie no longer works.
func TestEachSignInHasItsOwnSecret(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "kari@acme.example", "support")
	before := o.session("acme", "kari@acme.example")
	w := o.Send(http.MethodPost, "/v1/session",
		fmt.Sprintf(`{"organization": "acme", "email": "kari@acme.example", "passphrase": %q}`, passphrase),
		"Content-Type", "application/json", "Cookie", before)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	after := "__Host-waybill=" + cookieOf(t, w).Value
	require.NotEqual(t, before, after)
	require.Equal(t, http.StatusUnauthorized, o.Send(http.MethodGet, "/v1/session", "", "Cookie", before).Code)

	w = o.Send(http.MethodPost, "/v1/session/confirm", fmt.Sprintf(`{"passphrase": %q}`, passphrase), "Cookie", after)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	again := "__Host-waybill=" + cookieOf(t, w).Value
	require.NotEqual(t, after, again)
	require.Equal(t, http.StatusUnauthorized, o.Send(http.MethodGet, "/v1/session", "", "Cookie", after).Code)
	require.Equal(t, http.StatusOK, o.Send(http.MethodGet, "/v1/session", "", "Cookie", again).Code)
}

// TestRevokedRoleTakesEffectWithinTwoSeconds takes a role away in the middle of a
// session, and narrows another, as a second instance sees it.
func TestRevokedRoleTakesEffectWithinTwoSeconds(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	other := newServerOver(t, o)
	kari := o.add(o.org, "kari@acme.example", "admin")
	o.add(o.org, "admin@acme.example", "admin")
	admin, cookie := o.session("acme", "admin@acme.example"), o.session("acme", "kari@acme.example")
	users := func() int { return other.Send(http.MethodGet, "/v1/users", "", "Cookie", cookie).Code }
	require.Equal(t, http.StatusOK, users())

	ids, err := o.ops.People.RoleIDs(t.Context(), o.org, []string{"support"})
	require.NoError(t, err)
	w := o.Send(
		http.MethodPut, fmt.Sprintf("/v1/users/%d", kari), fmt.Sprintf(`{"role_ids": [%d]}`, ids[0]), "Cookie", admin,
	)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	other.Clock.Forward(2 * time.Second)
	require.Equal(t, http.StatusForbidden, users())
	require.Equal(
		t, http.StatusOK, other.Send(http.MethodGet, "/v1/session", "", "Cookie", cookie).Code, "still signed in",
	)
}
