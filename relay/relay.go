// Package relay carries the log: it gives committed events their final position
// and hands them to the log's followers. What the followers do with them is in
// relay/followers; what SQL it takes is in store.
package relay

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"waybill/pause"
	"waybill/store"
)

// How the relay paces itself.
const (
	sequenceBatch   = 5000
	sequenceIdle    = 100 * time.Millisecond // between looks at an empty log
	sequenceTimeout = 10 * time.Second       // longest that one look may take
	electionEvery   = time.Second            // between tries to become leader
	roomEvery       = 24 * time.Hour         // between looks whether the log has room ahead
	roomRetry       = 10 * time.Minute       // until the next look after one that failed
	lagEvery        = 5 * time.Second        // between looks how far behind the log's work is
)

// Relay gives committed events their final position in the log, and then hands
// them to its followers. One relay at a time does the work; the others stand by
// and take over within about a second of its death.
type Relay struct {
	store     *store.Store
	logger    *slog.Logger
	followers []Follower
	metrics   metrics
}

// New makes a relay over a store. Its metrics go to the registry, which may be
// nil.
func New(s *store.Store, logger *slog.Logger, registry prometheus.Registerer, followers ...Follower) *Relay {
	r := &Relay{store: s, logger: logger, followers: followers, metrics: newMetrics()}
	if registry != nil {
		r.metrics.register(registry)
	}
	return r
}

// Run stands for election and sequences while it leads, until ctx ends. It
// outlives a database that is away for a while.
func (r *Relay) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := r.lead(ctx); err != nil && ctx.Err() == nil {
			r.logger.WarnContext(ctx, "relay interrupted", "error", err)
		}
		r.metrics.leading.Set(0)
		pause.For(ctx, electionEvery)
	}
	return nil
}

// lead sequences the log and serves the followers. It returns at once when
// another relay leads, and otherwise when the connection that holds the
// sequencer breaks or ctx ends.
func (r *Relay) lead(ctx context.Context) error {
	sequencer, err := r.store.ClaimSequencer(ctx)
	if err != nil || sequencer == nil {
		return err
	}
	r.logger.InfoContext(ctx, "relay leads")
	r.metrics.leading.Set(1)
	defer r.resign(context.WithoutCancel(ctx), sequencer)
	wake, stop := r.serveFollowers(ctx)
	defer stop()
	for ctx.Err() == nil {
		given, err := sequence(ctx, sequencer)
		if err != nil {
			return err
		}
		r.metrics.given.Add(float64(given))
		if given > 0 {
			wake()
		}
		if given < sequenceBatch {
			pause.For(ctx, sequenceIdle)
		}
	}
	return nil
}

func sequence(ctx context.Context, sequencer *store.Sequencer) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, sequenceTimeout)
	defer cancel()
	return sequencer.Sequence(ctx, sequenceBatch)
}

// serveFollowers hands the log to the followers, each at its own pace. Wake
// says that there is something new; stop ends the work and waits for its end.
func (r *Relay) serveFollowers(ctx context.Context) (wake, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	news := make([]chan struct{}, len(r.followers))
	working.Go(func() { r.makeRoom(ctx) })
	working.Go(func() { r.watchLag(ctx) })
	for i, f := range r.followers {
		news[i] = make(chan struct{}, 1)
		working.Go(func() { r.follow(ctx, f, news[i]) })
	}
	wake = func() {
		for _, n := range news {
			select {
			case n <- struct{}{}:
			default: // it has not taken the last news yet
			}
		}
	}
	return wake, func() {
		cancel()
		working.Wait()
	}
}

// makeRoom sees to it that the log has partitions for the months to come. What
// finds none is kept all the same, so a failure can wait.
func (r *Relay) makeRoom(ctx context.Context) {
	for ctx.Err() == nil {
		wait := roomEvery
		if made, err := r.store.MakeEventPartitions(ctx); err != nil {
			wait = roomRetry
			r.logger.WarnContext(ctx, "the log has no room ahead yet", "error", err)
		} else if made > 0 {
			r.logger.InfoContext(ctx, "the log has room ahead", "partitions", made)
		}
		pause.For(ctx, wait)
	}
}

// watchLag keeps the metrics of how far behind the log's work is.
func (r *Relay) watchLag(ctx context.Context) {
	defer r.metrics.forget()
	for ctx.Err() == nil {
		lag, err := r.store.Lag(ctx)
		if err == nil {
			r.metrics.show(lag)
		} else if ctx.Err() == nil {
			r.logger.WarnContext(ctx, "nobody knows how far the log is", "error", err)
		}
		pause.For(ctx, lagEvery)
	}
}

// resign gives up the sequencer, so that another relay can lead at once. A
// broken connection has given it up already.
func (r *Relay) resign(ctx context.Context, sequencer *store.Sequencer) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if err := sequencer.Release(ctx); err != nil {
		r.logger.DebugContext(ctx, "relay connection lost", "error", err)
	}
}
