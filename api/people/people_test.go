package people_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/domain/caller"
	"waybill/operations"
	"waybill/operations/people"
	"waybill/store"
	"waybill/store/storetest"
)

const passphrase = "correct horse battery staple"

// office is a server with accounts in a database.
type office struct {
	*apitest.Bundle

	db    *storetest.Database
	store *store.Store
	ops   *operations.Operations
	org   int64
}

func newOffice(t *testing.T, edit ...func(*api.Config, *api.Dependencies)) *office {
	t.Helper()
	db := storetest.New(t)
	o := &office{db: db, store: store.New(db.Pool), org: storetest.Organization(t, db, "acme")}
	o.Bundle = apitest.New(t, append(edit, func(c *api.Config, d *api.Dependencies) {
		o.ops = operations.New(o.store, d.Now, operations.Settings{})
		d.Store, d.Operations, d.Keys, d.Sessions, d.SessionUse = o.store, o.ops, o.store, o.store, o.store
		if c.PublicURL == "" {
			c.PublicURL = "https://waybill.example"
		}
	})...)
	return o
}

// add makes an account that is in use.
func (o *office) add(org int64, email string, roles ...string) int64 {
	o.T.Helper()
	ids, err := o.ops.People.RoleIDs(o.T.Context(), org, roles)
	require.NoError(o.T, err)
	by := caller.Service(org, "test")
	user, err := o.ops.People.CreateUser(o.T.Context(), by, people.NewUser{
		UserDetails: store.UserDetails{Email: email, Name: "Kari Berg", RoleIDs: ids}, Source: "console",
	})
	require.NoError(o.T, err)
	require.NoError(o.T, o.ops.People.SetPassphrase(o.T.Context(), by, user.ID, passphrase))
	return user.ID
}

func (o *office) signIn(slug, email string) *httptest.ResponseRecorder {
	o.T.Helper()
	return o.Send(http.MethodPost, "/v1/session",
		fmt.Sprintf(`{"organization": %q, "email": %q, "passphrase": %q}`, slug, email, passphrase),
		"Content-Type", "application/json")
}

// session signs in a user and returns the Cookie header of their browser.
func (o *office) session(slug, email string) string {
	o.T.Helper()
	w := o.signIn(slug, email)
	require.Equal(o.T, http.StatusOK, w.Code, w.Body)
	return "__Host-waybill=" + cookieOf(o.T, w).Value
}

func cookieOf(t *testing.T, w *httptest.ResponseRecorder) *http.Cookie {
	t.Helper()
	cookies := w.Result().Cookies()
	require.Len(t, cookies, 1)
	return cookies[0]
}

func TestSessionCookieIsHTTPOnly(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id := o.add(o.org, "kari@acme.example", "dispatcher")
	w := o.signIn("acme", "kari@acme.example")
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	cookie := cookieOf(t, w)
	require.Equal(t, "__Host-waybill", cookie.Name)
	require.True(t, cookie.Secure)
	require.True(t, cookie.HttpOnly)
	require.Equal(t, http.SameSiteLaxMode, cookie.SameSite)
	require.Equal(t, "/", cookie.Path)
	require.NotContains(t, w.Body.String(), cookie.Value)

	own := "__Host-waybill=" + cookie.Value
	w = o.Send(http.MethodGet, "/v1/session", "", "Cookie", own)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.JSONEq(t, fmt.Sprintf(`{"user_id": %d, "name": "Kari Berg", "email": "kari@acme.example",
		"organization": "acme", "organization_name": "Test AS", "roles": ["dispatcher"],
		"time_zone": "Europe/Oslo", "language": "nb",
		"signed_in_at": "2026-03-02T07:30:00.000Z", "has_totp": false}`, id), w.Body.String())
	require.NotContains(t, o.Logs.Text(), cookie.Value)
	require.NotContains(t, o.Logs.Text(), passphrase)
}

// TestSigningOutIsFinal is check 14 in docs/security.md.
func TestSigningOutIsFinal(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	other := newServerOver(t, o) // a second instance
	id := o.add(o.org, "kari@acme.example", "support")
	cookie := o.session("acme", "kari@acme.example")
	require.Equal(t, http.StatusNoContent, o.Send(http.MethodDelete, "/v1/session", "", "Cookie", cookie).Code)
	require.Equal(t, http.StatusUnauthorized, o.Send(http.MethodGet, "/v1/session", "", "Cookie", cookie).Code)

	cookie = o.session("acme", "kari@acme.example")
	require.Equal(t, http.StatusOK, other.Send(http.MethodGet, "/v1/session", "", "Cookie", cookie).Code)
	o.add(o.org, "admin@acme.example", "admin")
	admin := o.session("acme", "admin@acme.example")
	w := o.Send(http.MethodPut, fmt.Sprintf("/v1/users/%d", id), `{"is_active": false}`, "Cookie", admin)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	other.Clock.Forward(2 * time.Second)
	require.Equal(t, http.StatusUnauthorized, other.Send(http.MethodGet, "/v1/session", "", "Cookie", cookie).Code)
	require.Equal(t, http.StatusUnauthorized, o.signIn("acme", "kari@acme.example").Code)
}

// newServerOver is another instance of the service over the same database.
func newServerOver(t *testing.T, o *office) *apitest.Bundle {
	t.Helper()
	return apitest.New(t, func(c *api.Config, d *api.Dependencies) {
		d.Store, d.Operations, d.Keys, d.Sessions = o.store, o.ops, o.store, o.store
		c.PublicURL = "https://waybill.example"
	})
}

// TestSessionsExpire is number 13: idle, and altogether.
func TestSessionsExpire(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id := o.add(o.org, "kari@acme.example", "support")
	cookie := o.session("acme", "kari@acme.example")
	used := func() int { return o.Send(http.MethodGet, "/v1/session", "", "Cookie", cookie).Code }
	for range 25 {
		o.Clock.Forward(58 * time.Minute)
		if used() != http.StatusOK {
			break
		}
		require.Eventually(t, func() bool {
			s, err := o.store.Sessions(t.Context(), o.org, store.SessionOwner{UserID: id}, store.BrowserSession, o.Clock.Now())
			return err == nil && len(s) == 1 && s[0].LastUsedAt.Equal(o.Clock.Now())
		}, 10*time.Second, 10*time.Millisecond)
	}
	require.Equal(t, http.StatusUnauthorized, used())
	require.WithinDuration(t, time.Date(2026, 3, 3, 7, 30, 0, 0, time.UTC), o.Clock.Now(), time.Hour, "after a day")

	cookie = o.session("acme", "kari@acme.example")
	o.Clock.Forward(61 * time.Minute)
	require.Equal(t, http.StatusUnauthorized, used(), "after an hour without use")
}

// TestCrossSiteRequestsAreRefused is number 19.
func TestCrossSiteRequestsAreRefused(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "kari@acme.example", "admin")
	cookie := o.session("acme", "kari@acme.example")
	ask := func(headers ...string) int {
		return o.Send(http.MethodDelete, "/v1/account/sessions", "", append([]string{"Cookie", cookie}, headers...)...).Code
	}
	require.Equal(t, http.StatusForbidden, ask("Sec-Fetch-Site", "cross-site"))
	require.Equal(t, http.StatusForbidden, ask("Sec-Fetch-Site", "same-site"))
	require.Equal(t, http.StatusForbidden, ask("Origin", "https://evil.example"))
	require.Equal(t, http.StatusNoContent, ask("Sec-Fetch-Site", "same-origin"))
	require.Equal(t, http.StatusNoContent, ask("Origin", "https://waybill.example"))
	require.Equal(t, http.StatusForbidden, o.Send(http.MethodPut, "/v1/account/totp", `{"code": "123456"}`,
		"Cookie", cookie, "Content-Type", "text/plain").Code)
	w := o.Send(http.MethodPost, "/v1/session", `{}`, "Origin", "https://evil.example", "Content-Type", "application/json")
	require.Equal(t, http.StatusForbidden, w.Code, "sign-in itself")
	key, err := o.ops.People.MakeAPIKey(t.Context(), caller.Service(o.org, "test"), people.AskedKey{Name: "erp"})
	require.NoError(t, err)
	w = o.Send(http.MethodPost, "/v1/orders/paginated", `{}`, "Authorization", "apikey "+key.Key.Reveal(),
		"Sec-Fetch-Site", "cross-site")
	require.NotEqual(t, http.StatusForbidden, w.Code, "a key is no cookie")
	w = o.Send(http.MethodGet, "/v1/session", "", "Cookie", cookie, "Authorization", "Bearer x")
	require.Equal(t, http.StatusUnauthorized, w.Code, "the header wins")
}

// TestSensitiveActionsRequireFreshSignIn is number 16.
func TestSensitiveActionsRequireFreshSignIn(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "kari@acme.example", "admin")
	cookie := o.session("acme", "kari@acme.example")
	key := func() *httptest.ResponseRecorder {
		return o.Send(http.MethodPost, "/v1/api-keys", `{"name": "erp"}`, "Cookie", cookie)
	}
	require.Equal(t, http.StatusCreated, key().Code)
	o.Clock.Forward(11 * time.Minute)
	w := key()
	require.Equal(t, http.StatusForbidden, w.Code)
	require.EqualValues(t, "REAUTHENTICATION_NEEDED", apitest.Reason(apitest.Status(t, w.Body.Bytes())))
	require.Equal(t, http.StatusOK, o.Send(http.MethodGet, "/v1/api-keys", "", "Cookie", cookie).Code, "reading does not")

	w = o.Send(http.MethodPost, "/v1/session/confirm", fmt.Sprintf(`{"passphrase": %q}`, passphrase), "Cookie", cookie)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	old := cookie
	cookie = "__Host-waybill=" + cookieOf(t, w).Value
	require.Equal(t, http.StatusCreated, key().Code)
	require.Equal(t, http.StatusUnauthorized, o.Send(http.MethodGet, "/v1/session", "", "Cookie", old).Code)
}

func TestTokensHaveTheirOwnersPermissions(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "kari@acme.example", "admin")
	cookie := o.session("acme", "kari@acme.example")
	w := o.Send(http.MethodPost, "/v1/account/tokens", `{"name": "x", "expires_at": "2026-03-09T00:00:00Z"}`,
		"Cookie", cookie)
	require.Equal(t, http.StatusCreated, w.Code, w.Body)
	var made struct {
		ID    int64
		Token string
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &made))
	bearer := []string{"Authorization", "Bearer " + made.Token}
	require.Equal(t, http.StatusOK, o.Send(http.MethodGet, "/v1/users", "", bearer...).Code)
	require.Equal(t, http.StatusForbidden, o.Send(http.MethodPost, "/v1/api-keys", `{"name": "x"}`, bearer...).Code,
		"nobody signs in with a token")
	require.NotContains(t, o.Send(http.MethodGet, "/v1/account/tokens", "", "Cookie", cookie).Body.String(), made.Token)
	path := fmt.Sprintf("/v1/account/tokens/%d", made.ID)
	require.Equal(t, http.StatusNoContent, o.Send(http.MethodDelete, path, "", "Cookie", cookie).Code)
	require.Equal(t, http.StatusUnauthorized, o.Send(http.MethodGet, "/v1/users", "", bearer...).Code)
	require.Equal(t, http.StatusNotFound, o.Send(http.MethodDelete, path, "", "Cookie", cookie).Code)
	w = o.Send(http.MethodPost, "/v1/account/tokens", `{"name": "x", "expires_at": "2028-03-09T00:00:00Z"}`,
		"Cookie", cookie)
	require.Equal(t, http.StatusBadRequest, w.Code)
}

// TestSessionsAreListedAndEnded is number 15.
func TestSessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	id := o.add(o.org, "kari@acme.example", "support")
	o.add(o.org, "admin@acme.example", "admin")
	here, there := o.session("acme", "kari@acme.example"), o.session("acme", "kari@acme.example")
	admin := o.session("acme", "admin@acme.example")
	list := func(path, cookie string) (ids []int64) {
		var body struct{ Items []struct{ ID int64 } }
		w := o.Send(http.MethodGet, path, "", "Cookie", cookie)
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body), w.Body)
		for _, item := range body.Items {
			ids = append(ids, item.ID)
		}
		return ids
	}
	own := list("/v1/account/sessions", here)
	require.Len(t, own, 2)
	end := fmt.Sprintf("/v1/account/sessions/%d", own[0])
	require.Equal(t, http.StatusNotFound, o.Send(http.MethodDelete, end, "", "Cookie", admin).Code, "not the own")
	require.Equal(t, http.StatusNoContent, o.Send(http.MethodDelete, end, "", "Cookie", here).Code)
	require.Equal(t, http.StatusUnauthorized, o.Send(http.MethodGet, "/v1/session", "", "Cookie", there).Code)

	theirs := fmt.Sprintf("/v1/users/%d/sessions", id)
	require.Len(t, list(theirs, admin), 1)
	require.Equal(t, http.StatusNoContent, o.Send(http.MethodDelete, theirs, "", "Cookie", admin).Code)
	o.Clock.Forward(2 * time.Second)
	require.Equal(t, http.StatusUnauthorized, o.Send(http.MethodGet, "/v1/session", "", "Cookie", here).Code)
}

func TestUsersAndRoles(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first := o.add(o.org, "admin@acme.example", "admin")
	admin := o.session("acme", "admin@acme.example")
	ask := func(want int, method, path, body string, headers ...string) *httptest.ResponseRecorder {
		t.Helper()
		w := o.Send(method, path, body, append([]string{"Cookie", admin}, headers...)...)
		require.Equal(t, want, w.Code, w.Body)
		return w
	}
	w := ask(http.StatusCreated, http.MethodPost, "/v1/roles",
		`{"name": "Messages", "base": "support", "tags": ["Notifications"]}`)
	var made struct{ ID int64 }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &made))
	role := made.ID
	ask(http.StatusConflict, http.MethodPost, "/v1/roles",
		`{"name": "messages", "base": "support", "tags": ["Notifications"]}`)
	ask(http.StatusUnprocessableEntity, http.MethodPost, "/v1/roles",
		`{"name": "x", "base": "support", "tags": ["Nothing"]}`)
	w = ask(http.StatusCreated, http.MethodPost, "/v1/users",
		fmt.Sprintf(`{"email": "ola@acme.example", "name": "Ola", "role_ids": [%d]}`, role))
	require.Contains(t, w.Body.String(), `"state":"invited"`)
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &made))
	path := fmt.Sprintf("/v1/users/%d", made.ID)
	tag := w.Header().Get("ETag")
	ask(http.StatusConflict, http.MethodPost, "/v1/users",
		fmt.Sprintf(`{"email": "OLA@acme.example", "name": "Ola", "role_ids": [%d]}`, role))
	ask(http.StatusUnprocessableEntity, http.MethodPost, "/v1/users",
		`{"email": "x@acme.example", "name": "X", "role_ids": [99]}`)
	ask(http.StatusOK, http.MethodPut, path, `{"name": "Ola Hansen"}`, "If-Match", tag)
	ask(http.StatusPreconditionFailed, http.MethodPut, path, `{"name": "Ola"}`, "If-Match", tag)
	ask(http.StatusAccepted, http.MethodPost, path+"/invite", "")
	ask(http.StatusConflict, http.MethodPost, path+"/reset", "")
	ask(http.StatusOK, http.MethodPut, fmt.Sprintf("/v1/roles/%d", role), `{"tags": ["Notifications", "Orders"]}`)
	w = ask(http.StatusConflict, http.MethodPut, fmt.Sprintf("/v1/users/%d", first), `{"is_active": false}`)
	require.EqualValues(t, "USER_LAST_ADMIN", apitest.Reason(apitest.Status(t, w.Body.Bytes())))
	w = ask(http.StatusConflict, http.MethodPut, "/v1/roles/1", `{"name": "x"}`)
	require.EqualValues(t, "ROLE_BUILTIN", apitest.Reason(apitest.Status(t, w.Body.Bytes())))
	require.Contains(t, ask(http.StatusOK, http.MethodGet, "/v1/users", "").Body.String(), "Ola Hansen")
	require.Equal(t, 5, strings.Count(ask(http.StatusOK, http.MethodGet, "/v1/roles", "").Body.String(), `"id"`))

	other := storetest.Organization(t, o.db, "other")
	o.add(other, "admin@other.example", "admin")
	outsider := o.session("other", "admin@other.example")
	require.Equal(t, http.StatusNotFound, o.Send(http.MethodGet, path, "", "Cookie", outsider).Code)
	require.Equal(t, http.StatusNotFound, o.Send(http.MethodPut, path, `{"name": "x"}`, "Cookie", outsider).Code)
	require.Equal(t, http.StatusNotFound,
		o.Send(http.MethodGet, fmt.Sprintf("/v1/roles/%d", role), "", "Cookie", outsider).Code)
}

// TestCodesAreBoundToTheirPurpose is number 9, and TestInvitations in one.
func TestCodesAreBoundToTheirPurpose(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	by := caller.Service(o.org, "test")
	ids, err := o.ops.People.RoleIDs(t.Context(), o.org, []string{"support"})
	require.NoError(t, err)
	user, err := o.ops.People.CreateUser(t.Context(), by, people.NewUser{
		UserDetails: store.UserDetails{Email: "kari@acme.example", Name: "Kari Berg", RoleIDs: ids}, Source: "console",
	})
	require.NoError(t, err)
	code := func() string {
		link, err := o.ops.People.UserLink(t.Context(), by, user.ID)
		require.NoError(t, err)
		_, code, found := strings.Cut(link, "#c=")
		require.True(t, found)
		return code
	}
	put := func(path, code, passphrase string) int {
		return o.Send(http.MethodPut, path, fmt.Sprintf(`{"code": %q, "passphrase": %q}`, code, passphrase),
			"Content-Type", "application/json").Code
	}
	invitation := code()
	require.Equal(t, http.StatusNotFound, put("/v1/password-resets", invitation, passphrase), "for something else")
	require.Equal(t, http.StatusNotFound, put("/v1/invitations", mistyped(invitation), passphrase))
	require.Equal(t, http.StatusBadRequest, put("/v1/invitations", invitation, "short"))
	require.Equal(t, http.StatusNoContent, put("/v1/invitations", invitation, passphrase))
	require.Equal(t, http.StatusNotFound, put("/v1/invitations", invitation, passphrase), "once")
	o.session("acme", "kari@acme.example")

	reset := code()
	o.Clock.Forward(61 * time.Minute)
	require.Equal(t, http.StatusNotFound, put("/v1/password-resets", reset, "another passphrase entirely"), "too old")
	cookie := o.session("acme", "kari@acme.example")
	require.Equal(t, http.StatusNoContent, put("/v1/password-resets", code(), "another passphrase entirely"))
	o.Clock.Forward(2 * time.Second)
	require.Equal(t, http.StatusUnauthorized, o.Send(http.MethodGet, "/v1/session", "", "Cookie", cookie).Code)
	require.Equal(t, http.StatusUnauthorized, o.signIn("acme", "kari@acme.example").Code)
}

// mistyped returns a code whose last letter is another one.
func mistyped(code string) string {
	if start, found := strings.CutSuffix(code, "a"); found {
		return start + "b"
	}
	return code[:len(code)-1] + "a"
}

func TestPhoneIsEnrolled(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "kari@acme.example", "dispatcher")
	cookie := o.session("acme", "kari@acme.example")
	w := o.Send(http.MethodPost, "/v1/drivers", `{"name": "Nora Berg"}`, "Cookie", cookie)
	require.Equal(t, http.StatusCreated, w.Code, w.Body)
	driver := w.Header().Get("Location")
	w = o.Send(http.MethodPost, driver+"/enrolments", "", "Cookie", cookie)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	var e struct{ Code, URI string }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &e))
	require.Equal(t, "https://waybill.example/driver/enrol#c="+e.Code, e.URI)
	enrol := func() *httptest.ResponseRecorder {
		return o.Send(http.MethodPost, "/v1/driver/enrolment", fmt.Sprintf(`{"code": %q, "name": "Pixel 11"}`, e.Code),
			"Content-Type", "application/json")
	}
	w = enrol()
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Equal(t, http.StatusNotFound, enrol().Code, "once")
	device := "__Host-waybill=" + cookieOf(t, w).Value
	require.Contains(t, o.Send(http.MethodGet, "/v1/session", "", "Cookie", device).Body.String(), `"roles":["driver"]`)
	require.Equal(t, http.StatusForbidden, o.Send(http.MethodGet, "/v1/users", "", "Cookie", device).Code)
	w = o.Send(http.MethodGet, driver+"/devices", "", "Cookie", cookie)
	require.Contains(t, w.Body.String(), "Pixel 11")
	var list struct{ Items []struct{ ID int64 } }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &list))
	path := fmt.Sprintf("%s/devices/%d", driver, list.Items[0].ID)
	require.Equal(t, http.StatusNoContent, o.Send(http.MethodDelete, path, "", "Cookie", cookie).Code)
	require.Equal(t, http.StatusUnauthorized, o.Send(http.MethodGet, "/v1/session", "", "Cookie", device).Code)
}

func TestASecondFactorIsAskedFor(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "kari@acme.example", "support")
	cookie := o.session("acme", "kari@acme.example")
	w := o.Send(http.MethodPost, "/v1/account/totp", "", "Cookie", cookie)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	var seed struct{ Secret string }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &seed))
	code := func() string {
		o.Clock.Forward(time.Minute)
		code, err := totp.GenerateCode(seed.Secret, o.Clock.Now())
		require.NoError(t, err)
		return fmt.Sprintf(`{"code": %q`, code)
	}
	require.Equal(t, http.StatusUnprocessableEntity,
		o.Send(http.MethodPut, "/v1/account/totp", `{"code": "000000"}`, "Cookie", cookie).Code)
	w = o.Send(http.MethodPut, "/v1/account/totp", code()+"}", "Cookie", cookie)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Equal(t, 10, strings.Count(w.Body.String(), "-")/3)

	w = o.signIn("acme", "kari@acme.example")
	require.Equal(t, http.StatusAccepted, w.Code)
	require.Empty(t, w.Result().Cookies())
	var begun struct{ Pending string }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &begun))
	finish := func(code string) *httptest.ResponseRecorder {
		return o.Send(http.MethodPost, "/v1/session/factor", fmt.Sprintf(`%s, "pending": %q}`, code, begun.Pending),
			"Content-Type", "application/json")
	}
	require.Equal(t, http.StatusUnauthorized, finish(`{"code": "000000"`).Code)
	w = finish(code())
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	cookie = "__Host-waybill=" + cookieOf(t, w).Value
	require.Equal(t, http.StatusNoContent, o.Send(http.MethodDelete, "/v1/account/totp", "", "Cookie", cookie).Code)
	require.Equal(t, http.StatusOK, o.signIn("acme", "kari@acme.example").Code)
}

// TestPassphraseChange is number 4: the present one is needed, and other
// sessions end.
func TestPassphraseChange(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "kari@acme.example", "support")
	here, there := o.session("acme", "kari@acme.example"), o.session("acme", "kari@acme.example")
	change := func(present string) int {
		return o.Send(http.MethodPut, "/v1/account/passphrase",
			fmt.Sprintf(`{"present": %q, "passphrase": "tractor beam over lillehammer"}`, present), "Cookie", here).Code
	}
	require.Equal(t, http.StatusBadRequest, change("something else"))
	require.Equal(t, http.StatusNoContent, change(passphrase))
	require.Equal(t, http.StatusUnauthorized, o.signIn("acme", "kari@acme.example").Code)
	o.Clock.Forward(2 * time.Second)
	require.Equal(t, http.StatusOK, o.Send(http.MethodGet, "/v1/session", "", "Cookie", here).Code)
	require.Equal(t, http.StatusUnauthorized, o.Send(http.MethodGet, "/v1/session", "", "Cookie", there).Code)
}

// TestPassphraseResetRevealsNothing is number 8, of resets.
func TestPassphraseResetRevealsNothing(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.add(o.org, "kari@acme.example", "support")
	for _, email := range []string{"kari@acme.example", "nobody@acme.example"} {
		w := o.Send(http.MethodPost, "/v1/password-resets", fmt.Sprintf(`{"organization": "acme", "email": %q}`, email),
			"Content-Type", "application/json")
		require.Equal(t, http.StatusAccepted, w.Code, w.Body)
		require.Empty(t, w.Body.String())
	}
}
