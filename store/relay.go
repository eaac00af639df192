package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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

// Relay gives committed events their final position in the log. One relay at
// a time does the work; the others stand by and take over within about a
// second of its death. Were two ever at work at once, the lock on the
// sequencer's row would still make them take turns.
type Relay struct {
	pool    *pgxpool.Pool
	logger  *slog.Logger
	given   prometheus.Counter
	leading prometheus.Gauge
}

// NewRelay makes a relay over a pool. Its metrics go to the registry, which
// may be nil.
func NewRelay(pool *pgxpool.Pool, logger *slog.Logger, registry prometheus.Registerer) *Relay {
	r := &Relay{
		pool: pool, logger: logger,
		given:   prometheus.NewCounter(prometheus.CounterOpts{Name: "waybill_relay_events_total", Help: "Events that got their position in the log."}),
		leading: prometheus.NewGauge(prometheus.GaugeOpts{Name: "waybill_relay_leader", Help: "1 while this process sequences the log."}),
	}
	if registry != nil {
		registry.MustRegister(r.given, r.leading)
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
	q := queries.New(conn)
	for ctx.Err() == nil {
		given, err := r.look(ctx, q)
		if err != nil {
			return fmt.Errorf("sequence events: %w", err)
		}
		r.given.Add(float64(given))
		if given < relayBatch {
			pause(ctx, relayIdle)
		}
	}
	return nil
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
