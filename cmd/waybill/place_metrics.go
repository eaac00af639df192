package main

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"waybill/operations/places"
)

// placeMetrics are the metrics of the geocoding provider.
type placeMetrics struct{ asked *prometheus.CounterVec }

func newPlaceMetrics() placeMetrics {
	m := placeMetrics{asked: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waybill_places_asked_total", Help: "Addresses that the geocoding provider was asked for, by outcome.",
	}, []string{"outcome"})}
	m.note(places.Turn{})
	return m
}

// note counts the results of a turn.
func (m placeMetrics) note(t places.Turn) {
	m.asked.WithLabelValues("found").Add(float64(t.Found))
	m.asked.WithLabelValues("unknown").Add(float64(t.Unknown))
	m.asked.WithLabelValues("failed").Add(float64(t.Failed))
}

// placesWaiting shows how many addresses of all organizations wait for an answer. Every process
// that works shows the same.
type placesWaiting struct {
	read    func(context.Context) (int64, error)
	waiting *prometheus.Desc
}

func newPlacesWaiting(read func(context.Context) (int64, error)) *placesWaiting {
	return &placesWaiting{read: read, waiting: prometheus.NewDesc(
		"waybill_places_waiting", "Addresses that wait for an answer of the geocoding provider.", []string{}, nil,
	)}
}

// Describe describes the gauge.
func (p *placesWaiting) Describe(to chan<- *prometheus.Desc) { to <- p.waiting }

// Collect reads the count. Without the database there is none.
func (p *placesWaiting) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapePatience)
	defer cancel()
	if waiting, err := p.read(ctx); err == nil {
		to <- prometheus.MustNewConstMetric(p.waiting, prometheus.GaugeValue, float64(waiting))
	}
}

// newGeocoderRests shows for how long this process leaves the provider alone.
func newGeocoderRests(rests func() time.Duration) prometheus.GaugeFunc {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "waybill_geocoder_rests_seconds", Help: "How long the geocoding provider is still left alone after failures.",
	}, func() float64 { return rests().Seconds() })
}
