package relay

import (
	"context"
	"errors"
	"sync"
	"time"

	"waybill/internal/wait"
	"waybill/store"
)

// How the leader paces itself.
const (
	sequenceBatch   = 5000
	sequenceIdle    = 100 * time.Millisecond // between looks at an empty log
	sequenceTimeout = 10 * time.Second       // longest that one look may take
	sequenceRetry   = time.Second            // after a look that failed
	roomEvery       = 24 * time.Hour         // between looks whether the log has room ahead
	roomRetry       = 10 * time.Minute       // between two tries after a failure
	lagEvery        = 5 * time.Second        // between looks how far behind the log's work is
)

// lead holds the duties of the leading process: it assigns positions, adds partitions
// to the log, and publishes the relay's lag.
type lead struct {
	relay  *Relay
	member *store.RelayMember
	wake   func() // signals new events
	stop   func() // nil while another one leads
}

// set begins or ends it.
func (l *lead) set(ctx context.Context, leads bool) {
	switch {
	case !leads:
		l.end()
	case l.stop == nil:
		l.relay.logger.InfoContext(ctx, "relay leads")
		l.begin(ctx)
	}
}

func (l *lead) begin(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	working.Go(func() { l.relay.makeRoom(ctx) })
	working.Go(func() { l.relay.watchLag(ctx) })
	working.Go(func() { l.sequence(ctx) })
	l.relay.metrics.leading.Set(1)
	l.stop = func() {
		cancel()
		working.Wait()
		l.relay.metrics.leading.Set(0)
	}
}

func (l *lead) end() {
	if l.stop != nil {
		l.stop()
		l.stop = nil
	}
}

// sequence assigns positions until ctx ends. A change of leader is noticed with the
// next beat.
func (l *lead) sequence(ctx context.Context) {
	for ctx.Err() == nil {
		given, err := l.sequenceOnce(ctx)
		l.relay.metrics.given.Add(float64(given))
		if given > 0 {
			l.wake()
		}
		switch {
		case err != nil:
			if ctx.Err() == nil && !errors.Is(err, store.ErrNotLeading) {
				l.relay.trouble(ctx, "relay interrupted", err)
			}
			wait.For(ctx, sequenceRetry)
		case given < sequenceBatch:
			wait.For(ctx, sequenceIdle)
		}
	}
}

func (l *lead) sequenceOnce(ctx context.Context) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, sequenceTimeout)
	defer cancel()
	return l.member.Sequence(ctx, sequenceBatch)
}

// makeRoom creates partitions of the log for the coming months. Events without
// a partition are kept anyway, so a failure can wait.
func (r *Relay) makeRoom(ctx context.Context) {
	for ctx.Err() == nil {
		next := roomEvery
		if made, err := r.store.MakeEventPartitions(ctx); err != nil {
			next = roomRetry
			r.trouble(ctx, "cannot create log partitions", err)
		} else if made > 0 {
			r.logger.InfoContext(ctx, "created log partitions", "partitions", made)
		}
		wait.For(ctx, next)
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
			r.trouble(ctx, "cannot read relay lag", err)
		}
		wait.For(ctx, lagEvery)
	}
}
