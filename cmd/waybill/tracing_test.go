package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/store/storetest"
)

func TestTracesAreSentBeforeTheEnd(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	var received atomic.Int64
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/v1/traces") {
			received.Add(1)
		}
	}))
	t.Cleanup(collector.Close)
	r := start(t, []string{
		"DATABASE_URL=" + db.AppURL, "TEMPORAL_ADDRESS=" + closedPort(t), "WAYBILL_HTTP_ADDR=127.0.0.1:0",
		"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL,
	}, "serve")
	r.get(t, "/v1/orders/today") // 401, but a request nevertheless
	r.stop(t)
	require.Positive(t, received.Load())
}
