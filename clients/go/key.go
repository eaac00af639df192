package client

import (
	"context"
	"net/http"
)

// WithKey sends an API key with every request.
func WithKey(key string) ClientOption {
	return WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "apikey "+key)
		return nil
	})
}
