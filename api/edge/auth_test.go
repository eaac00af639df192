package edge_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/edge"
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
				require.Empty(t, status.Details, name)
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

func TestAuthorization(t *testing.T) {
	t.Parallel()

	t.Run("EveryOperationForPeopleRefusesKeys", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		seen := 0
		for path, item := range apitest.Document(t).Paths.Map() {
			for method, op := range item.Operations() {
				if len(op.Tags) != 1 || op.Tags[0] != "Administration" {
					continue
				}
				seen++
				target := strings.NewReplacer("{id}", "12", "{orderId}", "90417").Replace(path)
				w := b.Send(method, target, "{}", "Authorization", "apikey "+b.Key)
				require.Equal(t, http.StatusForbidden, w.Code, "%s %s", method, target)
				status := apitest.Status(t, w.Body.Bytes())
				require.EqualValues(t, 7, status.Code)
				info, err := status.Details[0].AsErrorInfoDetail()
				require.NoError(t, err)
				require.Equal(t, "OPERATION_NOT_FOR_CALLER", info.Reason)
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
					continue // everybody may, or the caller proves itself in another way
				}
				target := strings.NewReplacer("{", "", "}", "").Replace(path)
				w := b.Send(method, target, "{}")
				require.Equal(t, http.StatusUnauthorized, w.Code, "%s %s", method, target)
			}
		}
	})
}
