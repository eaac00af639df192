package edge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"waybill/domain/fault"
)

const (
	// freeBody is the size up to which a body needs no reservation: such bodies
	// do not fill the memory, and never wait.
	freeBody = 64 << 10
	// bodyStep is the first reservation for a body of unknown length; each
	// further one doubles the total.
	bodyStep = 1 << 20
	// networksOfAShare is how many networks of anonymous callers fit into one share.
	networksOfAShare = 8
)

// payer is the owner of the share that a body uses: an organization, or all anonymous
// callers together (the zero payer), divided by network.
type payer struct {
	org     int64
	network netip.Prefix
}

// bodyShares bounds the bytes of bodies in memory, in total and per organization,
// so that one client's uploads cannot stop the process or block others.
type bodyShares struct {
	whole, share int64
	inFlight     prometheus.Gauge
	refused      *prometheus.CounterVec

	mu   sync.Mutex
	used int64
	by   map[payer]int64
}

func newBodyShares(config Config, registry *prometheus.Registry) (*bodyShares, error) {
	s := &bodyShares{
		whole: config.BodyBytes, share: config.BodyShare, by: make(map[payer]int64),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "waybill_http_body_bytes",
			Help: "Bytes of bodies that are being read or worked on, small bodies aside.",
		}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waybill_http_bodies_refused_total",
			Help: "Bodies refused because the share of their organization, or what the process has for all, was in use.",
		}, []string{"bound"}),
	}
	for _, bound := range []string{"organization", "process"} {
		s.refused.WithLabelValues(bound)
	}
	if err := errors.Join(registry.Register(s.inFlight), registry.Register(s.refused)); err != nil {
		return nil, fmt.Errorf("register metrics: %w", err)
	}
	return s, nil
}

// take reserves n bytes for all of these payers, or for none.
func (s *bodyShares) take(n int64, payers ...payer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range payers {
		if s.by[p]+n > s.shareOf(p) {
			s.refused.WithLabelValues("organization").Inc()
			return &fault.Error{Kind: fault.RateLimited, Text: fault.Say("bodies.share_in_use", "count", "2")}
		}
	}
	if s.used+n > s.whole {
		s.refused.WithLabelValues("process").Inc()
		return &fault.Error{Kind: fault.Unavailable, Text: fault.Say("bodies.too_many")}
	}
	for _, p := range payers {
		s.by[p] += n
	}
	s.used += n
	s.inFlight.Set(float64(s.used))
	return nil
}

func (s *bodyShares) shareOf(p payer) int64 {
	if p.network.IsValid() {
		return s.share / networksOfAShare
	}
	return s.share
}

func (s *bodyShares) putBack(n int64, payers ...payer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range payers {
		if s.by[p] -= n; s.by[p] == 0 {
			delete(s.by, p)
		}
	}
	s.used -= n
	s.inFlight.Set(float64(s.used))
}

// ShareBodies admits large bodies while there is memory. It rejects others
// before they are read, with 429 if their organization has used up its share,
// and with 503 if the process has.
func (e *Edge) ShareBodies(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := exchangeFrom(r.Context())
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		if r.ContentLength > x.maxBody {
			e.Fail(w, r, &http.MaxBytesError{Limit: x.maxBody})
			return
		}
		shared := &sharedBody{ReadCloser: r.Body, shares: e.bodies, payers: payersOf(r.Context()), room: freeBody}
		x.body = shared
		defer shared.done()
		if r.ContentLength > freeBody {
			if err := shared.take(r.ContentLength); err != nil {
				e.Fail(w, r, err)
				return
			}
		}
		if r.ContentLength >= 0 {
			shared.room = max(r.ContentLength, freeBody) + 1 // to its end, and no step beyond
		}
		r.Body = shared
		next.ServeHTTP(w, r)
	})
}

func payersOf(ctx context.Context) []payer {
	if p := exchangeFrom(ctx).principal; p != nil {
		return []payer{{org: p.OrgID}}
	}
	if network := NetworkOf(ctx); network.IsValid() {
		return []payer{{network: network}, {}}
	}
	return []payer{{}}
}

// sharedBody is a body that takes its bytes from a share.
type sharedBody struct {
	io.ReadCloser
	shares *bodyShares
	payers []payer
	room   int64 // how many bytes may be read
	read   int64
	taken  int64 // of the share
}

// Read reads the body while there is memory. A body of unknown length reserves
// more as it grows.
func (b *sharedBody) Read(p []byte) (int, error) {
	if b.read == b.room {
		step := max(bodyStep, b.taken)
		if err := b.take(step); err != nil {
			return 0, err
		}
		b.room += step
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.room-b.read)])
	b.read += int64(n)
	return n, err
}

func (b *sharedBody) take(n int64) error {
	err := b.shares.take(n, b.payers...)
	if err == nil {
		b.taken += n
	}
	return err
}

// done releases the reserved room.
func (b *sharedBody) done() {
	b.shares.putBack(b.taken, b.payers...)
	b.taken = 0
}
