package client

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// Retries say how often and how long a request is tried again. The zero value is
// six tries with pauses of one second, two, four and so on, up to a minute.
type Retries struct {
	// Tries is how often a request is sent at most.
	Tries int
	// First and Longest bound the pauses. What an answer says in Retry-After counts
	// instead, however long it is.
	First, Longest time.Duration
	// Sleep waits; nil waits on the clock.
	Sleep func(ctx context.Context, d time.Duration) error
}

// headerIdempotencyKey makes the service do something once, however often it is
// sent.
const headerIdempotencyKey = "Idempotency-Key"

// WithRetries tries again what was refused for now (429, 503), and what got no
// answer or that of a fault of the service. Whatever is posted gets an
// Idempotency-Key unless it has one, so that nothing is done twice. Give
// WithHTTPClient, if any, before it.
func WithRetries(r Retries) ClientOption {
	return func(c *Client) error {
		if c.Client == nil {
			c.Client = &http.Client{}
		}
		c.Client = &retrying{next: c.Client, Retries: r.withDefaults()}
		return nil
	}
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
		r.Sleep = sleep
	}
	return r
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// retrying sends requests until they get an answer that lasts.
type retrying struct {
	next HttpRequestDoer
	Retries
}

// Do sends a request, again and again where that makes sense.
func (r *retrying) Do(request *http.Request) (*http.Response, error) {
	if request.Method == http.MethodPost && request.Header.Get(headerIdempotencyKey) == "" {
		request.Header.Set(headerIdempotencyKey, rand.Text())
	}
	pause := r.First
	for try := 1; ; try++ {
		answer, err := r.next.Do(request)
		if try == r.Tries || !again(request, answer, err) {
			return answer, err
		}
		wait := pause/2 + mathrand.N(pause/2+1) //nolint:gosec // pauses are no secrets
		if answer != nil {
			if asked, ok := retryAfter(answer); ok {
				wait = asked
			}
			_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection can be used again
			_ = answer.Body.Close()
		}
		if err := r.Sleep(request.Context(), wait); err != nil {
			return nil, err
		}
		if request.GetBody != nil {
			if request.Body, err = request.GetBody(); err != nil {
				return nil, err
			}
		}
		pause = min(2*pause, r.Longest)
	}
}

// again reports whether a request should be sent once more.
func again(request *http.Request, answer *http.Response, err error) bool {
	if request.Body != nil && request.Body != http.NoBody && request.GetBody == nil {
		return false // what was read cannot be sent again
	}
	if err != nil {
		return repeatable(request) && request.Context().Err() == nil && !errors.Is(err, context.Canceled)
	}
	if answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusServiceUnavailable {
		return true
	}
	return answer.StatusCode >= http.StatusInternalServerError && repeatable(request)
}

// repeatable reports whether a request that may have been carried out can be sent
// again without harm. What creates something takes an Idempotency-Key, and the rest
// of what is posted ends the same when it is said twice.
func repeatable(request *http.Request) bool {
	return request.Method != http.MethodPost || request.Header.Get(headerIdempotencyKey) != ""
}

// retryAfter reads for how many seconds an answer asks us to wait.
func retryAfter(answer *http.Response) (time.Duration, bool) {
	seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	return time.Duration(seconds) * time.Second, err == nil && seconds >= 0
}
