package main

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"waybill/store"
)

// organizationEvents shows how many events the busiest organizations caused in the last
// hour, and all others together, so that the number of series is bounded. Every process
// that works shows the same.
type organizationEvents struct {
	read   func(ctx context.Context, since time.Time, org int64) ([]store.Caused, error)
	events *prometheus.Desc

	mu     sync.Mutex
	known  []organizationShare
	readAt time.Time
}

// organizationsRead is how long the counts are kept: counting reads the log of an hour.
const organizationsRead = time.Minute

func newOrganizationEvents(
	read func(ctx context.Context, since time.Time, org int64) ([]store.Caused, error),
) *organizationEvents {
	return &organizationEvents{read: read, events: prometheus.NewDesc("waybill_organization_events",
		"Events in the last hour of each of the busiest organizations, and of all others together.",
		[]string{"organization"}, nil,
	)}
}

// Describe describes the gauge.
func (o *organizationEvents) Describe(to chan<- *prometheus.Desc) { to <- o.events }

// Collect reads the counts, once a minute. Without the database there are none.
func (o *organizationEvents) Collect(to chan<- prometheus.Metric) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	if now.Sub(o.readAt) > organizationsRead {
		ctx, cancel := context.WithTimeout(context.Background(), scrapePatience)
		defer cancel()
		caused, err := o.read(ctx, now.Add(-time.Hour), 0)
		if err != nil {
			return
		}
		o.known, o.readAt = shares(caused, busiest), now
	}
	for _, s := range o.known {
		to <- prometheus.MustNewConstMetric(o.events, prometheus.GaugeValue, float64(s.events), s.slug)
	}
}
