package e2e_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
)

func TestService(t *testing.T) {
	t.Parallel()
	get := func(t *testing.T, path string, headers ...string) answer {
		t.Helper()
		return shared.anonymous(t, http.MethodGet, path, nil, headers...)
	}

	t.Run("IsAliveAndReady", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, http.StatusOK, get(t, "/healthz").status)
		ready := read[contract.Readiness](t, get(t, "/readyz"))
		require.Equal(t, map[string]contract.CheckResult{"running": "ok", "postgres": "ok", "schema": "ok", "temporal": "ok"}, ready.Checks)
	})

	t.Run("ServesTheContractThatItObeys", func(t *testing.T) {
		t.Parallel()
		for path, document := range map[string][]byte{
			"/openapi.yaml": contract.Published(), "/openapi-3.1.yaml": contract.Published31(),
		} {
			a := get(t, path)
			require.Equal(t, document, a.body)
			require.Contains(t, a.header.Get("Content-Type"), "yaml")
			again := get(t, path, "If-None-Match", a.header.Get("Etag"))
			require.Equal(t, http.StatusNotModified, again.status)
		}
	})

	t.Run("ShowsTheDocumentationWithoutOutsideDownloads", func(t *testing.T) {
		t.Parallel()
		page := get(t, "/docs")
		require.Equal(t, http.StatusOK, page.status)
		require.Contains(t, page.header.Get("Content-Type"), "text/html")
		references := regexp.MustCompile(`(?:src|href)="([^":#]+)"`).FindAllStringSubmatch(string(page.body), -1)
		require.NotEmpty(t, references)
		require.NotRegexp(t, `src="https?:`, string(page.body))
		for _, r := range references {
			require.Regexp(t, `^/[^/]|^/$`, r[1])
			part, err := httpClient.Do(shared.request(t, http.MethodGet, r[1], nil)) // the contract has only the start page
			require.NoError(t, err)
			require.NoError(t, part.Body.Close())
			require.Equal(t, http.StatusOK, part.StatusCode, r[1])
		}
		require.Equal(t, http.StatusNotFound, get(t, "/docs/nothing.js").status)
	})

	t.Run("CountsRequestsByRoute", func(t *testing.T) {
		t.Parallel()
		o := shared.organization(t)
		o.expect(t, http.StatusNotFound, http.MethodGet, "/v1/orders/4711/duration", nil)
		metrics := string(get(t, "/metrics").body)
		require.Regexp(t, `(?m)^waybill_http_requests_total\{method="GET",route="/v1/orders/\{orderId\}/duration",status="404"\} [1-9]`, metrics)
		require.NotRegexp(t, `="[^"]*4711`, metrics, "an id in a label") // the digits may be part of a number
		require.Contains(t, metrics, "waybill_build_info")
		require.Contains(t, metrics, "go_goroutines")
	})
}

// TestRate has a separate serve with the limit that others lack.
func TestRate(t *testing.T) {
	t.Parallel()
	i := install(t)
	require.NoError(t, i.start("serve", "WAYBILL_RATE_LIMIT=1", "WAYBILL_RATE_BURST=5",
		"WAYBILL_TRACKING_RATE_LIMIT=1", "WAYBILL_TRACKING_RATE_BURST=3", "WAYBILL_TRUSTED_PROXIES=127.0.0.0/8"))
	require.NoError(t, i.ready(t.Context()))
	one, other := i.organization(t), i.organization(t)
	var refused answer
	eventually(t, "the key has used up its burst", func() bool {
		refused = one.call(t, http.MethodGet, "/v1/orders/today", nil)
		require.NotEmpty(t, refused.header.Get("RateLimit"))
		require.Equal(t, `"key";q=5;w=5`, refused.header.Get("RateLimit-Policy"))
		return refused.status == http.StatusTooManyRequests
	})
	require.Equal(t, int32(8), apitest.Status(t, refused.body).Code)
	require.Equal(t, "1", refused.header.Get("Retry-After"))
	other.get(t, "/v1/orders/today")
	require.Equal(t, http.StatusOK, i.anonymous(t, http.MethodGet, "/healthz", nil).status)
	requireTrackingRate(t, i)
	eventually(t, "the key may call again", func() bool {
		return one.call(t, http.MethodGet, "/v1/orders/today", nil).status == http.StatusOK
	})
}

// requireTrackingRate checks that an address that guesses codes is rejected, in
// the requested form, and that others are not.
func requireTrackingRate(t *testing.T, i *installation) {
	t.Helper()
	ask := func(address, accept string) answer {
		return i.anonymous(t, http.MethodGet, "/t/GUESS", nil, "X-Forwarded-For", address, "Accept", accept, "Accept-Language", "nb")
	}
	eventually(t, "the address is over its rate", func() bool {
		return ask("2001:db8::1", "application/json").status == http.StatusTooManyRequests
	})
	eventually(t, "its neighbour is refused a page, too", func() bool {
		a := ask("2001:db8::2", "text/html")
		if a.status != http.StatusTooManyRequests {
			return false
		}
		require.NotEmpty(t, a.header.Get("Retry-After"))
		require.Equal(t, `"address";q=3;w=3`, a.header.Get("RateLimit-Policy"))
		require.Contains(t, string(a.body), `<html lang="nb">`)
		return true
	})
	require.Equal(t, http.StatusNotFound, ask("203.0.113.7", "application/json").status)
	require.Equal(t, http.StatusNotFound, ask("2001:db8:0:1::1", "text/html").status)
}

// TestReadiness takes the servers away, one after the other.
func TestReadiness(t *testing.T) {
	t.Parallel()
	i := install(t, "serve")
	o := i.organization(t)
	checks := func() (int, contract.Readiness) {
		a := i.anonymous(t, http.MethodGet, "/readyz", nil)
		return a.status, read[contract.Readiness](t, a)
	}
	whole := func() bool { _, found := checks(); return found.Status == contract.ReadinessStatusOk }

	i.temporal.Kill()
	eventually(t, "the service says that Temporal is away", func() bool {
		status, found := checks()
		require.Equal(t, http.StatusOK, status, "nearly all requests need no Temporal")
		return found.Status == contract.ReadinessStatusDegraded && found.Checks["temporal"] == "unavailable"
	})
	require.Equal(t, http.StatusOK, i.anonymous(t, http.MethodGet, "/healthz", nil).status)
	o.get(t, "/v1/orders/today")
	before := o.rowCounts(t)
	refused := o.expect(t, http.StatusServiceUnavailable, http.MethodPost, "/v3/orders/import", orders(newOrder("AWAY")))
	require.Equal(t, int32(14), apitest.Status(t, refused.body).Code)
	require.NotContains(t, string(refused.body), "127.0.0.1")
	require.Equal(t, before, o.rowCounts(t), "what could not be started is taken back")
	require.NoError(t, i.temporal.Start(t.Context()))
	eventually(t, "the service is whole again", whole)
	require.NotNil(t, o.importOrders(t, orders(newOrder("BACK")))[0].OrderCreated)

	require.NoError(t, i.postgres.Stop())
	eventually(t, "the service says that Postgres is away", func() bool {
		status, found := checks()
		return status == http.StatusServiceUnavailable && found.Checks["postgres"] == "unavailable" && found.Checks["temporal"] == "ok"
	})
	refused = o.expect(t, http.StatusServiceUnavailable, http.MethodGet, "/v1/orders/today", nil)
	require.Equal(t, int32(14), apitest.Status(t, refused.body).Code)
	require.NotContains(t, string(refused.body), "127.0.0.1")
	require.NoError(t, i.postgres.Start(t.Context()))
	eventually(t, "the service is whole again", whole)
	o.get(t, "/v1/orders/internal/BACK")
}
