package edge

import (
	"context"
	"net/http"

	"github.com/google/uuid"
)

const (
	headerRequestID = "X-Request-Id"
	maxRequestID    = 128
)

// RequestID returns the identifier of the context's request: the caller's own,
// or a generated one. It is empty outside a request.
func RequestID(ctx context.Context) string {
	if x := exchangeFrom(ctx); x != nil {
		return x.requestID
	}
	return ""
}

// requestIDOf returns the caller's identifier if it is usable, and a new one
// otherwise.
func requestIDOf(r *http.Request) string {
	if id := r.Header.Get(headerRequestID); usableRequestID(id) {
		return id
	}
	if id, err := uuid.NewV7(); err == nil {
		return id.String()
	}
	return uuid.NewString()
}

// usableRequestID permits only visible ASCII, because the identifier is used in
// headers, logs and traces.
func usableRequestID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return false
		}
	}
	return true
}
