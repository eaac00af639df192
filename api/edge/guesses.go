package edge

import (
	"context"
	"net/http"
	"net/netip"
)

const (
	// guessRate is how many failed authentications per second a network may have,
	// and guessBurst how many at once: guesses must not cause unlimited lookups.
	guessRate  = 1
	guessBurst = 60
	// networksPerSite is how many networks' allowance the /48 of an IPv6 address has.
	networksPerSite = 10
)

// newGuesses returns the limit on failed authentications, or nil without a rate
// limit.
func newGuesses(config Config, d Dependencies) guesses {
	if config.RateLimit <= 0 {
		return guesses{}
	}
	return guesses{
		networks: NewLimiter[netip.Prefix]("failures", guessRate, guessBurst, d.Now),
		sites:    NewLimiter[netip.Prefix]("failures", networksPerSite*guessRate, networksPerSite*guessBurst, d.Now),
	}
}

// guesses counts failed authentications by network, and for IPv6 also by site.
type guesses struct{ networks, sites *Limiter[netip.Prefix] }

// spent returns an error when the network of a request, or its site, has reached its limit.
func (s guesses) spent(ctx context.Context) error {
	if err := s.networks.spent(NetworkOf(ctx)); err != nil {
		return err
	}
	if site, ok := SiteOf(ctx); ok {
		return s.sites.spent(site)
	}
	return nil
}

// note counts a failure.
func (s guesses) note(ctx context.Context) {
	if s.networks == nil {
		return
	}
	s.networks.take(NetworkOf(ctx))
	if site, ok := SiteOf(ctx); ok {
		s.sites.take(site)
	}
}

// AdmitAnonymous rejects an anonymous request from a network with too many
// failed authentications, before anything is looked up.
func (e *Edge) AdmitAnonymous(r *http.Request) error { return e.guesses.spent(r.Context()) }

// NoteFailedAuthentication counts a failed authentication.
func (e *Edge) NoteFailedAuthentication(r *http.Request) { e.guesses.note(r.Context()) }

// spent returns an error when a caller has no token left, without taking one.
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
