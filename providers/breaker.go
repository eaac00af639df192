package providers

import (
	"context"
	"sync"
	"time"

	"waybill/domain/notification"
)

// How servers that fail are spared.
const (
	breakerPatience = 3                // failures in a row until a server rests
	breakerRest     = 30 * time.Second // how long it rests
	breakerProbe    = 10 * time.Second // how long others wait for the first one's result
	breakerMost     = 15 * time.Minute // the longest pause that a server may request
)

// breakers keep a thousand messages from calling an unavailable server one
// after the other: after some failures it gets a pause, and then one message
// tries before the others.
type breakers struct {
	now func() time.Time

	mu sync.Mutex
	by map[string]*breaker
}

type breaker struct {
	failures int
	until    time.Time
	asked    bool // a probe is under way
}

func newBreakers() *breakers { return &breakers{now: time.Now, by: map[string]*breaker{}} }

// knock returns nil when a server may be used, and otherwise a fault with the time to
// retry. The caller reports the result with heed.
func (b *breakers) knock(server string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, now := b.by[server], b.now()
	switch {
	case s == nil:
		return nil
	case now.Before(s.until):
		return resting(s.until.Sub(now))
	case s.failures < breakerPatience:
		return nil
	case s.asked:
		return resting(breakerProbe)
	}
	s.asked = true
	return nil
}

// resting is the fault of a message that is not even tried.
func resting(wait time.Duration) error {
	return &Fault{Failure: notification.Unavailable, Passing: true, Resting: true, RetryAfter: wait}
}

// heed records whether a server could be reached. A canceled call does not count.
func (b *breakers) heed(ctx context.Context, server string, reached bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.by[server]
	switch {
	case reached:
		delete(b.by, server)
		return
	case ctx.Err() != nil:
		if s != nil {
			s.asked = false
		}
		return
	case s == nil:
		s = &breaker{}
		b.by[server] = s
	}
	s.asked = false
	if s.failures++; s.failures >= breakerPatience {
		s.until = b.now().Add(breakerRest)
	}
}

// rests returns the remaining pause of a server.
func (b *breakers) rests(server string) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s := b.by[server]; s != nil {
		return max(s.until.Sub(b.now()), 0)
	}
	return 0
}

// rest pauses calls to a server for as long as it asks.
func (b *breakers) rest(server string, wait time.Duration) {
	if wait <= 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.by[server]
	if s == nil {
		s = &breaker{}
		b.by[server] = s
	}
	if until := b.now().Add(min(wait, breakerMost)); until.After(s.until) {
		s.until = until
	}
}
