package edge

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"waybill/domain/caller"
)

// logAccess writes one line per request: identifiers and the route's pattern,
// never a path or a query, which may contain personal data. Successful requests
// to the service's own routes are noise, so they are logged for debugging only.
func (e *Edge) logAccess(ctx context.Context, method, route string, x *exchange, took time.Duration) {
	level := slog.LevelInfo
	if e.operational[route] && x.statusCode() < http.StatusBadRequest {
		level = slog.LevelDebug
	}
	if !e.logger.Enabled(ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 11)
	attrs = append(attrs,
		slog.String("request_id", x.requestID),
		slog.String("method", method),
		slog.String("route", route),
		slog.Int("status", x.statusCode()),
		slog.Int64("bytes", x.written),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000),
	)
	if p := x.principal; p != nil {
		attrs = append(attrs, slog.Int64("org_id", p.OrgID), actorAttr(p))
	}
	if failed := x.statusCode(); failed == http.StatusUnauthorized || failed == http.StatusForbidden ||
		failed == http.StatusTooManyRequests {
		attrs = append(attrs, anonymousAttrs(ctx, x)...)
	}
	if x.traceID != "" {
		attrs = append(attrs, slog.String("trace_id", x.traceID))
	}
	e.logger.LogAttrs(ctx, level, "request answered", attrs...)
}

// anonymousAttrs describe a refused caller: its network, and the public part of
// its secret. No other log entry has an address.
func anonymousAttrs(ctx context.Context, x *exchange) []slog.Attr {
	attrs := []slog.Attr{slog.String("address", AddressOf(ctx))}
	if x.public != "" {
		attrs = append(attrs, slog.String("public_part", x.public))
	}
	return attrs
}

// actorAttr identifies the caller. Keys, which are most callers, need no
// formatting.
func actorAttr(p *Principal) slog.Attr {
	if p.Kind == caller.Key {
		return slog.Int64("key_id", p.ID)
	}
	return slog.String("actor", p.Actor())
}

// operationalRoutes are those used so often, or by so few, that successful
// requests are not logged.
func operationalRoutes() map[string]bool {
	return map[string]bool{
		"/healthz": true, "/readyz": true, "/metrics": true,
		"/": true, "/openapi.yaml": true, "/openapi-3.1.yaml": true, "/llms.txt": true, "/docs": true,
		"/docs/try": true, "/docs/search": true,
		"/docs/*": true,
	}
}
