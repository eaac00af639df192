package edge

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
)

// recoverPanic answers 500 when a handler panics, so that one request's fault
// stays that request's. A handler that means to break off its answer does so
// undisturbed.
func (e *Edge) recoverPanic(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { //nolint:contextcheck // answer takes the request, which has it
			v := recover()
			if v == nil {
				return
			}
			if v == http.ErrAbortHandler { //nolint:errorlint // net/http compares it the same way
				panic(v)
			}
			e.logger.LogAttrs(r.Context(), slog.LevelError, "handler panicked",
				slog.String("request_id", RequestID(r.Context())),
				slog.String("route", routeOf(r.Context())),
				slog.String("panic", fmt.Sprint(v)),
				slog.String("stack", string(debug.Stack())),
			)
			e.answer(w, r, problemOf(errPanicked))
		}()
		next.ServeHTTP(w, r)
	})
}
