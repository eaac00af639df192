package edge_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/edge"
	"waybill/domain/caller"
)

func TestRateLimit(t *testing.T) {
	t.Parallel()
	limit := func(rate float64, burst int) func(*api.Config, *api.Dependencies) {
		return func(c *api.Config, _ *api.Dependencies) { c.RateLimit, c.RateBurst = rate, burst }
	}

	t.Run("EveryAuthenticatedAnswerSaysWhatIsLeft", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, limit(10, 100))
		w := b.Call(b.Key)
		require.Equal(t, `"key";q=100;w=10`, w.Header().Get("RateLimit-Policy"))
		require.Equal(t, `"key";r=99;t=1`, w.Header().Get("RateLimit"))
		for range 29 {
			w = b.Call(b.Key)
		}
		require.Equal(t, `"key";r=70;t=3`, w.Header().Get("RateLimit"))
		w = b.Send(http.MethodGet, "/v1/orders/abc", "", "Authorization", "apikey "+b.Key)
		require.Equal(t, http.StatusBadRequest, w.Code)
		require.Equal(t, `"key";r=69;t=4`, w.Header().Get("RateLimit"))
	})

	t.Run("AKeyOverItsRateWaitsAndPassesAgain", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, limit(2, 3))
		spent := func() int {
			w := b.Send(http.MethodGet, "/v1/orders/abc", "", "Authorization", "apikey "+b.Key)
			return w.Code
		}
		for range 3 {
			require.Equal(t, http.StatusBadRequest, spent())
		}
		w := b.Send(http.MethodGet, "/v1/orders/abc", "", "Authorization", "apikey "+b.Key)
		require.Equal(t, http.StatusTooManyRequests, w.Code)
		require.Equal(t, "1", w.Header().Get("Retry-After"))
		require.Equal(t, `"key";r=0;t=2`, w.Header().Get("RateLimit"))
		status := apitest.Status(t, w.Body.Bytes())
		require.EqualValues(t, 8, status.Code)
		require.Equal(t, "Too many requests. Try again in 1 second.", status.Message)
		retry, err := status.Details[0].AsRetryInfoDetail()
		require.NoError(t, err)
		require.Equal(t, "1s", retry.RetryDelay)
		b.Clock.Forward(499 * time.Millisecond)
		require.Equal(t, http.StatusTooManyRequests, spent())
		b.Clock.Forward(time.Millisecond)
		require.Equal(t, http.StatusBadRequest, spent())
		require.Equal(t, http.StatusTooManyRequests, spent())
	})

	t.Run("SlowRatesSayHowManySecondsToWait", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, limit(0.1, 1))
		target, auth := "/v1/orders/abc", "apikey "+b.Key
		b.Send(http.MethodGet, target, "", "Authorization", auth)
		b.Clock.Forward(3 * time.Second)
		w := b.Send(http.MethodGet, target, "", "Authorization", auth, "Accept-Language", "da")
		require.Equal(t, "7", w.Header().Get("Retry-After"))
		require.Contains(t, w.Body.String(), "om 7 sekunder")
	})

	t.Run("KeysDoNotShareARate", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, limit(1, 1))
		// The same number in another organization is another key.
		other := b.Keys.Add(t, func(k *edge.APIKey) { k.OrgID, k.ID = 8, 1 })
		require.Equal(t, http.StatusForbidden, b.Call(b.Key).Code)
		require.Equal(t, http.StatusForbidden, b.Call(other).Code)
	})

	t.Run("APersonAndAKeyOfTheSameNumberDoNotShareARate", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, limit(1, 1))
		person := b.SignIn(edge.Principal{
			Caller: caller.Caller{OrgID: 7, Kind: caller.Person, ID: 1, Roles: []caller.Role{caller.Support}},
		})
		for authorization, policy := range map[string]string{"apikey " + b.Key: `"key";q=1;w=1`, person: `"caller";q=1;w=1`} {
			w := b.Send(http.MethodPost, apitest.ForPeople, "{}", "Authorization", authorization)
			require.Equal(t, http.StatusForbidden, w.Code)
			require.Equal(t, policy, w.Header().Get("RateLimit-Policy"))
			w = b.Send(http.MethodPost, apitest.ForPeople, "{}", "Authorization", authorization)
			require.Equal(t, http.StatusTooManyRequests, w.Code)
		}
	})

	t.Run("StrangersSpendNothing", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, limit(1, 2))
		for range 5 {
			w := b.Call(b.Key + "0")
			require.Equal(t, http.StatusUnauthorized, w.Code)
			require.Empty(t, w.Header().Get("RateLimit"))
		}
		require.True(t, strings.Contains(b.Call(b.Key).Header().Get("RateLimit"), "r=1;"))
	})

	t.Run("ZeroMeansNoLimit", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, limit(0, 1))
		for range 50 {
			w := b.Call(b.Key)
			require.Equal(t, http.StatusForbidden, w.Code)
			require.Empty(t, w.Header().Get("RateLimit-Policy"))
		}
	})

	t.Run("IdleKeysAreForgotten", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, limit(1, 10))
		routes := b.Server.Routes()
		for range 200 {
			apitest.Serve(routes, http.MethodPost, apitest.ForPeople, "{}", "Authorization", "apikey "+b.Keys.Add(t, nil))
		}
		require.Equal(t, 200, b.Server.Edge.Buckets())
		b.Clock.Forward(time.Minute)
		b.Call(b.Key)
		require.Equal(t, 1, b.Server.Edge.Buckets())
	})
}
