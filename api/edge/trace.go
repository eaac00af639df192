package edge

import (
	"net/http"
	"strings"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// tracing creates a span of each request, named after its route. Without a
// provider it costs nothing.
func (e *Edge) tracing(provider trace.TracerProvider) func(http.Handler) http.Handler {
	if provider == nil {
		return func(next http.Handler) http.Handler { return next }
	}
	span := otelhttp.NewMiddleware("http",
		otelhttp.WithTracerProvider(provider),
		otelhttp.WithMeterProvider(metricnoop.NewMeterProvider()), // Prometheus counts already
		otelhttp.WithPropagators(propagation.NewCompositeTextMapPropagator(
			propagation.TraceContext{}, propagation.Baggage{})),
		otelhttp.WithSpanNameFormatter(spanName),
		otelhttp.WithFilter(func(r *http.Request) bool {
			// A span contains the path, and the path of a tracking link gives
			// access.
			return !e.operational[r.URL.Path] && !strings.HasPrefix(r.URL.Path, TrackingPath) &&
				!strings.HasPrefix(r.URL.Path, trackingLinks)
		}),
	)
	return func(next http.Handler) http.Handler { return span(noteTrace(next)) }
}

// spanName is only the method until the route is known.
func spanName(_ string, r *http.Request) string {
	if r.Pattern == "" {
		return r.Method
	}
	return r.Method + " " + r.Pattern
}

// noteTrace links the span and the request's identifier, and names the caller's
// organization.
func noteTrace(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		span, x := trace.SpanFromContext(r.Context()), exchangeFrom(r.Context())
		if x != nil && span.SpanContext().IsValid() {
			x.traceID = span.SpanContext().TraceID().String()
			span.SetAttributes(attribute.String("waybill.request_id", x.requestID))
		}
		next.ServeHTTP(w, r)
		if x != nil && x.principal != nil {
			span.SetAttributes(attribute.Int64("waybill.org_id", x.principal.OrgID))
		}
	})
}

// trackingLinks is where links are taken back by their codes.
const trackingLinks = "/v2/orders/tracking-link/"

// TrackingPath is where the public pages are; the code of a link follows.
const TrackingPath = "/t/"

// TrackingPages is the address of the public pages of a service.
func TrackingPages(publicURL string) string { return strings.TrimSuffix(publicURL, "/") + TrackingPath }
