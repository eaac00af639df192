package main

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// attentionEvery is how long the numbers of all organizations are cached,
// however often they are scraped.
const attentionEvery = 30 * time.Second

// attention shows how much of all organizations waits for a person, and how long messages
// wait. Every process that works shows the same.
type attention struct {
	counts func(context.Context) (map[string]int64, error)
	oldest func(context.Context) (map[string]float64, error)
	now    func() time.Time

	waiting, seconds *prometheus.Desc

	mu        sync.Mutex
	readAt    time.Time
	byKind    map[string]int64
	byChannel map[string]float64
}

func newAttention(
	counts func(context.Context) (map[string]int64, error), oldest func(context.Context) (map[string]float64, error),
	now func() time.Time,
) *attention {
	return &attention{
		counts: counts, oldest: oldest, now: now,
		waiting: prometheus.NewDesc(
			"waybill_needs_attention", "Items of all organizations that need a person's attention.", []string{"kind"}, nil,
		),
		seconds: prometheus.NewDesc(
			"waybill_oldest_waiting_message_seconds", "How long the oldest overdue message has waited.",
			[]string{"channel"}, nil,
		),
	}
}

// Describe describes the gauges.
func (a *attention) Describe(to chan<- *prometheus.Desc) {
	to <- a.waiting
	to <- a.seconds
}

// Collect returns the recent numbers. Without the database there are none.
func (a *attention) Collect(to chan<- prometheus.Metric) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.now().Sub(a.readAt) >= attentionEvery && !a.read() {
		return
	}
	for kind, n := range a.byKind {
		to <- prometheus.MustNewConstMetric(a.waiting, prometheus.GaugeValue, float64(n), kind)
	}
	for channel, seconds := range a.byChannel {
		to <- prometheus.MustNewConstMetric(a.seconds, prometheus.GaugeValue, seconds, channel)
	}
}

func (a *attention) read() bool {
	ctx, cancel := context.WithTimeout(context.Background(), scrapePatience)
	defer cancel()
	counts, err := a.counts(ctx)
	if err != nil {
		return false
	}
	oldest, err := a.oldest(ctx)
	if err != nil {
		return false
	}
	a.byKind, a.byChannel, a.readAt = counts, oldest, a.now()
	return true
}
