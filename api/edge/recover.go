package edge

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
)

// recoverPanic responds with 500 when a handler panics, so that other requests
// are not affected. It lets handlers abort their responses.
func (e *Edge) recoverPanic(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { //nolint:contextcheck // the request is in the exchange
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
