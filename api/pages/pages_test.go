package pages_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/domain/caller"
	"waybill/operations"
	"waybill/operations/people"
	"waybill/store"
	"waybill/store/storetest"
	"waybill/web"
)

const passphrase = "correct horse battery staple"

// browser calls a server as a browser does: with its cookies.
type browser struct {
	t       *testing.T
	routes  http.Handler
	cookies map[string]string
}

func (b *browser) send(method, target string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	b.t.Helper()
	headers = append(headers, "Sec-Fetch-Site", "same-origin")
	if form != nil {
		headers = append(headers, "Content-Type", "application/x-www-form-urlencoded")
	}
	for name, value := range b.cookies {
		headers = append(headers, "Cookie", name+"="+value)
	}
	w := apitest.Serve(b.routes, method, target, form.Encode(), headers...)
	for _, c := range w.Result().Cookies() {
		b.cookies[c.Name] = c.Value
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		}
	}
	return w
}

// newOffice is a server over a database with one organization, and a browser.
func newOffice(t *testing.T) (*browser, *operations.Operations, caller.Caller) {
	t.Helper()
	db := storetest.New(t)
	s := store.New(db.Pool)
	var ops *operations.Operations
	b := apitest.New(t, func(c *api.Config, d *api.Dependencies) {
		ops = operations.New(s, d.Now, operations.Settings{})
		d.Store, d.Operations, d.Keys, d.Sessions, d.SessionUse = s, ops, s, s, s
		c.PublicURL = "https://waybill.example"
	})
	by := caller.Service(storetest.Organization(t, db, "acme"), "test")
	return &browser{t, b.Server.Routes(), map[string]string{}}, ops, by
}

func TestAnInvitedPersonSignsInAndOut(t *testing.T) {
	t.Parallel()
	b, ops, by := newOffice(t)
	ids, err := ops.People.RoleIDs(t.Context(), by.OrgID, []string{"support"})
	require.NoError(t, err)
	user, err := ops.People.CreateUser(t.Context(), by, people.NewUser{
		UserDetails: store.UserDetails{Email: "kari@acme.example", Name: "Kari Berg", RoleIDs: ids}, Source: "console",
	})
	require.NoError(t, err)
	link, err := ops.People.UserLink(t.Context(), by, user.ID)
	require.NoError(t, err)
	address, code, _ := strings.Cut(link, "#c=")
	require.True(t, strings.HasSuffix(address, "/invitation"))

	require.Contains(t, b.send(http.MethodGet, "/invitation", nil, "Accept-Language", "nb").Body.String(), "Velkommen")
	choice := url.Values{"code": {code}, "passphrase": {"short"}}
	w := b.send(http.MethodPost, "/invitation", choice)
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Contains(t, w.Body.String(), "at least 15 characters")
	require.NotContains(t, w.Body.String(), `value="short"`)
	choice.Set("passphrase", passphrase)
	w = b.send(http.MethodPost, "/invitation", choice)
	require.Equal(t, http.StatusSeeOther, w.Code, w.Body)
	require.Equal(t, "/sign-in?chosen&org=acme", w.Header().Get("Location"))

	require.Equal(t, "/sign-in", b.send(http.MethodGet, "/account", nil).Header().Get("Location"))
	form := url.Values{"organization": {"acme"}, "email": {"kari@acme.example"}, "passphrase": {"wrong"}}
	w = b.send(http.MethodPost, "/sign-in", form)
	require.Equal(t, http.StatusUnauthorized, w.Code)
	require.Contains(t, w.Body.String(), `role="alert"`)
	require.NotContains(t, w.Body.String(), "wrong\"")
	form.Set("passphrase", passphrase)
	w = b.send(http.MethodPost, "/sign-in", form)
	require.Equal(t, "/account", w.Header().Get("Location"), w.Body)
	w = b.send(http.MethodGet, "/account", nil)
	require.Contains(t, w.Body.String(), "Kari Berg")
	require.Equal(t, http.StatusForbidden,
		b.send(http.MethodPost, "/sign-out", url.Values{}, "Sec-Fetch-Site", "cross-site").Code, "from elsewhere")
	w = b.send(http.MethodPost, "/sign-out", url.Values{})
	require.Equal(t, "/sign-in", w.Header().Get("Location"))
	require.Empty(t, b.cookies)
}

// TestEveryPageHasStrictHeaders covers checks 5, 18 and 23 in docs/security.md: strict
// headers, support for password managers, and no external content.
func TestEveryPageHasStrictHeaders(t *testing.T) {
	t.Parallel()
	b, _, _ := newOffice(t)
	outside := regexp.MustCompile(`(src|href)="(https?:)?//`)
	for _, page := range []string{"/sign-in", "/forgotten", "/invitation", "/reset"} {
		w := b.send(http.MethodGet, page, nil)
		require.Equal(t, http.StatusOK, w.Code, page)
		h := w.Header()
		for _, part := range []string{
			"default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'",
		} {
			require.Contains(t, h.Get("Content-Security-Policy"), part, page)
		}
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
		require.Equal(t, "same-origin", h.Get("Referrer-Policy"))
		require.Equal(t, "same-origin", h.Get("Cross-Origin-Opener-Policy"))
		require.Equal(t, "no-store", h.Get("Cache-Control"))
		require.Contains(t, h.Get("Strict-Transport-Security"), "max-age=")
		require.NotRegexp(t, outside, w.Body.String(), page)
		if strings.Contains(w.Body.String(), `name="passphrase"`) {
			require.Regexp(t, `type="password" autocomplete="(current|new)-password"`, w.Body.String())
		}
	}
}

// TestDriversAppEnrollsPhones checks that links for
// phones lead to the drivers' app if the binary has it, and to plain pages
// otherwise.
func TestDriversAppEnrollsPhones(t *testing.T) {
	t.Parallel()
	apps, err := web.New(false, web.Basemap{})
	require.NoError(t, err)
	plain := apitest.New(t)
	full := apitest.New(t, func(_ *api.Config, d *api.Dependencies) { d.Web = apps })
	for _, path := range []string{"/driver/enrol", "/driver/sign-in", "/driver/connected"} {
		page := apitest.Serve(plain.Server.Routes(), http.MethodGet, path, "").Body.String()
		require.NotContains(t, page, "manifest.webmanifest", path)
		page = apitest.Serve(full.Server.Routes(), http.MethodGet, path, "").Body.String()
		require.Equal(t, apps.HasDriver, strings.Contains(page, "manifest.webmanifest"), path)
	}
}
