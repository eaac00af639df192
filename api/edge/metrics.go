package edge

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics count requests. Every label has few values: a route is its pattern,
// and a method that no route has is "other".
type metrics struct {
	inFlight prometheus.Gauge
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	byOrg    *organizationRequests
}

func newMetrics(registry *prometheus.Registry, now func() time.Time) (*metrics, error) {
	m := &metrics{
		byOrg: newOrganizationRequests(now),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "waybill_http_requests_in_flight",
			Help: "Requests that are being answered.",
		}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waybill_http_requests_total",
			Help: "Requests answered.",
		}, []string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "waybill_http_request_duration_seconds",
			Help:    "How long answers took.",
			Buckets: []float64{.005, .025, .1, .25, .5, 1, 2.5, 10, 30},
		}, []string{"route", "method"}),
	}
	err := errors.Join(registry.Register(m.inFlight), registry.Register(m.requests),
		registry.Register(m.duration), registry.Register(m.byOrg))
	if err != nil {
		return nil, fmt.Errorf("register metrics: %w", err)
	}
	return m, nil
}

func (m *metrics) begin() { m.inFlight.Inc() }

// end counts an answer. How long a stream lasts is up to its reader, so its duration does
// not count.
func (m *metrics) end(method, route string, status int, took time.Duration, isStream bool) {
	m.inFlight.Dec()
	method = knownMethod(method)
	m.requests.WithLabelValues(route, method, statusLabel(status)).Inc()
	if isStream {
		return
	}
	m.duration.WithLabelValues(route, method).Observe(took.Seconds())
}

func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

func statusLabel(status int) string {
	switch status {
	case http.StatusOK:
		return "200"
	case http.StatusNoContent:
		return "204"
	case http.StatusNotFound:
		return "404"
	}
	return strconv.Itoa(status)
}
