package api

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"waybill/domain/fault"
)

// bounds limits how large a request's body may be and how long its answer may
// take.
func bounds(body int64, timeout time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), timeout)
			defer cancel()
			r = r.WithContext(ctx)
			if r.Body != nil && r.Body != http.NoBody {
				r.Body = http.MaxBytesReader(w, r.Body, body)
			}
			next.ServeHTTP(w, r)
		})
	}
}

// legible refuses addresses that cannot be text: Postgres takes neither NUL
// nor bytes that are no UTF-8, and a query that does not parse would lose its
// parameters in silence.
func (s *Server) legible(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !text(r.URL.Path) {
			s.fail(w, r, fault.Field("path", fault.Say("request.not_text")))
			return
		}
		if !legibleQuery(r.URL.RawQuery) {
			s.fail(w, r, fault.Field("query", fault.Say("request.not_text")))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func legibleQuery(raw string) bool {
	if !strings.ContainsAny(raw, "%;") {
		return text(raw)
	}
	if _, err := url.ParseQuery(raw); err != nil {
		return false
	}
	decoded, err := url.QueryUnescape(raw)
	return err == nil && text(decoded)
}

func text(s string) bool {
	return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0
}
