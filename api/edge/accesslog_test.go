package edge_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"waybill/api"
	"waybill/api/apitest"
)

func TestAccessLog(t *testing.T) {
	t.Parallel()

	t.Run("NamesTheCallerAndTheRouteButNoPathAndNoQuery", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		b.Send(http.MethodGet, "/v1/orders/abc?customer=Ola+Nordmann", "",
			"Authorization", "apikey "+b.Key, "X-Request-ID", "r-1")
		records := b.Logs.Records(t, "request answered")
		require.Len(t, records, 1)
		delete(records[0], "time")
		require.Equal(t, map[string]any{
			"level": "INFO", "msg": "request answered", "request_id": "r-1", "method": "GET",
			"route": "/v1/orders/{orderId}", "status": 400.0, "duration_ms": 0.0,
			"bytes": records[0]["bytes"], "org_id": 7.0, "key_id": 1.0,
		}, records[0])
		require.Greater(t, records[0]["bytes"], 100.0)
		require.NotContains(t, b.Logs.Text(), "Nordmann")
	})

	t.Run("KeepsProbesThatSucceedForDebugging", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		for _, target := range []string{"/healthz", "/readyz", "/metrics"} {
			b.Send(http.MethodGet, target, "")
		}
		for _, record := range b.Logs.Records(t, "request answered") {
			require.Equal(t, "DEBUG", record["level"])
		}
	})
}

func TestTracing(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewSpanRecorder()
	b := apitest.New(t, func(_ *api.Config, d *api.Dependencies) {
		d.Tracing = sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	})
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	b.Send(http.MethodGet, "/healthz", "")
	b.Send(http.MethodDelete, "/v2/orders/tracking-link/WB-0123456789ABCDEFGHJKMNPQRS", "") // not traced: it has a code
	b.Send(http.MethodGet, "/v1/orders/abc", "",
		"Authorization", "apikey "+b.Key, "X-Request-ID", "r-1", "Traceparent", parent)

	t.Run("NamesSpansAfterRoutesAndJoinsTheCallersTrace", func(t *testing.T) {
		t.Parallel()
		require.Len(t, spans.Ended(), 1)
		span := spans.Ended()[0]
		require.Equal(t, "GET /v1/orders/{orderId}", span.Name())
		require.Equal(t, "4bf92f3577b34da6a3ce929d0e0e4736", span.SpanContext().TraceID().String())
		attributes := make(map[string]string)
		for _, a := range span.Attributes() {
			attributes[string(a.Key)] = a.Value.String()
		}
		require.Equal(t, "r-1", attributes["waybill.request_id"])
		require.Equal(t, "7", attributes["waybill.org_id"])
		require.Equal(t, "400", attributes["http.response.status_code"])
	})

	t.Run("IsNamedInTheLog", func(t *testing.T) {
		t.Parallel()
		for _, record := range b.Logs.Records(t, "request answered") {
			if record["request_id"] == "r-1" {
				require.Equal(t, "4bf92f3577b34da6a3ce929d0e0e4736", record["trace_id"])
			}
		}
	})
}
