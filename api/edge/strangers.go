package edge

import (
	"net/http"
	"net/netip"
)

const (
	// strangerRate is how many failures a second a network may have over time, and
	// strangerBurst how many at once: who has secrets that are wrong does not have
	// ever new ones looked up.
	strangerRate  = 1
	strangerBurst = 60
)

// newStrangers makes the limit of failures; there is none where callers have none.
func newStrangers(config Config, d Dependencies) *Limiter[netip.Prefix] {
	if config.RateLimit <= 0 {
		return nil
	}
	return NewLimiter[netip.Prefix]("failures", strangerRate, strangerBurst, d.Now)
}

// AdmitStranger refuses a request from a network that has failed too often to say
// who it is, before anything is looked up.
func (e *Edge) AdmitStranger(r *http.Request) error { return e.strangers.spent(NetworkOf(r.Context())) }

// NoteStranger notes that a request failed to say who it is.
func (e *Edge) NoteStranger(r *http.Request) {
	if e.strangers != nil {
		e.strangers.take(NetworkOf(r.Context()))
	}
}

// spent returns an error when a caller has no token left; it takes none.
func (l *Limiter[K]) spent(ref K) error {
	if l == nil {
		return nil
	}
	now := l.now()
	tokens := l.bucket(ref, now).TokensAt(now)
	if tokens >= 1 {
		return nil
	}
	return &limited{wait: max(1, l.seconds(1-tokens))}
}
