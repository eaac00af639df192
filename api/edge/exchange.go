package edge

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"waybill/domain/caller"
)

// exchange is the state of one request and its response. It is also the
// response writer, so a request costs one allocation and one context value,
// however much is recorded.
type exchange struct {
	http.ResponseWriter
	server    *Edge
	requestID string
	traceID   string
	languages string // Accept-Language as sent
	principal *Principal
	public    string         // the public part of the claimed secret
	attempt   *caller.Repeat // of a request with an Idempotency-Key
	maxBody   int64          // how large the body may be
	body      *sharedBody    // may be nil
	leave     func()         // ends the turn of a heavy request; nil of the others
	started   time.Time
	status    int // 0 until the header is written
	written   int64
	broken    bool // writing to the connection failed
}

// Headers of all responses, and of those to callers: no sniffing of content types,
// and no shared caching. Handlers may override them.
var (
	notSniffed = []string{"nosniff"}
	notStored  = []string{"no-store"}
)

// StreamType is the media type of streams.
const StreamType = "text/event-stream"

type exchangeKey struct{}

// exchangeFrom returns the exchange of a request, nil outside of one.
func exchangeFrom(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// CreatedAt sets the response's Location header.
func CreatedAt(ctx context.Context, path string) {
	if x := exchangeFrom(ctx); x != nil {
		x.Header().Set("Location", path)
	}
}

// SayApp sets headers with the current release of an app, and whether the client must update.
func SayApp(ctx context.Context, release string, mustUpdate bool) {
	x := exchangeFrom(ctx)
	if x == nil || release == "" {
		return
	}
	x.Header().Set("Waybill-App-Release", release)
	if mustUpdate {
		x.Header().Set("Waybill-App-Update", "REQUIRED")
	}
}

// recordExchange begins the exchange of a request, and counts and logs it at its end.
func (e *Edge) recordExchange(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{
			ResponseWriter: w,
			server:         e,
			requestID:      requestIDOf(r),
			languages:      r.Header.Get("Accept-Language"),
			started:        e.now(),
		}
		w.Header()[headerRequestID] = []string{x.requestID}
		w.Header()["X-Content-Type-Options"] = notSniffed
		ctx := context.WithValue(r.Context(), exchangeKey{}, x)
		e.metrics.begin()
		defer e.recordEnd(ctx, r.Method, x)
		next.ServeHTTP(x, r.WithContext(ctx))
	})
}

// recordEnd runs while the route is still known.
func (e *Edge) recordEnd(ctx context.Context, method string, x *exchange) {
	route := routeOf(ctx)
	took := e.now().Sub(x.started)
	isStream := x.Header().Get("Content-Type") == StreamType
	e.metrics.end(method, route, x.statusCode(), took, isStream)
	if x.principal != nil && !isStream {
		e.metrics.byOrg.count(x.principal.OrgID, took)
	}
	e.logAccess(ctx, method, route, x, took)
}

// unmatched represents every path without a route, so that anonymous
// callers cannot flood the metrics.
const unmatched = "unmatched"

// routeOf returns the pattern of the route that a request took.
func routeOf(ctx context.Context) string {
	if c := chi.RouteContext(ctx); c != nil && len(c.RoutePatterns) > 0 {
		if pattern := c.RoutePattern(); pattern != "" {
			return pattern
		}
	}
	return unmatched
}

// statusCode returns the status of the response; a handler that writes nothing
// responds with 200.
func (x *exchange) statusCode() int {
	if x.status == 0 {
		return http.StatusOK
	}
	return x.status
}

// WriteHeader records the status and passes it on.
func (x *exchange) WriteHeader(status int) {
	if x.status == 0 && status >= http.StatusOK {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes and passes them on.
func (x *exchange) Write(b []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	n, err := x.ResponseWriter.Write(b)
	x.written += int64(n)
	x.broken = x.broken || err != nil
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }
