package api

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

// Around serves one handler within all that surrounds the service's own, at any
// path of one segment and without authentication.
func (s *Server) Around(f func(http.ResponseWriter, *http.Request) error) http.Handler {
	r := chi.NewRouter()
	r.Use(s.edge()...)
	r.With(bounds(s.config.MaxBody, s.config.RequestTimeout)).HandleFunc("/{any}", s.handle(f))
	return r
}

// AroundCallers is Around for callers with a key.
func (s *Server) AroundCallers(f func(http.ResponseWriter, *http.Request) error) http.Handler {
	r := chi.NewRouter()
	r.Use(s.edge()...)
	r.With(bounds(s.config.MaxBody, s.config.RequestTimeout), s.authenticate, s.limitRate).
		HandleFunc("/{any}", s.handle(f))
	return r
}

// ForPerson serves the contract's operations to a person, for whose token there
// is no authentication yet.
func (s *Server) ForPerson(p Principal) http.Handler {
	r := chi.NewRouter()
	r.Use(s.edge()...)
	r.Group(func(r chi.Router) {
		r.Use(bounds(s.config.MaxBody, s.config.RequestTimeout), func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				exchangeFrom(r.Context()).principal = &p
				next.ServeHTTP(w, r)
			})
		}, s.limitRate)
		s.contractRoutes(r)
	})
	return r
}

// KnownKeys tells how many keys are remembered.
func (s *Server) KnownKeys() int {
	s.keys.mu.Lock()
	defer s.keys.mu.Unlock()
	return len(s.keys.known)
}

// Buckets tells how many keys' rates are remembered.
func (s *Server) Buckets() int {
	s.limiter.mu.Lock()
	defer s.limiter.mu.Unlock()
	return len(s.limiter.buckets)
}

// FailDecoding answers an error of decoding a body.
func (s *Server) FailDecoding(w http.ResponseWriter, r *http.Request, err error) {
	s.failDecoding(w, r, err)
}

// For tests of what handlers use.
var (
	StreamArray = streamArray
	MaxKnown    = maxKnownKeys
)

// Final tells whether an answer of a status is given again to who repeats the
// request.
func Final(status int) bool { return (&heldAnswer{status: status}).final() }
