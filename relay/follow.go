package relay

import (
	"context"
	"slices"
	"time"

	"waybill/domain/event"
	"waybill/pause"
	"waybill/store"
)

// Follower is handed events of the log, in order and from the place where it was
// added by a migration.
type Follower struct {
	// Name is its name in the table event_followers.
	Name string
	// Kinds are the kinds of event that it is handed; it never sees another.
	Kinds []event.Kind
	// Hand takes all the events or returns an error; then the same come again,
	// as they do when the relay dies meanwhile. What it does with an event must
	// therefore do no harm when it is done twice. What it can never take is left out.
	// When it returns, nothing that it started is still at work.
	Hand func(ctx context.Context, events []store.Event) error
}

// How followers are served.
const (
	followBatch   = 1000
	followIdle    = time.Second            // between looks when there is no news
	firstRetry    = 500 * time.Millisecond // the pause after a failure; doubled each time
	longestRetry  = 10 * time.Second       // the longest such pause
	followTimeout = time.Minute            // longest that one batch may take
)

// follow hands events to a follower until ctx ends. News makes it look at once.
func (r *Relay) follow(ctx context.Context, f Follower, news <-chan struct{}) {
	retry := firstRetry
	for ctx.Err() == nil {
		taken, err := r.handOver(ctx, f)
		switch {
		case err != nil && ctx.Err() == nil:
			r.logger.WarnContext(ctx, "events are not taken", "follower", f.Name, "error", err)
			r.metrics.refused.WithLabelValues(f.Name).Inc()
			pause.For(ctx, retry)
			retry = min(2*retry, longestRetry)
		case taken < followBatch:
			retry = firstRetry
			await(ctx, news, followIdle)
		}
	}
}

// handOver hands over the next events, notes that they are taken, and returns
// how many of the log's events that were.
func (r *Relay) handOver(ctx context.Context, f Follower) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, followTimeout)
	defer cancel()
	events, err := r.store.EventsFor(ctx, f.Name, followBatch)
	if err != nil || len(events) == 0 {
		return 0, err
	}
	if wanted := f.wanted(events); len(wanted) > 0 {
		if err := r.hand(ctx, f, wanted); err != nil {
			return 0, err
		}
	}
	if err := r.store.AdvanceFollower(ctx, f.Name, events[len(events)-1].Position); err != nil {
		return 0, err
	}
	r.metrics.handed.WithLabelValues(f.Name).Add(float64(len(events)))
	return len(events), nil
}

func (f Follower) wanted(events []store.Event) []store.Event {
	wanted := make([]store.Event, 0, len(events))
	for i := range events {
		if slices.Contains(f.Kinds, events[i].Kind) {
			wanted = append(wanted, events[i])
		}
	}
	return wanted
}

// await waits for news, for at most d, or ends early with ctx.
func await(ctx context.Context, news <-chan struct{}, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-news:
	case <-timer.C:
	}
}
