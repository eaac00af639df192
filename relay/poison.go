package relay

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"

	"go.temporal.io/api/serviceerror"

	"waybill/store"
)

// errPanicked is the error of a follower that panicked over its events.
var errPanicked = errors.New("the follower panicked")

// hand passes events to a follower. Events that it can never process are parked, so
// that one event does not block the others.
func (r *Relay) hand(ctx context.Context, f Follower, events []store.Event) error {
	err := r.guarded(ctx, f, events)
	reason, poisoned := poisonOf(err)
	switch {
	case !poisoned:
		return err
	case len(events) == 1:
		return r.park(ctx, f, &events[0], reason, err)
	}
	half := len(events) / 2
	if err := r.hand(ctx, f, events[:half]); err != nil {
		return err
	}
	return r.hand(ctx, f, events[half:])
}

// guarded hands events over, and makes an error of a panic.
func (r *Relay) guarded(ctx context.Context, f Follower, events []store.Event) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			r.logger.ErrorContext(ctx, "follower panicked", "follower", f.Name, "cause", cause, "stack", string(debug.Stack()))
			err = errPanicked
		}
	}()
	return f.Hand(ctx, events)
}

// poisonOf reports whether an error is caused by the events themselves, so that
// every attempt would fail, and the kind of cause. Temporary errors, such as an
// unreachable server, do not count.
func poisonOf(err error) (reason string, poisoned bool) {
	var refused *serviceerror.InvalidArgument
	if errors.Is(err, errPanicked) {
		return "panic", true
	}
	if code, refused := store.RefusedData(err); refused {
		return "SQLSTATE " + code, true
	}
	return "invalid argument", errors.As(err, &refused)
}

// park records that a follower skipped an event.
func (r *Relay) park(ctx context.Context, f Follower, e *store.Event, reason string, cause error) error {
	if err := r.store.ParkEvent(ctx, f.Name, e, reason); err != nil {
		return errors.Join(cause, err)
	}
	r.metrics.parked.WithLabelValues(f.Name).Inc()
	r.logger.LogAttrs(ctx, slog.LevelError, "event left out", slog.String("follower", f.Name),
		slog.Int64("org_id", e.OrgID), slog.Int64("event_id", e.ID), slog.String("kind", string(e.Kind)),
		slog.String("reason", reason))
	return nil
}
