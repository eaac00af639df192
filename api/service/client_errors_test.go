package service_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/domain/caller"
)

func TestAFaultOfAnAppIsLoggedAndCounted(t *testing.T) {
	t.Parallel()
	var logged bytes.Buffer
	registry := prometheus.NewRegistry()
	o := apitest.NewOffice(t, func(_ *api.Config, d *api.Dependencies) {
		d.Registry, d.Logger = registry, slog.New(slog.NewJSONHandler(&logged, nil))
	})
	report := func(body string) int {
		return o.Send(http.MethodPost, "/v1/client-errors", body, "Authorization", o.AsRole(o.Org, caller.Dispatcher)).Code
	}
	long := strings.Repeat("ø", 4000)
	require.Equal(t, http.StatusNoContent, report(
		`{"app":"console","release":"of-before","route":"/day/[date]","message":"TypeError: x","stack":"`+long+`"}`))
	require.Contains(t, logged.String(),
		`"app":"console","release":"of-before","route":"/day/[date]","message":"TypeError: x"`)
	require.NotContains(t, logged.String(), long, "a stack is cut")
	require.Equal(t, http.StatusBadRequest, report(`{"app":"toaster","release":"1","route":"/","message":"x"}`))
	require.NoError(t, testutil.GatherAndCompare(registry, strings.NewReader(`
		# HELP waybill_client_errors_total Faults of the apps in browsers.
		# TYPE waybill_client_errors_total counter
		waybill_client_errors_total{app="console",release="current"} 0
		waybill_client_errors_total{app="console",release="earlier"} 1
		waybill_client_errors_total{app="driver",release="current"} 0
		waybill_client_errors_total{app="driver",release="earlier"} 0
	`), "waybill_client_errors_total"))
}
