package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"waybill/store/queries"
)

// How the relay paces itself.
const (
	relayBatch     = 5000
	relayIdle      = 100 * time.Millisecond // between looks at an empty log
	relayElection  = time.Second            // between tries to become leader
	relayKeepAlive = 10 * time.Second       // longest that one look may take
)

// relayLock is the advisory lock that the leader holds.
const relayLock = 0x7761796269 // "waybi"

// Relay gives committed events their final position in the log, and then hands
// them to its followers. One relay at a time does the work; the others stand by
// and take over within about a second of its death. Were two ever at work at
// once, the lock on the sequencer's row would still make them take turns.
type Relay struct {
	pool      *pgxpool.Pool
	logger    *slog.Logger
	followers []Follower
	given     prometheus.Counter
	leading   prometheus.Gauge
	handed    *prometheus.CounterVec
	refused   *prometheus.CounterVec
}

// NewRelay makes a relay over a pool. Its metrics go to the registry, which
// may be nil.
func NewRelay(pool *pgxpool.Pool, logger *slog.Logger, registry prometheus.Registerer, followers ...Follower) *Relay {
	r := &Relay{
		pool: pool, logger: logger, followers: followers,
		given:   prometheus.NewCounter(prometheus.CounterOpts{Name: "waybill_relay_events_total", Help: "Events that got their position in the log."}),
		leading: prometheus.NewGauge(prometheus.GaugeOpts{Name: "waybill_relay_leader", Help: "1 while this process sequences the log."}),
		handed:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_relay_handed_total", Help: "Events that a follower has taken."}, []string{"follower"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_relay_refused_total", Help: "Times that a follower did not take its events."}, []string{"follower"}),
	}
	if registry != nil {
		registry.MustRegister(r.given, r.leading, r.handed, r.refused)
	}
	return r
}

// Run stands for election and sequences while it leads, until ctx ends. It
// outlives a database that is away for a while.
func (r *Relay) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := r.term(ctx); err != nil && ctx.Err() == nil {
			r.logger.WarnContext(ctx, "relay interrupted", "error", err)
		}
		r.leading.Set(0)
		pause(ctx, relayElection)
	}
	return nil
}

// term is one term of office: it ends at once when another relay leads, and
// otherwise when the connection that holds the lock breaks or ctx ends.
func (r *Relay) term(ctx context.Context) error {
	conn, err := r.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Release()
	var elected bool
	if err := conn.QueryRow(ctx, "select pg_try_advisory_lock($1)", int64(relayLock)).Scan(&elected); err != nil || !elected {
		return err
	}
	r.logger.InfoContext(ctx, "relay leads")
	r.leading.Set(1)
	defer r.resign(context.WithoutCancel(ctx), conn)
	tell, dismiss := r.gather(ctx)
	defer dismiss()
	q := queries.New(conn)
	for ctx.Err() == nil {
		given, err := r.look(ctx, q)
		if err != nil {
			return fmt.Errorf("sequence events: %w", err)
		}
		r.given.Add(float64(given))
		if given > 0 {
			tell()
		}
		if given < relayBatch {
			pause(ctx, relayIdle)
		}
	}
	return nil
}

// gather sets the followers to work for a term. Tell calls them, and dismiss
// ends their work.
func (r *Relay) gather(ctx context.Context) (tell, dismiss func()) {
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	calls := make([]chan struct{}, len(r.followers))
	for i, f := range r.followers {
		calls[i] = make(chan struct{}, 1)
		working.Go(func() { r.follow(ctx, f, calls[i]) })
	}
	tell = func() {
		for _, call := range calls {
			select {
			case call <- struct{}{}:
			default: // called already
			}
		}
	}
	return tell, func() {
		cancel()
		working.Wait()
	}
}

func (r *Relay) look(ctx context.Context, q *queries.Queries) (int32, error) {
	ctx, cancel := context.WithTimeout(ctx, relayKeepAlive)
	defer cancel()
	return q.SequenceEvents(ctx, relayBatch)
}

// resign gives up the lock, so that another relay can lead at once. A broken
// connection has given it up already.
func (r *Relay) resign(ctx context.Context, conn *pgxpool.Conn) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if _, err := conn.Exec(ctx, "select pg_advisory_unlock($1)", int64(relayLock)); err != nil {
		err = errors.Join(err, conn.Conn().Close(ctx))
		r.logger.DebugContext(ctx, "relay connection lost", "error", err)
	}
}

// pause waits, or ends early with ctx.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
