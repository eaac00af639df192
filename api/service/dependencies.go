package service

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
)

// dependencies reports at each scrape which dependencies of the service are
// available.
type dependencies struct {
	checks []Check
	up     *prometheus.Desc
}

// NewDependencies returns the gauge of the checks, waybill_dependency_up.
func NewDependencies(checks []Check) prometheus.Collector {
	return &dependencies{checks: checks, up: prometheus.NewDesc(
		"waybill_dependency_up", "Whether what the process needs is within reach: 1, or 0.", []string{"dependency"}, nil,
	)}
}

// Describe describes the gauge.
func (d *dependencies) Describe(to chan<- *prometheus.Desc) { to <- d.up }

// Collect runs the checks.
func (d *dependencies) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), checkPatience)
	defer cancel()
	for i, err := range runAll(ctx, d.checks) {
		up := 1.0
		if err != nil {
			up = 0
		}
		to <- prometheus.MustNewConstMetric(d.up, prometheus.GaugeValue, up, d.checks[i].Name)
	}
}
