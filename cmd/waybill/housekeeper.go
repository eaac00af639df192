package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/sdk/client"

	"waybill/domain/housekeeping"
	"waybill/internal/wait"
	"waybill/workflows"
)

// scheduleRetry is how long after a failure the schedule is tried again.
const scheduleRetry = 10 * time.Second

// housekeeper ensures that the schedule of housekeeping exists. It is safe to
// run concurrently in many processes.
type housekeeper struct {
	temporal client.Client
	logger   *slog.Logger
}

// Run retries until the schedule exists, or ctx ends.
func (h *housekeeper) Run(ctx context.Context) error {
	said := false
	for ctx.Err() == nil {
		err := workflows.ScheduleHousekeeping(ctx, h.temporal)
		if err == nil {
			<-ctx.Done()
			return nil
		}
		if !said && ctx.Err() == nil {
			said = true // logged once, however long it lasts
			h.logger.WarnContext(ctx, "cannot schedule housekeeping", "error", err)
		}
		wait.For(ctx, scheduleRetry)
	}
	return nil
}

// houseMetrics are the metrics of housekeeping, by duty.
type houseMetrics struct {
	done, failed *prometheus.CounterVec
}

func newHouseMetrics() houseMetrics {
	m := houseMetrics{
		done: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waybill_housekeeping_done_total", Help: "Items that housekeeping deleted, created or restarted.",
		}, []string{"duty"}),
		failed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waybill_housekeeping_failed_total", Help: "Failed housekeeping steps.",
		}, []string{"duty"}),
	}
	for _, duty := range housekeeping.Duties() {
		m.done.WithLabelValues(string(duty))
		m.failed.WithLabelValues(string(duty))
	}
	return m
}

// failedLives counts failed workflows by kind, as of the last complete check.
// Every worker process reports the same.
type failedLives struct {
	read   func(context.Context) (map[housekeeping.Duty]int64, error)
	failed *prometheus.Desc
}

// overdueTemplates shows how many templates should have generated orders by now, and have
// not. Every process that works shows the same.
type overdueTemplates struct {
	read    func(context.Context) (int64, error)
	overdue *prometheus.Desc
}

func newOverdueTemplates(read func(context.Context) (int64, error)) *overdueTemplates {
	return &overdueTemplates{read: read, overdue: prometheus.NewDesc(
		"waybill_templates_overdue", "Recurring orders that are overdue for generating orders.", []string{}, nil,
	)}
}

// Describe describes the gauge.
func (o *overdueTemplates) Describe(to chan<- *prometheus.Desc) { to <- o.overdue }

// Collect reads the count. Without the database there is none.
func (o *overdueTemplates) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapePatience)
	defer cancel()
	if overdue, err := o.read(ctx); err == nil {
		to <- prometheus.MustNewConstMetric(o.overdue, prometheus.GaugeValue, float64(overdue))
	}
}

// scrapePatience is how long a scrape waits for the database.
const scrapePatience = 2 * time.Second

func newFailedLives(read func(context.Context) (map[housekeeping.Duty]int64, error)) *failedLives {
	return &failedLives{read: read, failed: prometheus.NewDesc(
		"waybill_lives_failed", "Workflows whose last run failed.", []string{"kind"}, nil,
	)}
}

// Describe describes the gauge.
func (l *failedLives) Describe(to chan<- *prometheus.Desc) { to <- l.failed }

// Collect reads the counts. Without the database there are none.
func (l *failedLives) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapePatience)
	defer cancel()
	counts, err := l.read(ctx)
	if err != nil {
		return
	}
	for _, duty := range housekeeping.Duties() {
		if kind := duty.Kind(); kind != "" {
			to <- prometheus.MustNewConstMetric(l.failed, prometheus.GaugeValue, float64(counts[duty]), kind)
		}
	}
}

// note counts the result of a step of a duty.
func (m houseMetrics) note(duty housekeeping.Duty, done int, err error) {
	m.done.WithLabelValues(string(duty)).Add(float64(done))
	if err != nil {
		m.failed.WithLabelValues(string(duty)).Inc()
	}
}
