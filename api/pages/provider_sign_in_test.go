package pages_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/domain/caller"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/operations/people"
	"waybill/store"
	"waybill/store/storetest"
)

// idp is a provider with one signed-in user.
type idp struct {
	*httptest.Server

	key    *rsa.PrivateKey
	signs  func(claims string) string
	claims map[string]any
	// verifier is the hash of the value to present with the code.
	verifier string
	// secret is the client secret with which the code was redeemed.
	secret string
}

func newIDP(t *testing.T, now func() time.Time) *idp {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	p := &idp{key: key}
	p.signs = func(claims string) string { return oidctest.SignIDToken(key, "one", "RS256", claims) }
	described := &oidctest.Server{
		PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "one", Algorithm: "RS256"}},
	}
	mux := http.NewServeMux()
	mux.Handle("/", described)
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		if _, p.secret, _ = r.BasicAuth(); p.secret == "" {
			p.secret = r.PostForm.Get("client_secret")
		}
		sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
		if base64.RawURLEncoding.EncodeToString(sum[:]) != p.verifier {
			http.Error(w, `{"error": "invalid_grant"}`, http.StatusBadRequest)
			return
		}
		claims, _ := json.Marshal(p.claims)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"access_token": "a", "token_type": "Bearer", "id_token": p.signs(string(claims)),
		})
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	described.SetIssuer(p.URL)
	p.claims = map[string]any{
		"iss": p.URL, "aud": "waybill", "sub": "248289761001", "exp": now().Add(time.Hour).Unix(), "iat": now().Unix(),
		"email": "kari@acme.example", "email_verified": true, "name": "Kari Berg",
	}
	return p
}

// elsewhere is an office whose people sign in with a provider.
type providerPages struct {
	*browser
	*idp

	bundle *apitest.Bundle
	ops    *operations.Operations
	store  *store.Store
	by     caller.Caller
	id     int64 // of the provider
}

func newProviderPages(t *testing.T) *providerPages {
	t.Helper()
	db := storetest.New(t)
	o := &providerPages{store: store.New(db.Pool)}
	o.bundle = apitest.New(t, func(c *api.Config, d *api.Dependencies) {
		o.ops = operations.New(o.store, d.Now, operations.Settings{
			Messaging:     notifications.Messaging{PublicURL: "https://waybill.example"},
			SealingSecret: "a secret that is not in the database", AllowPrivateProviders: true,
		})
		d.Store, d.Operations, d.Keys, d.Sessions, d.SessionUse = o.store, o.ops, o.store, o.store, o.store
		c.PublicURL = "https://waybill.example"
	})
	o.browser = &browser{t, o.bundle.Server.Routes(), map[string]string{}}
	o.by = caller.Service(storetest.Organization(t, db, "acme"), "test")
	o.idp = newIDP(t, o.bundle.Clock.Now)
	secret := "hush"
	p, err := o.ops.People.CreateIdentityProvider(t.Context(), o.by, people.IdentityProvider{
		IdentityProviderDetails: store.IdentityProviderDetails{
			Slug: "idp", Name: "Acme's directory", Issuer: o.URL, ClientID: "waybill", IsActive: true,
		},
		Secret: &secret,
	})
	require.NoError(t, err)
	o.id = p.ID
	return o
}

// add creates an account, invited or active.
func (o *providerPages) add(email string, inUse bool) int64 {
	o.t.Helper()
	ids, err := o.ops.People.RoleIDs(o.t.Context(), o.by.OrgID, []string{"support"})
	require.NoError(o.t, err)
	user, err := o.ops.People.CreateUser(o.t.Context(), o.by, people.NewUser{
		UserDetails: store.UserDetails{Email: email, Name: "Kari Berg", RoleIDs: ids}, Source: "console",
	})
	require.NoError(o.t, err)
	if inUse {
		require.NoError(o.t, o.ops.People.SetPassphrase(o.t.Context(), o.by, user.ID, passphrase))
	}
	return user.ID
}

var goesOn = regexp.MustCompile(`href="(http[^"]+)"`)

// leave sends a user to the provider, and returns the parameters.
func (o *providerPages) leave() url.Values {
	o.t.Helper()
	w := o.send(http.MethodPost, "/sign-in/elsewhere", url.Values{"organization": {"acme"}})
	require.Equal(o.t, http.StatusOK, w.Code, w.Body)
	found := goesOn.FindStringSubmatch(w.Body.String())
	require.NotNil(o.t, found, w.Body)
	address, err := url.Parse(html.UnescapeString(found[1]))
	require.NoError(o.t, err)
	require.True(o.t, strings.HasPrefix(address.String(), o.URL+"/auth?"))
	asked := address.Query()
	o.verifier = asked.Get("code_challenge")
	o.claims["nonce"] = asked.Get("nonce")
	return asked
}

// back returns with a state and a code.
func (o *providerPages) back(state string) *httptest.ResponseRecorder {
	o.t.Helper()
	return o.send(http.MethodGet, "/sign-in/callback?"+url.Values{"state": {state}, "code": {"c0de"}}.Encode(), nil,
		"Sec-Fetch-Site", "cross-site")
}

// comesIn reports whether a user is signed in after going to the provider and
// back.
func (o *providerPages) comesIn() bool {
	o.t.Helper()
	delete(o.cookies, "__Host-waybill")
	w := o.back(o.leave().Get("state"))
	return w.Code == http.StatusSeeOther && w.Header().Get("Location") == "/account" && o.cookies["__Host-waybill"] != ""
}

func TestSignInWithIdentityProvider(t *testing.T) {
	t.Parallel()
	o := newProviderPages(t)
	require.False(t, o.comesIn(), "nobody is invited")
	invited := o.add("Kari@acme.example", false)
	o.claims["email_verified"] = false
	require.False(t, o.comesIn(), "the address is anybody's")
	o.claims["email_verified"] = true

	asked := o.leave()
	require.Equal(t, "code", asked.Get("response_type"))
	require.Equal(t, "S256", asked.Get("code_challenge_method"))
	require.Equal(t, "https://waybill.example/sign-in/callback", asked.Get("redirect_uri"))
	w := o.back(asked.Get("state"))
	require.Equal(t, "/account", w.Header().Get("Location"), o.bundle.Logs.Text())
	require.Empty(t, o.cookies["__Host-waybill-pending"])
	require.Contains(t, o.send(http.MethodGet, "/account", nil).Body.String(), "Kari Berg")
	user, err := o.store.User(t.Context(), o.by.OrgID, invited)
	require.NoError(t, err)
	require.EqualValues(t, "active", user.State)
	require.Equal(t, http.StatusUnauthorized, o.back(asked.Get("state")).Code, "what was begun is good once")

	// The account is the subject's, whatever the address.
	o.claims["email"] = "kari.berg@acme.example"
	require.True(t, o.comesIn())
	o.claims["sub"], o.claims["email"] = "somebody else", "kari@acme.example"
	require.False(t, o.comesIn(), "the account has its owner at the provider")
	require.NoError(t, o.ops.People.DisableUser(t.Context(), o.by, invited))
	o.claims["sub"] = "248289761001"
	require.False(t, o.comesIn(), "the account is disabled")
	require.NotContains(t, o.bundle.Logs.Text(), "hush")
}

// TestInvalidIdentityTokensAreRefused is check 11 in docs/security.md.
func TestInvalidIdentityTokensAreRefused(t *testing.T) {
	t.Parallel()
	o := newProviderPages(t)
	o.add("kari@acme.example", true)
	signs := o.signs
	for name, spoil := range map[string]func(){
		"another issuer":   func() { o.claims["iss"] = "https://evil.example" },
		"another audience": func() { o.claims["aud"] = "somebody else" },
		"several audiences, for another": func() {
			o.claims["aud"], o.claims["azp"] = []string{"somebody else", "waybill"}, "somebody else"
		},
		"several audiences, for nobody": func() { o.claims["aud"] = []string{"waybill", "somebody else"} },
		"expired":                       func() { o.claims["exp"] = o.bundle.Clock.Now().Add(-time.Minute).Unix() },
		"no subject":                    func() { delete(o.claims, "sub") },
		"another key": func() {
			other, err := rsa.GenerateKey(rand.Reader, 2048)
			require.NoError(t, err)
			o.signs = func(c string) string { return oidctest.SignIDToken(other, "one", "RS256", c) }
		},
		"alg none": func() {
			o.signs = func(c string) string { return part(`{"alg":"none"}`) + "." + part(c) + "." }
		},
		"unsigned": func() {
			o.signs = func(c string) string { return signs(c)[:strings.LastIndex(signs(c), ".")+1] }
		},
		"no token": func() { o.signs = func(string) string { return "" } },
	} {
		kept := map[string]any{}
		for claim, value := range o.claims {
			kept[claim] = value
		}
		spoil()
		require.False(t, o.comesIn(), name)
		o.claims, o.signs = kept, signs
	}
	asked := o.leave()
	o.claims["nonce"] = "of another question"
	require.Equal(t, http.StatusUnauthorized, o.back(asked.Get("state")).Code, "another nonce")
	o.leave()
	require.Equal(t, http.StatusUnauthorized, o.back("of another question").Code, "another state")
	asked = o.leave()
	o.verifier = "of another question"
	require.Equal(t, http.StatusUnauthorized, o.back(asked.Get("state")).Code, "another verifier")
	asked = o.leave()
	delete(o.cookies, "__Host-waybill-pending")
	require.Equal(t, http.StatusUnauthorized, o.back(asked.Get("state")).Code, "another browser")
	asked = o.leave()
	o.bundle.Clock.Forward(11 * time.Minute)
	require.Equal(t, http.StatusUnauthorized, o.back(asked.Get("state")).Code, "too late")
	require.True(t, o.comesIn(), "what counts")
	o.claims["aud"], o.claims["azp"] = []string{"somebody else", "waybill"}, "waybill"
	require.True(t, o.comesIn(), "several audiences, for us")
}

func part(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

func TestUninvitedUserGetsTheDefaultRole(t *testing.T) {
	t.Parallel()
	o := newProviderPages(t)
	ids, err := o.ops.People.RoleIDs(t.Context(), o.by.OrgID, []string{"dispatcher"})
	require.NoError(t, err)
	_, err = o.ops.People.ChangeIdentityProvider(t.Context(), o.by, o.id,
		func(p store.IdentityProvider) (people.IdentityProvider, error) {
			p.NewUsersRoleID = ids[0]
			return people.IdentityProvider{IdentityProviderDetails: p.IdentityProviderDetails}, nil
		})
	require.NoError(t, err)
	require.True(t, o.comesIn())
	require.Contains(t, o.send(http.MethodGet, "/account", nil).Body.String(), "dispatcher")
	require.Equal(t, "hush", o.secret, "the secret stays when others change")
}

func TestASecondFactorIsAskedForAfterAProviderToo(t *testing.T) {
	t.Parallel()
	o := newProviderPages(t)
	user := o.add("kari@acme.example", true)
	as := caller.Caller{OrgID: o.by.OrgID, Kind: caller.Person, ID: user, Cause: "test"}
	seed, err := o.ops.People.BeginTOTP(t.Context(), as, user)
	require.NoError(t, err)
	code, err := totp.GenerateCode(seed.Secret, o.bundle.Clock.Now())
	require.NoError(t, err)
	_, err = o.ops.People.ConfirmTOTP(t.Context(), as, user, code)
	require.NoError(t, err)
	w := o.back(o.leave().Get("state"))
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Body.String(), `name="pending"`)
	require.Empty(t, o.cookies["__Host-waybill"])
}

func TestAnOrganizationMayHaveSeveralProviders(t *testing.T) {
	t.Parallel()
	o := newProviderPages(t)
	_, err := o.ops.People.CreateIdentityProvider(t.Context(), o.by, people.IdentityProvider{
		IdentityProviderDetails: store.IdentityProviderDetails{
			Slug: "other", Name: "Another directory", Issuer: o.URL, ClientID: "waybill", IsActive: true,
		},
	})
	require.NoError(t, err)
	w := o.send(http.MethodPost, "/sign-in/elsewhere", url.Values{"organization": {"acme"}})
	require.Contains(t, w.Body.String(), "Another directory")
	w = o.send(http.MethodPost, "/sign-in/elsewhere", url.Values{"organization": {"acme"}, "provider": {"other"}})
	require.Regexp(t, goesOn, w.Body.String())
	w = o.send(http.MethodPost, "/sign-in/elsewhere", url.Values{"organization": {"nobody"}})
	require.Equal(t, http.StatusBadRequest, w.Code)
}
