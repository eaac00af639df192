package api_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api"
)

func TestService(t *testing.T) {
	t.Parallel()
	checks := func(temporal error) func(*api.Config, *api.Dependencies) {
		return func(_ *api.Config, d *api.Dependencies) {
			d.Checks = []api.Check{
				{Name: "postgres", Run: func(context.Context) error { return nil }},
				{Name: "temporal", Run: func(context.Context) error { return temporal }},
			}
		}
	}

	t.Run("IsAliveWhateverItNeeds", func(t *testing.T) {
		t.Parallel()
		w := setup(t, checks(errors.New("down"))).send(http.MethodGet, "/healthz", "")
		require.Equal(t, http.StatusOK, w.Code)
		require.JSONEq(t, `{"status":"ok"}`, w.Body.String())
	})

	t.Run("IsReadyWhenEveryCheckIs", func(t *testing.T) {
		t.Parallel()
		w := setup(t, checks(nil)).send(http.MethodGet, "/readyz", "")
		require.Equal(t, http.StatusOK, w.Code)
		require.JSONEq(t, `{"status":"ok","checks":{"postgres":"ok","temporal":"ok"}}`, w.Body.String())
	})

	t.Run("IsNotReadyWhenOneCheckIsNot", func(t *testing.T) {
		t.Parallel()
		b := setup(t, checks(errors.New("dial tcp 10.0.0.7: refused")))
		w := b.send(http.MethodGet, "/readyz", "")
		require.Equal(t, http.StatusServiceUnavailable, w.Code)
		require.JSONEq(t, `{"status":"unavailable","checks":{"postgres":"ok","temporal":"unavailable"}}`, w.Body.String())
		require.Equal(t, "temporal", b.logs.records(t, "not ready")[0]["check"])
	})

	t.Run("ChecksRunAtTheSameTimeAndUnderADeadline", func(t *testing.T) {
		t.Parallel()
		met := make(chan struct{})
		b := setup(t, func(_ *api.Config, d *api.Dependencies) {
			d.Checks = []api.Check{
				{Name: "postgres", Run: func(ctx context.Context) error {
					_, limited := ctx.Deadline()
					require.True(t, limited)
					<-met
					return nil
				}},
				{Name: "temporal", Run: func(context.Context) error { close(met); return nil }},
			}
		})
		require.Equal(t, http.StatusOK, b.send(http.MethodGet, "/readyz", "").Code)
	})

	t.Run("ShowsItsContract", func(t *testing.T) {
		t.Parallel()
		w := setup(t).send(http.MethodGet, "/openapi.yaml", "")
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, "application/yaml", w.Header().Get("Content-Type"))
		require.Equal(t, api.Contract(), w.Body.Bytes())
	})

	t.Run("ShowsItsContractAsAPageWithAllItNeeds", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for target, want := range map[string]string{
			"/docs":                     "text/html; charset=utf-8",
			"/docs/":                    "text/html; charset=utf-8",
			"/docs/docs.css":            "text/css; charset=utf-8",
			"/docs/docs.js":             "text/javascript; charset=utf-8",
			"/docs/redoc.standalone.js": "text/javascript; charset=utf-8",
			"/docs/redoc.LICENSE.txt":   "text/plain; charset=utf-8",
		} {
			w := serve(b.server.Routes(), http.MethodGet, target, "")
			require.Equal(t, http.StatusOK, w.Code, target)
			require.Equal(t, want, w.Header().Get("Content-Type"), target)
			require.NotEmpty(t, w.Body.Bytes(), target)
			again := serve(b.server.Routes(), http.MethodGet, target, "", "If-None-Match", w.Header().Get("ETag"))
			require.Equal(t, http.StatusNotModified, again.Code, target)
		}
		for _, target := range []string{"/docs/nothing.js", "/docs/..%2fserver.go", "/docs/openapi.yaml"} {
			require.Equal(t, http.StatusNotFound, b.send(http.MethodGet, target, "").Code, target)
		}
	})

	t.Run("AnswersHEADLikeGET", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.Equal(t, http.StatusOK, b.send(http.MethodHead, "/healthz", "").Code)
		require.Equal(t, http.StatusUnauthorized, b.send(http.MethodHead, "/v1/orders/today", "").Code)
		require.Equal(t, http.StatusBadRequest,
			b.send(http.MethodHead, "/v1/orders/abc", "", "Authorization", "apikey "+b.key).Code)
	})
}

func TestMetrics(t *testing.T) {
	t.Parallel()

	t.Run("CountByRouteMethodAndStatus", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.call(b.key)
		b.send(http.MethodGet, "/v1/orders/123", "")
		b.send(http.MethodGet, "/v1/orders/456", "")
		b.send(http.MethodGet, "/made/up/1", "")
		b.send("BREW", "/made/up/2", "")
		text := b.send(http.MethodGet, "/metrics", "").Body.String()
		for _, line := range []string{
			`waybill_http_requests_total{method="POST",route="/v1/customers",status="403"} 1`,
			`waybill_http_requests_total{method="GET",route="/v1/orders/{orderId}",status="401"} 2`,
			`waybill_http_requests_total{method="GET",route="unmatched",status="404"} 1`,
			`waybill_http_requests_total{method="other",route="unmatched",status="405"} 1`,
			`waybill_http_request_duration_seconds_count{method="GET",route="/v1/orders/{orderId}"} 2`,
			`waybill_http_requests_in_flight 1`,
			`waybill_build_info{version="test"} 1`,
		} {
			require.Contains(t, text, line)
		}
		require.NotContains(t, text, "made/up")
	})

	t.Run("MeasureHowLongAnswersTake", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		h := b.server.Around(func(http.ResponseWriter, *http.Request) error { b.clock.forward(3 * time.Second); return nil })
		serve(h, http.MethodGet, "/x", "")
		require.Contains(t, b.send(http.MethodGet, "/metrics", "").Body.String(),
			`waybill_http_request_duration_seconds_sum{method="GET",route="/{any}"} 3`)
	})
}
