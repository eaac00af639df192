package api_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/domain/fault"
)

func TestAuthentication(t *testing.T) {
	t.Parallel()

	t.Run("CallersWithoutAUsableKeyGet401", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		unknown := strings.Replace(b.key, "wbk_", "wbk_x", 1)
		wrong := b.key[:len(b.key)-1] + "_"
		otherSecret := b.key[:len(b.key)-4] + "0000"
		for name, headers := range map[string][]string{
			"no header":           nil,
			"empty":               {"Authorization", ""},
			"key alone":           {"Authorization", b.key},
			"scheme alone":        {"Authorization", "apikey"},
			"another scheme":      {"Authorization", "Basic " + b.key},
			"people's token":      {"Authorization", "Bearer " + b.key},
			"no key at all":       {"Authorization", "apikey nonsense"},
			"unknown key":         {"Authorization", "apikey " + unknown},
			"malformed secret":    {"Authorization", "apikey " + wrong},
			"another secret":      {"Authorization", "apikey " + otherSecret},
			"two keys":            {"Authorization", "apikey " + b.key, "Authorization", "apikey " + b.key},
			"something behind":    {"Authorization", "apikey " + b.key + " more"},
			"NUL in the key":      {"Authorization", "apikey wbk_a\x00b_ccccccccccccccccc"},
			"another header name": {"X-Api-Key", b.key},
		} {
			for _, target := range []string{"/v1/orders/today", "/v1/users"} {
				w := b.send(http.MethodGet, target, "", headers...)
				require.Equal(t, http.StatusUnauthorized, w.Code, "%s at %s", name, target)
				require.Equal(t, `apikey realm="waybill"`, w.Header().Get("WWW-Authenticate"), name)
				status := apitest.Status(t, w.Body.Bytes())
				require.EqualValues(t, 16, status.Code, name)
				require.Empty(t, status.Details, name)
			}
		}
	})

	t.Run("TheSchemeIsCaseInsensitive", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, scheme := range []string{"apikey ", "ApiKey ", "APIKEY ", "apikey   "} {
			w := b.send(http.MethodPost, forPeople, "{}", "Authorization", scheme+b.key)
			require.Equal(t, http.StatusForbidden, w.Code, scheme)
		}
	})

	t.Run("CredentialsAreCheckedBeforeParameters", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		w := b.send(http.MethodGet, "/v1/orders/not-a-number", "")
		require.Equal(t, http.StatusUnauthorized, w.Code)
	})

	t.Run("ExpiredAndRevokedKeysGet401", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		soon := b.clock.Now().Add(time.Hour)
		expiring := b.keys.add(t, func(k *api.APIKey) { k.ExpiresAt = &soon })
		overlapping := b.keys.add(t, func(k *api.APIKey) { k.RevokedAt = &soon })
		require.Equal(t, http.StatusForbidden, b.call(expiring).Code)
		require.Equal(t, http.StatusForbidden, b.call(overlapping).Code)
		b.clock.forward(time.Hour)
		require.Equal(t, http.StatusUnauthorized, b.call(expiring).Code)
		require.Equal(t, http.StatusUnauthorized, b.call(overlapping).Code)
		require.Equal(t, http.StatusForbidden, b.call(b.key).Code)
	})

	t.Run("KeysThatCannotBeLookedUpAreNoFaultOfTheCaller", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.keys.fail(&fault.Error{Kind: fault.Unavailable, Text: fault.Say("service.unavailable"), Cause: errors.New("down")})
		w := b.send(http.MethodGet, "/v1/orders/today", "", "Authorization", "apikey "+b.key)
		require.Equal(t, http.StatusServiceUnavailable, w.Code)
		b.keys.fail(errors.New("relation api_keys does not exist"))
		w = b.send(http.MethodGet, "/v1/orders/today", "", "Authorization", "apikey "+b.key)
		require.Equal(t, http.StatusInternalServerError, w.Code)
		require.NotContains(t, w.Body.String(), "api_keys")
		b.keys.fail(nil)
		require.Equal(t, http.StatusForbidden, b.call(b.key).Code)
	})

	t.Run("SecretsAreNotLogged", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.call(b.key)
		b.call(b.key[:len(b.key)-4] + "0000")
		require.NotEmpty(t, b.logs.records(t, "request answered"))
		require.NotContains(t, b.logs.text(), b.key[len(b.key)-20:len(b.key)-4])
	})
}

func TestAuthorization(t *testing.T) {
	t.Parallel()

	t.Run("EveryOperationForPeopleRefusesKeys", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		seen := 0
		for path, item := range apitest.Document(t).Paths.Map() {
			for method, op := range item.Operations() {
				if len(op.Tags) != 1 || op.Tags[0] != "Administration" {
					continue
				}
				seen++
				target := strings.NewReplacer("{id}", "12", "{orderId}", "90417").Replace(path)
				w := b.send(method, target, "{}", "Authorization", "apikey "+b.key)
				require.Equal(t, http.StatusForbidden, w.Code, "%s %s", method, target)
				status := apitest.Status(t, w.Body.Bytes())
				require.EqualValues(t, 7, status.Code)
				info, err := status.Details[0].AsErrorInfoDetail()
				require.NoError(t, err)
				require.Equal(t, "OPERATION_NOT_FOR_CALLER", info.Reason)
				require.Equal(t, op.OperationID, (*info.Metadata)["operation"])
				w = b.send(method, target, "{}")
				require.Equal(t, http.StatusUnauthorized, w.Code, "%s %s", method, target)
				w = b.send(method, target, "{}", "Authorization", "Bearer "+b.key)
				require.Equal(t, http.StatusUnauthorized, w.Code, "%s %s", method, target)
			}
		}
		require.Greater(t, seen, 25)
	})

	t.Run("EveryOperationForKeysAsksForOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for path, item := range apitest.Document(t).Paths.Map() {
			for method, op := range item.Operations() {
				if op.Security != nil && len(*op.Security) == 0 {
					continue // everybody may, or the caller proves itself in another way
				}
				target := strings.NewReplacer("{", "", "}", "").Replace(path)
				w := b.send(method, target, "{}")
				require.Equal(t, http.StatusUnauthorized, w.Code, "%s %s", method, target)
			}
		}
	})
}
