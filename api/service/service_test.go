package service_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
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

	t.Run("AnswersHEADLikeGET", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		require.Equal(t, http.StatusOK, b.Send(http.MethodHead, "/healthz", "").Code)
		require.Equal(t, http.StatusUnauthorized, b.Send(http.MethodHead, "/v1/orders/today", "").Code)
		require.Equal(t, http.StatusBadRequest,
			b.Send(http.MethodHead, "/v1/orders/abc", "", "Authorization", "apikey "+b.Key).Code)
	})
}
