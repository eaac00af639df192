// Package activities is the thin skin between workflows and operations: it
// sends heartbeats and gives errors their types, and does nothing else. An
// activity may run more than once, so each is safe to repeat.
package activities

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"waybill/domain/caller"
	"waybill/store"
)

// ErrTypeNotFound is the type of the error of an activity that was asked about
// something that does not exist. No retry can mend it.
const ErrTypeNotFound = "NotFound"

// workflowOf returns the workflow that an activity works for as the caller.
func workflowOf(ctx context.Context, org int64) caller.Caller {
	return caller.Service(org, activity.GetInfo(ctx).WorkflowExecution.ID)
}

// permanent marks errors that no retry can mend.
func permanent(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return temporal.NewNonRetryableApplicationError(err.Error(), ErrTypeNotFound, err)
	}
	return err
}

// heartbeatEvery is well below the heartbeat timeouts that workflows set.
const heartbeatEvery = 2 * time.Second

// heartbeat reports to the server now and then that this activity is alive,
// until stop is called, so that a dead worker is noticed within seconds.
func heartbeat(ctx context.Context) (stop func()) {
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
				activity.RecordHeartbeat(ctx)
			case <-done:
				return
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() { close(done) }
}
