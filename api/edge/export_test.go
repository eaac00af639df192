package edge

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/go-chi/chi/v5"

	"waybill/api/contract"
)

// Around serves one handler within all that surrounds the service's own, at any
// path of one segment and without authentication.
func (e *Edge) Around(f func(http.ResponseWriter, *http.Request) error) http.Handler {
	r := chi.NewRouter()
	r.Use(e.Middlewares()...)
	r.With(e.UsualBounds()).HandleFunc("/{any}", e.Handle(f))
	return r
}

// AroundCallers is Around for callers with a key.
func (e *Edge) AroundCallers(f func(http.ResponseWriter, *http.Request) error) http.Handler {
	r := chi.NewRouter()
	r.Use(e.Middlewares()...)
	r.With(e.UsualBounds(), e.authenticate, e.limitRate, e.ShareBodies).
		HandleFunc("/{any}", e.Handle(f))
	return r
}

// AroundImports is AroundCallers for bodies that may be compressed.
func (e *Edge) AroundImports(f func(http.ResponseWriter, *http.Request) error) http.Handler {
	r := chi.NewRouter()
	r.Use(e.Middlewares()...)
	r.With(e.UsualBounds(), e.authenticate, e.limitRate, e.decompress, e.ShareBodies).
		HandleFunc("/{any}", e.Handle(f))
	return r
}

// KnownKeys returns how many keys are remembered.
func (e *Edge) KnownKeys() int {
	e.keys.mu.Lock()
	defer e.keys.mu.Unlock()
	return len(e.keys.known)
}

// Buckets returns how many keys' rates are remembered.
func (e *Edge) Buckets() int {
	e.keyLimiter.mu.Lock()
	defer e.keyLimiter.mu.Unlock()
	return len(e.keyLimiter.buckets)
}

// MaxKnown is how many keys are remembered.
const MaxKnown = maxKnownKeys

// Final reports whether a response with a status is repeated to a client that
// repeats the request.
func Final(status int) bool { return FinalWith(status, http.Header{}) }

// FinalWith is Final of an answer with headers.
func FinalWith(status int, header http.Header) bool {
	w := httptest.NewRecorder()
	maps.Copy(w.Header(), header)
	return (&heldAnswer{ResponseWriter: w, status: status}).final()
}

// RetryBusyKey is the number of seconds after which to retry with a busy key.
func RetryBusyKey(err error, claimFor time.Duration) int { return retryBusyKey(err, claimFor) }

// AroundOperations serves handlers of GET at patterns of the contract, within
// everything around operations with a key except authorization.
func (e *Edge) AroundOperations(handlers map[string]func(http.ResponseWriter, *http.Request) error) http.Handler {
	r := chi.NewRouter()
	r.Use(e.Middlewares()...)
	guarded := r.With(e.UsualBounds(), e.Compress, e.authenticate, e.limitRate, e.takeTurns, e.ShareBodies, e.Tag)
	for pattern, f := range handlers {
		guarded.Get(pattern, e.Handle(f))
	}
	return r
}

// AroundAuthorized is AroundOperations with authorization.
func (e *Edge) AroundAuthorized(handlers map[string]func(http.ResponseWriter, *http.Request) error) http.Handler {
	r := chi.NewRouter()
	r.Use(e.Middlewares()...)
	for pattern, f := range handlers {
		r.With(e.ForCallers()...).Get(pattern, e.Handle(f))
	}
	return r
}

// Operation returns an operation of the contract.
func (e *Edge) Operation(route contract.Route) *contract.Operation { return e.operations[route] }

// Declare replaces an operation of the contract in this edge.
func (e *Edge) Declare(op *contract.Operation) {
	e.operations = maps.Clone(e.operations)
	e.operations[op.Route] = op
}
