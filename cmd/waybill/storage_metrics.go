package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"waybill/providers/files"
)

// storageMetrics are the metrics of the object storage.
type storageMetrics struct{ requests *prometheus.CounterVec }

func newStorageMetrics() storageMetrics {
	m := storageMetrics{requests: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waybill_storage_requests_total", Help: "Requests to the object storage, by outcome.",
	}, []string{"operation", "outcome"})}
	for _, operation := range []string{
		files.OperationRead, files.OperationWrite, files.OperationDelete, files.OperationList,
	} {
		m.requests.WithLabelValues(operation, "ok")
		m.requests.WithLabelValues(operation, "failed")
	}
	return m
}

// note counts a request.
func (m storageMetrics) note(operation string, failed bool) {
	outcome := "ok"
	if failed {
		outcome = "failed"
	}
	m.requests.WithLabelValues(operation, outcome).Inc()
}
