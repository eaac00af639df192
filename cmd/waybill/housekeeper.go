package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/sdk/client"

	"waybill/domain/housekeeping"
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

// houseMetrics are what operators see of housekeeping, by duty.
type houseMetrics struct {
	done, failed *prometheus.CounterVec
}

func newHouseMetrics() houseMetrics {
	m := houseMetrics{
		done: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waybill_housekeeping_done_total", Help: "What housekeeping deleted, made or started again.",
		}, []string{"duty"}),
		failed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waybill_housekeeping_failed_total", Help: "Steps of housekeeping that failed.",
		}, []string{"duty"}),
	}
	for _, duty := range housekeeping.Duties() {
		m.done.WithLabelValues(string(duty))
		m.failed.WithLabelValues(string(duty))
	}
	return m
}

// note counts what came of a step of a duty.
func (m houseMetrics) note(duty housekeeping.Duty, done int, err error) {
	m.done.WithLabelValues(string(duty)).Add(float64(done))
	if err != nil {
		m.failed.WithLabelValues(string(duty)).Inc()
	}
}
