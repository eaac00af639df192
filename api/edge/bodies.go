package edge

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"waybill/domain/fault"
)

const (
	// leastRate is how many bytes of a body must arrive per second, averaged over
	// bodyPatience: a phone with a bad connection is faster, but a client that
	// deliberately occupies memory is not.
	leastRate = 8 << 10
	// bodyPatience is how long a body may keep the server waiting until it has
	// reached a size.
	bodyPatience = 10 * time.Second
)

// Bounds limits the size of a request's body, how slowly it may arrive, and the
// duration of its response.
func (e *Edge) Bounds(body int64, timeout time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), timeout)
			defer cancel()
			r = r.WithContext(ctx)
			if r.Body != nil && r.Body != http.NoBody {
				exchangeFrom(ctx).maxBody = body
				r.Body = newBody(ctx, w, r.Body, body, e.config.BodyPatience)
			}
			next.ServeHTTP(w, r)
		})
	}
}

// body is the incoming body of a request. Only the time spent waiting for the
// client counts as slow.
type body struct {
	io.ReadCloser
	connection *http.ResponseController
	patience   time.Duration
	end        time.Time // of the request, regardless of progress
	waited     time.Duration
	came       int64 // since waited was last zero
}

func newBody(ctx context.Context, w http.ResponseWriter, from io.ReadCloser, size int64, patience time.Duration) *body {
	b := &body{
		ReadCloser: http.MaxBytesReader(w, from, size), connection: http.NewResponseController(w), patience: patience,
	}
	b.end, _ = ctx.Deadline()
	b.expect() // also for unread bodies: the server drains them to keep the connection
	return b
}

// Read reads the body, and marks errors as the body's fault.
func (b *body) Read(p []byte) (int, error) {
	began := time.Now()
	b.expect()
	n, err := b.ReadCloser.Read(p)
	b.waited += time.Since(began)
	b.came += int64(n)
	if b.came >= int64(leastRate*b.patience.Seconds()) {
		b.waited, b.came = 0, 0
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, io.EOF):
		_ = b.connection.SetReadDeadline(time.Time{}) // after a complete body the deadline is lifted
	case err != nil && !errors.As(err, &tooLarge):
		err = &brokenBody{err}
	}
	return n, err
}

// expect sets the deadline for the next bytes. It ignores connections without
// deadlines.
func (b *body) expect() {
	until := time.Now().Add(b.patience - b.waited)
	if b.end.Before(until) {
		until = b.end
	}
	_ = b.connection.SetReadDeadline(until)
}

// brokenBody is the error of a body that cannot be read to its end, because of
// how it was sent.
type brokenBody struct{ cause error }

// Error describes the cause.
func (e *brokenBody) Error() string { return "read the body: " + e.cause.Error() }

// Unwrap returns the cause.
func (e *brokenBody) Unwrap() error { return e.cause }

// fault returns the fault for the body.
func (e *brokenBody) fault() error {
	text := fault.Say("request.unreadable")
	switch {
	case errors.Is(e.cause, os.ErrDeadlineExceeded):
		text = fault.Say("request.too_slow")
	case errors.Is(e.cause, io.ErrUnexpectedEOF):
		text = fault.Say("request.truncated")
	}
	f := fault.Field("", text)
	f.Cause = e
	return f
}
