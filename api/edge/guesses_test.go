package edge_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/domain/credential"
)

// unknownKey returns a key that does not exist.
func unknownKey(t *testing.T) credential.Secret {
	t.Helper()
	key, err := credential.New(credential.APIKey, rand.Reader)
	require.NoError(t, err)
	return key
}

func TestRepeatedFailuresAreLimited(t *testing.T) {
	t.Parallel()
	b := apitest.New(t, func(c *api.Config, _ *api.Dependencies) {
		c.RateLimit, c.RateBurst, c.TrustedProxies = 1_000, 1_000, []string{"192.0.2.0/24"}
	})
	from := func(address, key string) *httptest.ResponseRecorder {
		return b.Send(http.MethodPost, apitest.ForPeople, "{}", "Authorization", "apikey "+key, "X-Forwarded-For", address)
	}
	known := b.Keys.Add(t, nil)
	require.Equal(t, http.StatusForbidden, from("203.0.113.7", b.Key).Code)
	const burst = 60
	for range burst {
		require.Equal(t, http.StatusUnauthorized, from("203.0.113.7", unknownKey(t).Reveal()).Code)
	}
	looked := b.Keys.Count()
	w := from("203.0.113.7", unknownKey(t).Reveal())
	require.Equal(t, http.StatusTooManyRequests, w.Code)
	require.Equal(t, "1", w.Header().Get("Retry-After"))
	require.Equal(t, looked, b.Keys.Count(), "nothing is looked up")
	b.Clock.Forward(100 * time.Millisecond)
	require.Equal(t, http.StatusForbidden, from("203.0.113.7", b.Key).Code, "who was known before goes on")
	require.Equal(t, http.StatusForbidden, from("203.0.113.8", known).Code, "and so do others")
	require.Equal(t, http.StatusUnauthorized, from("203.0.113.8", unknownKey(t).Reveal()).Code)

	require.Equal(t, http.StatusTooManyRequests,
		b.Send(http.MethodPost, "/webhooks/carriers/acme", "{}", "X-Forwarded-For", "203.0.113.7", "X-Waybill-Timestamp",
			"1772436600", "X-Waybill-Signature", "00").Code, "with forged signatures, too")
	b.Clock.Forward(time.Second)
	require.Equal(t, http.StatusUnauthorized, from("203.0.113.7", unknownKey(t).Reveal()).Code)
}

func TestRefusalsCanBeTraced(t *testing.T) {
	t.Parallel()
	b := apitest.New(t)
	outsider := unknownKey(t)
	b.Send(http.MethodGet, "/v1/orders/today", "", "Authorization", "apikey "+outsider.Reveal())
	b.Send(http.MethodGet, "/v1/orders/today", "")
	b.Call(b.Key)
	b.Send(http.MethodGet, "/v1/orders/abc", "", "Authorization", "apikey "+b.Key)
	records := b.Logs.Records(t, "request answered")
	require.Len(t, records, 4)
	require.Equal(t, "192.0.2.1", records[0]["address"])
	require.Equal(t, outsider.Public(), records[0]["public_part"])
	require.Equal(t, "192.0.2.1", records[1]["address"])
	require.NotContains(t, records[1], "public_part")
	require.Equal(t, 403.0, records[2]["status"])
	require.Equal(t, "192.0.2.1", records[2]["address"])
	require.NotContains(t, records[3], "address", "of who is let in, no address is kept")
	require.NotContains(t, b.Logs.Text(), outsider.Reveal())
}

func TestAnswersAreForTheirCallerAlone(t *testing.T) {
	t.Parallel()
	b := apitest.New(t)
	for _, w := range []*httptest.ResponseRecorder{
		b.Send(http.MethodGet, "/v1/orders/abc", "", "Authorization", "apikey "+b.Key),
		b.Send(http.MethodGet, "/v1/orders/today", ""), b.Call(b.Key), b.Send(http.MethodGet, "/nothing", ""),
		apitest.Serve(b.Server.Edge.AroundCallers(func(w http.ResponseWriter, _ *http.Request) error {
			_, err := w.Write([]byte("{}"))
			return err
		}), http.MethodGet, "/x", "", "Authorization", "apikey "+b.Key),
	} {
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"), w.Code)
		require.Equal(t, "no-store", w.Header().Get("Cache-Control"), w.Code)
	}
	docs := b.Send(http.MethodGet, "/docs", "")
	require.Equal(t, "no-cache", docs.Header().Get("Cache-Control"))
	require.Contains(t, docs.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'")
}

func TestOperatorEndpointsListenSeparately(t *testing.T) {
	t.Parallel()
	for private, status := range map[bool]int{true: http.StatusNotFound, false: http.StatusOK} {
		b := apitest.New(t, func(c *api.Config, _ *api.Dependencies) { c.HasPrivateProbes = private })
		routes := b.Server.Routes()
		for _, target := range []string{"/metrics", "/readyz"} {
			require.Equal(t, status, apitest.Serve(routes, http.MethodGet, target, "").Code, target)
		}
		require.Equal(t, http.StatusOK, apitest.Serve(routes, http.MethodGet, "/healthz", "").Code)
	}
}

// TestIPv6NetworkSharesALimit fails from networks of one /48 in turns.
func TestIPv6NetworkSharesALimit(t *testing.T) {
	t.Parallel()
	b := apitest.New(t, func(c *api.Config, _ *api.Dependencies) {
		c.RateLimit, c.RateBurst, c.TrustedProxies = 1_000, 1_000, []string{"192.0.2.0/24"}
	})
	from := func(address string) int {
		return b.Send(http.MethodPost, apitest.ForPeople, "{}", "Authorization", "apikey "+unknownKey(t).Reveal(),
			"X-Forwarded-For", address).Code
	}
	for i := range 600 {
		require.Equal(t, http.StatusUnauthorized, from(fmt.Sprintf("2001:db8:1:%x::1", i/40)))
	}
	require.Equal(t, http.StatusTooManyRequests, from("2001:db8:1:ffff::1"))
	require.Equal(t, http.StatusUnauthorized, from("2001:db8:2::1"))
}
