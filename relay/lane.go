package relay

import (
	"context"
	"errors"
	"time"

	"waybill/internal/wait"
	"waybill/store"
)

// lane delivers the events of one organization to one follower, in order. It
// exists while there are events.
type lane struct {
	shard    *shard
	follower *Follower
	org      int64
	// most is the number of events per call. It shrinks after a call took longer
	// than followTimeout, so that slow events still get through.
	most    int
	pending []store.Event
	// beyond is set while the lane is behind: all events after that place, as far as
	// the shard is read, are not in pending, and will be read when it is empty.
	beyond int64
	behind bool
	// since is when the events up to through began to wait for their turn.
	// Later ones begin when these are processed.
	since   time.Time
	through int64
	// last is when the last event arrived.
	last time.Time
}

// add appends an event, or leaves it to be read later when the lane is full.
func (l *lane) add(e store.Event) {
	d := l.shard.delivery
	l.last = time.Now()
	switch {
	case l.behind:
	case len(l.pending) >= laneRoom || d.waiting >= deliveryRoom:
		l.behind, l.beyond = true, e.Position-1
	default:
		l.pending = append(l.pending, e)
		d.waiting++
	}
}

// reached is up to where everything is taken.
func (l *lane) reached() int64 {
	switch {
	case len(l.pending) > 0:
		return l.pending[0].Position - 1
	case l.behind:
		return l.beyond
	}
	return l.shard.read
}

// errLater means that the events should wait a little.
var errLater = errors.New("later")

// run delivers until nothing is left, or the process loses the shard.
func (l *lane) run() {
	ctx, r := l.shard.ctx, l.shard.delivery.relay
	retry := firstRetry
	for ctx.Err() == nil {
		events, err := l.next(ctx)
		if err == nil && len(events) == 0 {
			return
		}
		if err == nil {
			err = l.handOver(ctx, events, time.Since(l.since))
		}
		switch {
		case err == nil:
			l.took(len(events))
			retry = firstRetry
		case errors.Is(err, errLater):
			wait.For(ctx, laterEvery)
		case ctx.Err() == nil:
			if errors.Is(err, context.DeadlineExceeded) {
				l.most = max(1, len(events)/2)
			}
			r.logger.WarnContext(ctx, notTaken(err), "follower", l.follower.Name, "org_id", l.org, "error", err)
			r.metrics.refused.WithLabelValues(l.follower.Name).Inc()
			wait.For(ctx, retry)
			retry = min(2*retry, longestRetry)
		}
	}
}

// next returns the next events to deliver. If there are none, the lane is at
// its end and has removed itself.
func (l *lane) next(ctx context.Context) ([]store.Event, error) {
	d := l.shard.delivery
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(l.pending) == 0 {
		if l.behind && l.beyond >= l.shard.read {
			l.behind = false
		}
		if !l.behind {
			delete(l.shard.lanes, laneOf{l.follower.Name, l.org})
			return nil, nil
		}
		upTo := min(l.beyond+stretch, l.shard.read)
		d.mu.Unlock()
		events, err := d.relay.store.EventsOf(ctx, store.Stretch{
			After: l.beyond, UpTo: upTo, Shards: []int16{l.shard.number}, Org: l.org, Kinds: l.follower.Kinds,
		})
		d.mu.Lock()
		if err != nil {
			return nil, err
		}
		l.pending, l.beyond = events, upTo
		d.waiting += len(events)
	}
	if l.pending[0].Position > l.through {
		l.since, l.through = time.Now(), max(l.shard.read, l.pending[len(l.pending)-1].Position)
	}
	n := min(len(l.pending), l.most)
	return l.pending[:n:n], nil
}

// took forgets the first events.
func (l *lane) took(n int) {
	d := l.shard.delivery
	d.mu.Lock()
	defer d.mu.Unlock()
	l.most = min(2*l.most, l.follower.most())
	l.pending = l.pending[n:]
	d.waiting -= n
	d.relay.metrics.handed.WithLabelValues(l.follower.Name).Add(float64(n))
}

// gathers reports whether the follower waits for more.
func (l *lane) gathers(waited time.Duration) bool {
	l.shard.delivery.mu.Lock()
	defer l.shard.delivery.mu.Unlock()
	return l.follower.gathers(waited, time.Since(l.last))
}

// handOver hands events over when it is the lane's turn.
func (l *lane) handOver(ctx context.Context, events []store.Event, waited time.Duration) error {
	if l.gathers(waited) {
		return errLater
	}
	if l.follower.Later != nil {
		later, err := l.follower.Later(ctx, l.org, waited)
		if err != nil {
			return err
		}
		if later {
			return errLater
		}
	}
	turns := l.shard.delivery.turns[l.follower.Name]
	select {
	case turns <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-turns }()
	ctx, cancel := context.WithTimeout(ctx, followTimeout)
	defer cancel()
	r := l.shard.delivery.relay
	ctx, end := r.span(ctx, l.follower, l.org, events)
	err := r.hand(ctx, *l.follower, events)
	end(err)
	if err != nil {
		return errors.Join(err, ctx.Err()) // the error of a timeout may differ from ctx.Err
	}
	return nil
}
