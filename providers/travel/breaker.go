package travel

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// patience is how many questions in a row may fail before a server rests.
	patience = 3
	// rest is the pause that follows.
	rest = 30 * time.Second
)

// errResting is returned while a server is paused.
var errResting = &Fault{Text: "the server failed several times and is left alone for a while"}

// breaker saves callers the timeouts of a server that is down. After the
// pause one more failure is enough to pause again.
type breaker struct {
	now func() time.Time

	mu       sync.Mutex
	failures int
	until    time.Time
}

// closed reports whether the server may be called.
func (b *breaker) closed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.now().Before(b.until)
}

// heed records the result of a request. A fault of the request does not count
// against the server, and neither does a canceled call.
func (b *breaker) heed(ctx context.Context, err error) {
	var fault *Fault
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case err == nil, errors.As(err, &fault) && fault.Asked:
		b.failures = 0
	case ctx.Err() != nil:
	default:
		if b.failures++; b.failures >= patience {
			b.until = b.now().Add(rest)
		}
	}
}
