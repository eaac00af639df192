package main

import "github.com/prometheus/client_golang/prometheus"

// webhookMetrics are the metrics of webhooks.
type webhookMetrics struct{ attempts *prometheus.CounterVec }

// The outcomes of attempts.
const (
	webhookDelivered = "delivered"
	webhookRefused   = "refused"
)

func newWebhookMetrics() webhookMetrics {
	m := webhookMetrics{attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waybill_webhook_attempts_total", Help: "Attempts to deliver events to webhook endpoints, by outcome.",
	}, []string{"outcome"})}
	m.note(0, 0)
	return m
}

// note counts the results of attempts.
func (m webhookMetrics) note(delivered, refused int) {
	m.attempts.WithLabelValues(webhookDelivered).Add(float64(delivered))
	m.attempts.WithLabelValues(webhookRefused).Add(float64(refused))
}
