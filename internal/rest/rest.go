// Package rest leaves a server alone that fails.
package rest

import (
	"sync"
	"time"
)

// Patience is how many requests in a row may fail before a server rests.
const Patience = 3

// Breaker saves callers the timeouts of a server that is down: after three failures in a row
// the server rests. After the pause one more failure is enough to pause again. It is safe for
// concurrent use.
type Breaker struct {
	now   func() time.Time
	pause time.Duration

	mu       sync.Mutex
	failures int
	until    time.Time
}

// New returns a breaker with a clock and the length of a pause.
func New(now func() time.Time, pause time.Duration) *Breaker { return &Breaker{now: now, pause: pause} }

// Left returns what is left of the pause, 0 if the server may be called.
func (b *Breaker) Left() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(b.until.Sub(b.now()), 0)
}

// Succeeded records that the server answered.
func (b *Breaker) Succeeded() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures = 0
}

// Failed records that it did not. It rests for at least the given time.
func (b *Breaker) Failed(atLeast time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures++
	wait := atLeast
	if b.failures >= Patience {
		wait = max(wait, b.pause)
	}
	if until := b.now().Add(wait); until.After(b.until) {
		b.until = until
	}
}
