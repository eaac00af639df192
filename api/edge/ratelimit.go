package edge

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"waybill/domain/caller"
)

// Header names in Go's canonical form, to be set without a conversion.
const (
	headerRateLimit       = "Ratelimit"
	headerRateLimitPolicy = "Ratelimit-Policy"
)

// Limiter returns each caller, an API key or an address, a bucket of tokens:
// burst of them at most, refilled at a steady rate.
type Limiter[K comparable] struct {
	name   string // of the policy
	limit  rate.Limit
	burst  int
	now    func() time.Time
	policy []string // the header, the same for all

	mu      sync.Mutex
	buckets map[K]*rate.Limiter
	sweepAt time.Time
}

// NewLimiter returns a limiter of requests per second, or nil, which admits
// everything, if there is no limit.
func NewLimiter[K comparable](name string, perSecond float64, burst int, now func() time.Time) *Limiter[K] {
	if perSecond <= 0 {
		return nil
	}
	burst = max(burst, int(math.Ceil(perSecond)), 1)
	l := &Limiter[K]{name: name, limit: rate.Limit(perSecond), burst: burst, now: now, buckets: make(map[K]*rate.Limiter)}
	l.policy = []string{fmt.Sprintf(`"%s";q=%d;w=%d`, name, burst, l.seconds(float64(burst)))}
	return l
}

// allowance is the rest of a caller's limit.
type allowance struct {
	name      string
	ok        bool
	remaining int
	full      int // seconds until everything is available again
	wait      int // seconds until the next request will do
}

// take uses one token of a caller, if available.
func (l *Limiter[K]) take(ref K) allowance {
	now := l.now()
	bucket := l.bucket(ref, now)
	ok := bucket.AllowN(now, 1)
	tokens := bucket.TokensAt(now)
	a := allowance{name: l.name, ok: ok, remaining: max(0, int(tokens)), full: l.seconds(float64(l.burst) - tokens)}
	if !ok {
		a.wait = max(1, l.seconds(1-tokens))
	}
	return a
}

func (l *Limiter[K]) bucket(ref K, now time.Time) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep(now)
	b, ok := l.buckets[ref]
	if !ok {
		b = rate.NewLimiter(l.limit, l.burst)
		l.buckets[ref] = b
	}
	return b
}

// sweep drops the full buckets now and then: a new one is just as full.
func (l *Limiter[K]) sweep(now time.Time) {
	if now.Before(l.sweepAt) {
		return
	}
	l.sweepAt = now.Add(time.Minute)
	for ref, b := range l.buckets {
		if b.TokensAt(now) >= float64(l.burst) {
			delete(l.buckets, ref)
		}
	}
}

// seconds is how long n tokens take, in whole seconds.
func (l *Limiter[K]) seconds(tokens float64) int {
	return max(0, int(math.Ceil(tokens/float64(l.limit))))
}

// limitRate refuses a caller above its rate, and sets the headers about the
// remaining requests (draft-ietf-httpapi-ratelimit-headers).
func (e *Edge) limitRate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := exchangeFrom(r.Context()).principal
		limiter := e.limiter
		if p.Kind == caller.Key {
			limiter = e.keyLimiter
		}
		if err := limiter.Admit(w, p.actor()); err != nil {
			e.Fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Admit takes a token from a caller's bucket and sets the headers about the
// remaining ones. Without a token it returns an error. A nil limiter admits
// everything.
func (l *Limiter[K]) Admit(w http.ResponseWriter, ref K) error {
	if l == nil {
		return nil
	}
	a := l.take(ref)
	h := w.Header()
	h[headerRateLimitPolicy] = l.policy
	h[headerRateLimit] = []string{a.String()}
	if !a.ok {
		return &limited{wait: a.wait}
	}
	return nil
}

// String returns the header's structured field.
func (a allowance) String() string {
	var buf [48]byte
	b := append(append(append(buf[:0], '"'), a.name...), `";r=`...)
	b = strconv.AppendInt(b, int64(a.remaining), 10)
	b = append(b, ";t="...)
	return string(strconv.AppendInt(b, int64(a.full), 10))
}

// limited is the error of a caller over its rate.
type limited struct {
	wait int // seconds
}

// Error returns the time to wait.
func (e *limited) Error() string {
	return fmt.Sprintf("rate limit exceeded, retry in %d s", e.wait)
}
