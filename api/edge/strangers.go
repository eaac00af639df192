package edge

import (
	"context"
	"net/http"
	"net/netip"
)

const (
	// strangerRate is how many failures a second a network may have over time, and
	// strangerBurst how many at once: who has secrets that are wrong does not have
	// ever new ones looked up.
	strangerRate  = 1
	strangerBurst = 60
	// networksOfASite is for how many networks the /48 of an IPv6 address counts.
	networksOfASite = 10
)

// newStrangers makes the limit of failures; there is none where callers have none.
func newStrangers(config Config, d Dependencies) strangers {
	if config.RateLimit <= 0 {
		return strangers{}
	}
	return strangers{
		networks: NewLimiter[netip.Prefix]("failures", strangerRate, strangerBurst, d.Now),
		sites:    NewLimiter[netip.Prefix]("failures", networksOfASite*strangerRate, networksOfASite*strangerBurst, d.Now),
	}
}

// strangers counts failures by network, and those of IPv6 by site as well.
type strangers struct{ networks, sites *Limiter[netip.Prefix] }

// spent returns an error when the network of a request, or its site, has failed too
// often.
func (s strangers) spent(ctx context.Context) error {
	if err := s.networks.spent(NetworkOf(ctx)); err != nil {
		return err
	}
	if site, ok := SiteOf(ctx); ok {
		return s.sites.spent(site)
	}
	return nil
}

// note counts a failure.
func (s strangers) note(ctx context.Context) {
	if s.networks == nil {
		return
	}
	s.networks.take(NetworkOf(ctx))
	if site, ok := SiteOf(ctx); ok {
		s.sites.take(site)
	}
}

// AdmitStranger refuses a request from a network that has failed too often to say
// who it is, before anything is looked up.
func (e *Edge) AdmitStranger(r *http.Request) error { return e.strangers.spent(r.Context()) }

// NoteStranger notes that a request failed to say who it is.
func (e *Edge) NoteStranger(r *http.Request) { e.strangers.note(r.Context()) }

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
