package waybill

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// Retries say how often the client sends a request and how long it waits in between. Zero
// values are six tries with pauses of one second, two, four and so on, up to a minute.
type Retries struct {
	// Tries is how often a request is sent at most.
	Tries int
	// First and Longest bound the pauses. Retry-After of a response counts instead.
	First, Longest time.Duration
	// Sleep waits; nil waits on the clock.
	Sleep func(ctx context.Context, pause time.Duration) error
}

func (r Retries) withDefaults() Retries {
	if r.Tries == 0 {
		r.Tries = 6
	}
	if r.First == 0 {
		r.First = time.Second
	}
	if r.Longest == 0 {
		r.Longest = time.Minute
	}
	if r.Sleep == nil {
		r.Sleep = wait
	}
	return r
}

// do sends a request until it succeeds, fails for good or has no tries left. It returns the
// error of the last try.
func (r *Retries) do(ctx context.Context, method string, send func(context.Context) error) error {
	pause := r.First
	for try := 1; ; try++ {
		err := send(ctx)
		if err == nil || try >= r.Tries || cancelled(ctx, err) || !again(method, err) {
			return err
		}
		wait := pause/2 + rand.N(pause/2+1) //nolint:gosec // pauses are no secrets
		var refused *Error
		if errors.As(err, &refused) {
			if asked, ok := refused.RetryAfter(); ok {
				wait = asked
			}
		}
		if r.Sleep(ctx, wait) != nil {
			return err
		}
		pause = min(2*pause, r.Longest)
	}
}

// again reports whether a request can succeed when it is sent once more. Every POST has an
// Idempotency-Key, and the other methods end the same when they are repeated.
func again(method string, err error) bool {
	var none *unanswered
	var refused *Error
	switch {
	case errors.As(err, &none):
		return true
	case !errors.As(err, &refused):
		return false
	case refused.Status == http.StatusConflict:
		_, asked := refused.RetryAfter() // it lost a race
		return asked
	case refused.cause != nil: // it was carried out
		return method == http.MethodGet
	}
	return refused.Status == http.StatusTooManyRequests || refused.Status >= http.StatusInternalServerError
}
