package edge_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
)

func TestMetrics(t *testing.T) {
	t.Parallel()

	t.Run("CountByRouteMethodAndStatus", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		b.Call(b.Key)
		b.Send(http.MethodGet, "/v1/orders/123", "")
		b.Send(http.MethodGet, "/v1/orders/456", "")
		b.Send(http.MethodGet, "/made/up/1", "")
		b.Send("BREW", "/made/up/2", "")
		text := b.Send(http.MethodGet, "/metrics", "").Body.String()
		for _, line := range []string{
			`waybill_http_requests_total{method="POST",route="/v1/customers",status="403"} 1`,
			`waybill_http_requests_total{method="GET",route="/v1/orders/{orderId}",status="401"} 2`,
			`waybill_http_requests_total{method="GET",route="unmatched",status="404"} 1`,
			`waybill_http_requests_total{method="other",route="unmatched",status="405"} 1`,
			`waybill_http_request_duration_seconds_count{method="GET",route="/v1/orders/{orderId}"} 2`,
			`waybill_http_requests_in_flight 1`,
		} {
			require.Contains(t, text, line)
		}
		require.NotContains(t, text, "made/up")
	})

	t.Run("MeasureNoStreams", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		h := b.Server.Edge.Around(func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Content-Type", "text/event-stream")
			w.WriteHeader(http.StatusOK)
			b.Clock.Forward(time.Hour)
			return nil
		})
		apitest.Serve(h, http.MethodGet, "/x", "")
		text := b.Send(http.MethodGet, "/metrics", "").Body.String()
		require.Contains(t, text, `waybill_http_requests_total{method="GET",route="/{any}",status="200"} 1`)
		require.NotContains(t, text, `waybill_http_request_duration_seconds_count{method="GET",route="/{any}"}`)
	})

	t.Run("MeasureHowLongAnswersTake", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		h := b.Server.Edge.Around(func(http.ResponseWriter, *http.Request) error {
			b.Clock.Forward(3 * time.Second)
			return nil
		})
		apitest.Serve(h, http.MethodGet, "/x", "")
		require.Contains(t, b.Send(http.MethodGet, "/metrics", "").Body.String(),
			`waybill_http_request_duration_seconds_sum{method="GET",route="/{any}"} 3`)
	})
}
