package relay

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.temporal.io/api/serviceerror"

	"waybill/domain/fault"
)

// outage is a period in which the database is unreachable. Many parts of the relay notice
// it many times a second; the log reports its start and its end once.
type outage struct {
	mu    sync.Mutex
	since time.Time
}

// trouble logs an error. An outage of the database is logged once.
func (r *Relay) trouble(ctx context.Context, what string, err error) {
	if fault.KindOf(err) != fault.Unavailable {
		r.logger.WarnContext(ctx, what, "error", err)
		return
	}
	r.outage.mu.Lock()
	begins := r.outage.since.IsZero()
	if begins {
		r.outage.since = time.Now()
	}
	r.outage.mu.Unlock()
	if begins {
		r.logger.WarnContext(ctx, "database unavailable", "error", err)
	}
	r.logger.DebugContext(ctx, what, "error", err)
}

// well records that the database answers.
func (r *Relay) well(ctx context.Context) {
	r.outage.mu.Lock()
	since := r.outage.since
	r.outage.since = time.Time{}
	r.outage.mu.Unlock()
	if !since.IsZero() {
		r.logger.InfoContext(ctx, "database available again", "away_for", time.Since(since).Round(time.Millisecond).String())
	}
}

// notTaken describes why a follower refused its events.
func notTaken(err error) string {
	var away *serviceerror.Unavailable
	switch {
	case errors.As(err, &away):
		return "follower cannot take events: Temporal server unavailable"
	case fault.KindOf(err) == fault.Unavailable:
		return "follower cannot take events: database unavailable"
	}
	return "follower cannot take events"
}
