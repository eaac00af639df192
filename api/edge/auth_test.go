package edge_test

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/edge"
	"waybill/domain/caller"
	"waybill/domain/fault"
)

func TestAuthentication(t *testing.T) {
	t.Parallel()

	t.Run("CallersWithoutAUsableKeyGet401", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		unknown := strings.Replace(b.Key, "wbk_", "wbk_x", 1)
		wrong := b.Key[:len(b.Key)-1] + "_"
		otherSecret := b.Key[:len(b.Key)-4] + "0000"
		for name, headers := range map[string][]string{
			"no header":           nil,
			"empty":               {"Authorization", ""},
			"key alone":           {"Authorization", b.Key},
			"scheme alone":        {"Authorization", "apikey"},
			"another scheme":      {"Authorization", "Basic " + b.Key},
			"people's token":      {"Authorization", "Bearer " + b.Key},
			"no key at all":       {"Authorization", "apikey nonsense"},
			"unknown key":         {"Authorization", "apikey " + unknown},
			"malformed secret":    {"Authorization", "apikey " + wrong},
			"another secret":      {"Authorization", "apikey " + otherSecret},
			"two keys":            {"Authorization", "apikey " + b.Key, "Authorization", "apikey " + b.Key},
			"something behind":    {"Authorization", "apikey " + b.Key + " more"},
			"NUL in the key":      {"Authorization", "apikey wbk_a\x00b_ccccccccccccccccc"},
			"another header name": {"X-Api-Key", b.Key},
		} {
			for _, target := range []string{"/v1/orders/today", "/v1/users"} {
				w := b.Send(http.MethodGet, target, "", headers...)
				require.Equal(t, http.StatusUnauthorized, w.Code, "%s at %s", name, target)
				require.Equal(t, `apikey realm="waybill"`, w.Header().Get("WWW-authenticate"), name)
				status := apitest.Status(t, w.Body.Bytes())
				require.EqualValues(t, 16, status.Code, name)
				require.EqualValues(t, "AUTH_KEY_NEEDED", apitest.Reason(status), name)
			}
		}
	})

	t.Run("TheSchemeIsCaseInsensitive", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		for _, scheme := range []string{"apikey ", "ApiKey ", "APIKEY ", "apikey   "} {
			w := b.Send(http.MethodPost, apitest.ForPeople, "{}", "Authorization", scheme+b.Key)
			require.Equal(t, http.StatusForbidden, w.Code, scheme)
		}
	})

	t.Run("CredentialsAreCheckedBeforeParameters", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		w := b.Send(http.MethodGet, "/v1/orders/not-a-number", "")
		require.Equal(t, http.StatusUnauthorized, w.Code)
	})

	t.Run("ExpiredAndRevokedKeysGet401", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		soon := b.Clock.Now().Add(time.Hour)
		expiring := b.Keys.Add(t, func(k *edge.APIKey) { k.ExpiresAt = &soon })
		overlapping := b.Keys.Add(t, func(k *edge.APIKey) { k.RevokedAt = &soon })
		require.Equal(t, http.StatusForbidden, b.Call(expiring).Code)
		require.Equal(t, http.StatusForbidden, b.Call(overlapping).Code)
		b.Clock.Forward(time.Hour)
		require.Equal(t, http.StatusUnauthorized, b.Call(expiring).Code)
		require.Equal(t, http.StatusUnauthorized, b.Call(overlapping).Code)
		require.Equal(t, http.StatusForbidden, b.Call(b.Key).Code)
	})

	t.Run("KeysThatCannotBeLookedUpAreNoFaultOfTheCaller", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		b.Keys.Fail(&fault.Error{Kind: fault.Unavailable, Text: fault.Say("service.unavailable"), Cause: errors.New("down")})
		w := b.Send(http.MethodGet, "/v1/orders/today", "", "Authorization", "apikey "+b.Key)
		require.Equal(t, http.StatusServiceUnavailable, w.Code)
		b.Keys.Fail(errors.New("relation api_keys does not exist"))
		w = b.Send(http.MethodGet, "/v1/orders/today", "", "Authorization", "apikey "+b.Key)
		require.Equal(t, http.StatusInternalServerError, w.Code)
		require.NotContains(t, w.Body.String(), "api_keys")
		b.Keys.Fail(nil)
		require.Equal(t, http.StatusForbidden, b.Call(b.Key).Code)
	})

	t.Run("SecretsAreNotLogged", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		b.Call(b.Key)
		b.Call(b.Key[:len(b.Key)-4] + "0000")
		require.NotEmpty(t, b.Logs.Records(t, "request answered"))
		require.NotContains(t, b.Logs.Text(), b.Key[len(b.Key)-20:len(b.Key)-4])
	})
}

// parameter matches a parameter of a path.
var parameter = regexp.MustCompile(`{\w+}`)

func TestAuthorization(t *testing.T) {
	t.Parallel()

	t.Run("EveryOperationForPeopleRefusesKeys", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		seen := 0
		for path, item := range apitest.Document(t).Paths.Map() {
			for method, op := range item.Operations() {
				callers, _ := op.Extensions["x-callers"].([]any)
				if len(callers) == 0 || slices.Contains(callers, any("key")) {
					continue
				}
				seen++
				target := parameter.ReplaceAllString(path, "12")
				w := b.Send(method, target, "{}", "Authorization", "apikey "+b.Key)
				require.Equal(t, http.StatusForbidden, w.Code, "%s %s", method, target)
				status := apitest.Status(t, w.Body.Bytes())
				require.EqualValues(t, 7, status.Code)
				info, err := status.Details[0].AsErrorInfoDetail()
				require.NoError(t, err)
				require.EqualValues(t, "AUTH_NOT_FOR_KEYS", info.Reason)
				require.Equal(t, op.OperationID, (*info.Metadata)["operation"])
				w = b.Send(method, target, "{}")
				require.Equal(t, http.StatusUnauthorized, w.Code, "%s %s", method, target)
				w = b.Send(method, target, "{}", "Authorization", "Bearer "+b.Key)
				require.Equal(t, http.StatusUnauthorized, w.Code, "%s %s", method, target)
			}
		}
		require.Greater(t, seen, 25)
	})

	t.Run("EveryOperationForKeysAsksForOne", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		for path, item := range apitest.Document(t).Paths.Map() {
			for method, op := range item.Operations() {
				if op.Security != nil && len(*op.Security) == 0 {
					continue // open to everyone, or with other authentication
				}
				target := strings.NewReplacer("{", "", "}", "").Replace(path)
				w := b.Send(method, target, "{}")
				require.Equal(t, http.StatusUnauthorized, w.Code, "%s %s", method, target)
			}
		}
	})
}

// TestPolicyMatchesTheContract calls each operation as each role: callers
// outside its x-callers are refused, all others get past the edge.
func TestPolicyMatchesTheContract(t *testing.T) {
	t.Parallel()
	b := apitest.New(t)
	routes := b.Server.Routes() // without a database, handlers may return anything
	as := map[string]string{caller.AnyKey: "apikey " + b.Key}
	for n, role := range []caller.Role{caller.Admin, caller.Dispatcher, caller.Support, caller.Driver} {
		as[string(role)] = b.SignIn(edge.Principal{
			Caller: caller.Caller{OrgID: 7, Kind: caller.Person, ID: int64(n + 1), Roles: []caller.Role{role}},
			Zone:   time.UTC, Language: "en", SignedInAt: b.Clock.Now(),
		})
	}
	for path, item := range apitest.Document(t).Paths.Map() {
		for method, op := range item.Operations() {
			callers, _ := op.Extensions["x-callers"].([]any)
			if len(callers) == 0 {
				continue
			}
			target := strings.NewReplacer("{", "", "}", "").Replace(path)
			for name, authorization := range as {
				w := apitest.Serve(routes, method, target, "", "Authorization", authorization)
				refused := w.Code == http.StatusForbidden
				allowed := slices.Contains(callers, any(name)) && !slices.Contains(op.Tags, "Driving") // for phones
				require.Equal(t, !allowed, refused, "%s %s as %s: %d", method, path, name, w.Code)
			}
		}
	}
}

func TestRefusalsNameTheCallersRole(t *testing.T) {
	t.Parallel()
	b := apitest.New(t)
	driver := b.SignIn(edge.Principal{
		Caller: caller.Caller{OrgID: 7, Kind: caller.Device, ID: 7, Roles: []caller.Role{caller.Driver}},
		Zone:   time.UTC, Language: "nb",
	})
	for authorization, message := range map[string]string{
		"apikey " + b.Key: "This operation is not available to API keys.",
		driver:            "Your role does not allow this operation.",
	} {
		w := b.Send(http.MethodPost, apitest.ForPeople, "{}", "Authorization", authorization)
		require.Equal(t, http.StatusForbidden, w.Code)
		require.Equal(t, message, apitest.Status(t, w.Body.Bytes()).Message)
	}
	records := b.Logs.Records(t, "request answered")
	require.Len(t, records, 2)
	for _, record := range records {
		require.EqualValues(t, 7, record["org_id"])
		if record["actor"] == nil {
			require.EqualValues(t, 1, record["key_id"])
			continue
		}
		require.Equal(t, "device:7", record["actor"])
		require.NotContains(t, record, "key_id")
	}
}

// TestCallersBecomeThoseOfOperations checks that operations run with the caller
// as actor and the request as cause.
func TestCallersBecomeThoseOfOperations(t *testing.T) {
	t.Parallel()
	b := apitest.New(t)
	person := caller.Caller{OrgID: 8, Kind: caller.Person, ID: 12, Roles: []caller.Role{caller.Admin}}
	var asked []caller.Caller
	h := b.Server.Edge.AroundCallers(func(_ http.ResponseWriter, r *http.Request) error {
		asked = append(asked, edge.Caller(r.Context()))
		return nil
	})
	for _, authorization := range []string{"apikey " + b.Key, b.SignIn(edge.Principal{Caller: person})} {
		apitest.Serve(h, http.MethodGet, "/x", "", "Authorization", authorization, "X-Request-ID", "r-1")
	}
	person.Cause = "r-1"
	require.Equal(t, []caller.Caller{{OrgID: 7, Kind: caller.Key, ID: 1, Cause: "r-1"}, person}, asked)
}

func TestAnAuthenticatorsRefusalIsFinal(t *testing.T) {
	t.Parallel()
	b := apitest.New(t, func(_ *api.Config, d *api.Dependencies) {
		d.Authenticators = append(d.Authenticators, func(*http.Request) (*edge.Principal, error) {
			return nil, &fault.Error{Kind: fault.Unauthenticated}
		})
	})
	require.Equal(t, http.StatusUnauthorized, b.Call(b.Key).Code)
}
