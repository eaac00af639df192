package relay

import (
	"github.com/prometheus/client_golang/prometheus"

	"waybill/store"
)

// metrics are the relay's metrics for operators.
type metrics struct {
	given   prometheus.Counter
	leading prometheus.Gauge
	shards  prometheus.Gauge
	handed  *prometheus.CounterVec // by follower
	refused *prometheus.CounterVec // by follower
	parked  *prometheus.CounterVec // by follower
	behind  *prometheus.GaugeVec   // by follower
	oldest  prometheus.Gauge
}

func newMetrics() metrics {
	return metrics{
		given: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "waybill_relay_events_total", Help: "Events that got their position in the log.",
		}),
		leading: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "waybill_relay_leader", Help: "1 while this process sequences the log.",
		}),
		shards: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "waybill_relay_shards", Help: "Shards of organizations for which this process serves the followers of the log.",
		}),
		handed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waybill_relay_handed_total", Help: "Events that a follower has taken.",
		}, []string{"follower"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waybill_relay_refused_total", Help: "Times that a follower did not take its events.",
		}, []string{"follower"}),
		parked: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waybill_relay_parked_total", Help: "Events that a follower could not take, and left out.",
		}, []string{"follower"}),
		behind: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "waybill_relay_follower_behind", Help: "Positions of the log that a follower has not taken yet.",
		}, []string{"follower"}),
		oldest: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "waybill_relay_oldest_event_seconds", Help: "For how long the oldest event waits for its position.",
		}),
	}
}

// begin publishes a follower's counters at 0 from the first scrape: a counter that begins
// at 1 shows no increase.
func (m metrics) begin(follower string) {
	for _, counter := range []*prometheus.CounterVec{m.handed, m.refused, m.parked} {
		counter.WithLabelValues(follower)
	}
}

func (m metrics) register(registry prometheus.Registerer) {
	registry.MustRegister(m.given, m.leading, m.shards, m.handed, m.refused, m.parked, m.behind, m.oldest)
}

// show sets how far behind the log's work is.
func (m metrics) show(lag store.Lag) {
	m.oldest.Set(lag.Oldest.Seconds())
	for follower, behind := range lag.Behind {
		m.behind.WithLabelValues(follower).Set(float64(behind))
	}
}

// forget leaves publishing the relay's lag to the next leader.
func (m metrics) forget() {
	m.oldest.Set(0)
	m.behind.Reset()
}
