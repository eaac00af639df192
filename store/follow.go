package store

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/order"
	"waybill/store/queries"
)

// Event is one change of state that has its place in the log.
type Event struct {
	OrgID, ID, Position int64
	Kind                order.EventKind
	// OrderID and DraftID are 0, ExternalID and Stop empty, and Status 0, where
	// the event has none.
	OrderID, DraftID int64
	ExternalID       string
	Status           order.Status
	Stop             string
	OccurredAt       time.Time
}

// Follower is handed the log's events, in order and from the place where it was
// added by a migration. Hand takes them all or gives an error; then the same
// come again, as they do when the relay dies meanwhile. What Hand does with an
// event must therefore do no harm when it is done twice.
type Follower struct {
	Name string // as in the table event_followers
	Hand func(ctx context.Context, events []Event) error
}

// How followers are served.
const (
	followBatch = 1000
	followIdle  = time.Second            // between looks when nobody calls
	followPause = 500 * time.Millisecond // after a failure; doubled each time
	followRest  = 10 * time.Second       // the longest such pause
	followTurn  = time.Minute            // longest that one batch may take
)

// follow hands events to a follower until ctx ends. News calls it as soon as
// there is something new.
func (r *Relay) follow(ctx context.Context, f Follower, news <-chan struct{}) {
	wait := followPause
	for ctx.Err() == nil {
		handed, err := r.handOver(ctx, f)
		switch {
		case err != nil && ctx.Err() == nil:
			r.logger.WarnContext(ctx, "events are not taken", "follower", f.Name, "error", err)
			r.refused.WithLabelValues(f.Name).Inc()
			pause(ctx, wait)
			wait = min(2*wait, followRest)
		case handed < followBatch:
			wait = followPause
			await(ctx, news, followIdle)
		}
	}
}

// handOver hands over the next events and notes that they are taken.
func (r *Relay) handOver(ctx context.Context, f Follower) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, followTurn)
	defer cancel()
	q := queries.New(r.pool)
	rows, err := q.FollowEvents(ctx, queries.FollowEventsParams{Follower: f.Name, Batch: followBatch})
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	events := make([]Event, len(rows))
	for i, row := range rows {
		events[i] = Event{
			OrgID: row.OrgID, ID: row.ID, Position: row.Position, Kind: order.EventKind(row.Kind),
			OrderID: row.OrderID, DraftID: row.DraftID, ExternalID: row.ExternalID,
			Status: order.Status(row.OrderStatusID), Stop: row.Stop, OccurredAt: row.OccurredAt,
		}
	}
	if err := f.Hand(ctx, events); err != nil {
		return 0, err
	}
	last := events[len(events)-1].Position
	noted, err := q.AdvanceFollower(ctx, queries.AdvanceFollowerParams{Name: f.Name, Position: last})
	if err == nil && noted == 0 {
		err = fmt.Errorf("there is no follower %q", f.Name)
	}
	if err != nil {
		return 0, err
	}
	r.handed.WithLabelValues(f.Name).Add(float64(len(events)))
	return len(events), nil
}

// await waits until called, for at most d, or ends early with ctx.
func await(ctx context.Context, called <-chan struct{}, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-called:
	case <-timer.C:
	}
}
