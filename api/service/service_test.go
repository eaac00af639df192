package service_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/contract"
	"waybill/api/service"
)

func TestService(t *testing.T) {
	t.Parallel()
	checks := func(temporal error) func(*api.Config, *api.Dependencies) {
		return func(_ *api.Config, d *api.Dependencies) {
			d.Checks = []service.Check{
				{Name: "postgres", Run: func(context.Context) error { return nil }},
				{Name: "temporal", Run: func(context.Context) error { return temporal }},
			}
		}
	}

	t.Run("IsAliveWhateverItNeeds", func(t *testing.T) {
		t.Parallel()
		w := apitest.New(t, checks(errors.New("down"))).Send(http.MethodGet, "/healthz", "")
		require.Equal(t, http.StatusOK, w.Code)
		require.JSONEq(t, `{"status":"ok"}`, w.Body.String())
	})

	t.Run("IsReadyWhenEveryCheckIs", func(t *testing.T) {
		t.Parallel()
		w := apitest.New(t, checks(nil)).Send(http.MethodGet, "/readyz", "")
		require.Equal(t, http.StatusOK, w.Code)
		require.JSONEq(t, `{"status":"ok","checks":{"postgres":"ok","temporal":"ok"}}`, w.Body.String())
	})

	t.Run("IsNotReadyWhenOneCheckIsNot", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t, checks(errors.New("dial tcp 10.0.0.7: refused")))
		w := b.Send(http.MethodGet, "/readyz", "")
		require.Equal(t, http.StatusServiceUnavailable, w.Code)
		require.JSONEq(t, `{"status":"unavailable","checks":{"postgres":"ok","temporal":"unavailable"}}`, w.Body.String())
		require.Equal(t, "temporal", b.Logs.Records(t, "not ready")[0]["check"])
	})

	t.Run("IsDegradedWhenItServesWithoutOne", func(t *testing.T) {
		t.Parallel()
		away := func(context.Context) error { return errors.New("away") }
		b := apitest.New(t, func(_ *api.Config, d *api.Dependencies) {
			d.Checks = []service.Check{
				{Name: "postgres", Run: func(context.Context) error { return nil }}, {Name: "temporal", Spared: true, Run: away},
			}
			d.Registry.MustRegister(service.NewDependencies(d.Checks))
		})
		w := b.Send(http.MethodGet, "/readyz", "")
		require.Equal(t, http.StatusOK, w.Code)
		require.JSONEq(t, `{"status":"degraded","checks":{"postgres":"ok","temporal":"unavailable"}}`, w.Body.String())
		require.Equal(t, "temporal", b.Logs.Records(t, "degraded")[0]["check"])
		metrics := b.Send(http.MethodGet, "/metrics", "").Body.String()
		require.Contains(t, metrics, `waybill_dependency_up{dependency="postgres"} 1`)
		require.Contains(t, metrics, `waybill_dependency_up{dependency="temporal"} 0`)

		b = apitest.New(t, func(_ *api.Config, d *api.Dependencies) {
			d.Checks = []service.Check{{Name: "temporal", Spared: true, Run: away}, {Name: "postgres", Run: away}}
		})
		w = b.Send(http.MethodGet, "/readyz", "")
		require.Equal(t, http.StatusServiceUnavailable, w.Code)
		require.Contains(t, w.Body.String(), `"status":"unavailable"`)
	})

	t.Run("ChecksRunAtTheSameTimeAndUnderADeadline", func(t *testing.T) {
		t.Parallel()
		met := make(chan struct{})
		b := apitest.New(t, func(_ *api.Config, d *api.Dependencies) {
			d.Checks = []service.Check{
				{Name: "postgres", Run: func(ctx context.Context) error {
					_, limited := ctx.Deadline()
					require.True(t, limited)
					<-met
					return nil
				}},
				{Name: "temporal", Run: func(context.Context) error { close(met); return nil }},
			}
		})
		require.Equal(t, http.StatusOK, b.Send(http.MethodGet, "/readyz", "").Code)
	})

	t.Run("ShowsItsContract", func(t *testing.T) {
		t.Parallel()
		w := apitest.New(t).Send(http.MethodGet, "/openapi.yaml", "")
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, "application/yaml", w.Header().Get("Content-Type"))
		require.Equal(t, contract.Document(), w.Body.Bytes())
	})

	t.Run("ShowsItsContractAsAPageWithAllItNeeds", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		for target, want := range map[string]string{
			"/docs":                     "text/html; charset=utf-8",
			"/docs/":                    "text/html; charset=utf-8",
			"/docs/docs.css":            "text/css; charset=utf-8",
			"/docs/docs.js":             "text/javascript; charset=utf-8",
			"/docs/redoc.standalone.js": "text/javascript; charset=utf-8",
			"/docs/redoc.LICENSE.txt":   "text/plain; charset=utf-8",
			"/docs/contract.yaml":       "application/yaml",
			"/docs/try":                 "text/html; charset=utf-8",
			"/docs/try.js":              "text/javascript; charset=utf-8",
			"/docs/swagger-ui.css":      "text/css; charset=utf-8",
		} {
			w := apitest.Serve(b.Server.Routes(), http.MethodGet, target, "")
			require.Equal(t, http.StatusOK, w.Code, target)
			require.Equal(t, want, w.Header().Get("Content-Type"), target)
			require.NotEmpty(t, w.Body.Bytes(), target)
			again := apitest.Serve(b.Server.Routes(), http.MethodGet, target, "", "If-None-Match", w.Header().Get("ETag"))
			require.Equal(t, http.StatusNotModified, again.Code, target)
		}
		for _, target := range []string{"/docs/nothing.js", "/docs/..%2fserver.go", "/docs/openapi.yaml", "/docs/try.html"} {
			require.Equal(t, http.StatusNotFound, b.Send(http.MethodGet, target, "").Code, target)
		}
	})

	t.Run("HandsOutACollectionForPostman", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		const file = "/docs/waybill.postman_collection.json"
		w := apitest.Serve(b.Server.Routes(), http.MethodGet, file, "")
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, "application/json", w.Header().Get("Content-Type"))
		collection, err := contract.Postman()
		require.NoError(t, err)
		require.Equal(t, collection, w.Body.Bytes())
	})

	t.Run("AnswersHEADLikeGET", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		require.Equal(t, http.StatusOK, b.Send(http.MethodHead, "/healthz", "").Code)
		require.Equal(t, http.StatusUnauthorized, b.Send(http.MethodHead, "/v1/orders/today", "").Code)
		require.Equal(t, http.StatusBadRequest,
			b.Send(http.MethodHead, "/v1/orders/abc", "", "Authorization", "apikey "+b.Key).Code)
	})
}
