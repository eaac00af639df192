// Package activities is a thin layer between workflows and operations: it sends
// heartbeats and gives errors their types, and does nothing else. An activity
// may run more than once, so each is idempotent.
package activities

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"waybill/domain/caller"
	"waybill/domain/fault"
	"waybill/store"
)

// ErrTypeNotFound is the error type of an activity whose subject does not
// exist. A retry can't help.
const ErrTypeNotFound = "NotFound"

// ErrTypeRefusedData is the type of the error of an activity whose data the
// database refuses. No retry can mend it.
const ErrTypeRefusedData = "RefusedData"

// mostRaces is how often a step may violate a constraint before the cause is
// taken to be its data, and not a race with another step.
const mostRaces = 5

// workflowOf returns the workflow that an activity works for as the caller. The activity's span
// names the organization.
func workflowOf(ctx context.Context, org int64) caller.Caller {
	trace.SpanFromContext(ctx).SetAttributes(attribute.Int64("waybill.org_id", org))
	return caller.Service(org, activity.GetInfo(ctx).WorkflowExecution.ID)
}

// permanent marks errors that no retry can fix. A record that an operation
// reports as absent, by its name, is one of them; an unexpectedly missing row
// is not. The database's own message about rejected data may contain that data,
// which must not enter a history, so only its code is kept.
func permanent(ctx context.Context, err error) error {
	var absent *store.Absent
	if errors.As(err, &absent) || fault.KindOf(err) == fault.NotFound {
		return temporal.NewNonRetryableApplicationError(err.Error(), ErrTypeNotFound, err)
	}
	code, refused := store.RefusedData(err)
	if !refused || strings.HasPrefix(code, "23") && activity.GetInfo(ctx).Attempt < mostRaces {
		return err
	}
	text := "the database refuses the data: SQLSTATE " + code
	return temporal.NewNonRetryableApplicationError(text, ErrTypeRefusedData, nil)
}

// heartbeatEvery is well below the heartbeat timeouts that workflows set.
const heartbeatEvery = 2 * time.Second

// heartbeat reports to the server now and then that this activity is alive,
// until stop is called, so that a dead worker is noticed within seconds.
func heartbeat(ctx context.Context) (stop func()) {
	return heartbeatWith(ctx, func() []any { return nil })
}

// heartbeatWith is heartbeat with details about the activity's progress.
func heartbeatWith(ctx context.Context, details func() []any) (stop func()) {
	if activity.GetInfo(ctx).IsLocalActivity {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(heartbeatEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				activity.RecordHeartbeat(ctx, details()...)
			case <-done:
				return
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() { close(done) }
}

// progress counts an activity's work.
type progress struct{ count atomic.Int64 }

func (p *progress) add(n int) { p.count.Add(int64(n)) }

func (p *progress) done() []any { return []any{map[string]int64{"done": p.count.Load()}} }
