package main

import (
	"context"
	"log/slog"
	"time"

	"go.temporal.io/sdk/client"

	"waybill/pause"
	"waybill/workflows"
)

// scheduleRetry is how long after a failure the schedule is tried again.
const scheduleRetry = 10 * time.Second

// housekeeper sees to it that the schedule is there on which the house is kept. Any
// number may do so at the same time.
type housekeeper struct {
	temporal client.Client
	logger   *slog.Logger
}

// Run tries until the schedule is there, or ctx ends.
func (h *housekeeper) Run(ctx context.Context) error {
	said := false
	for ctx.Err() == nil {
		err := workflows.ScheduleHousekeeping(ctx, h.temporal)
		if err == nil {
			<-ctx.Done()
			return nil
		}
		if !said && ctx.Err() == nil {
			said = true // said once, however long it lasts
			h.logger.WarnContext(ctx, "housekeeping is not scheduled yet", "error", err)
		}
		pause.For(ctx, scheduleRetry)
	}
	return nil
}
