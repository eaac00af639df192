package relay

import "github.com/prometheus/client_golang/prometheus"

// metrics are what operators see of the relay.
type metrics struct {
	given   prometheus.Counter
	leading prometheus.Gauge
	handed  *prometheus.CounterVec // by follower
	refused *prometheus.CounterVec // by follower
}

func newMetrics() metrics {
	return metrics{
		given: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "waybill_relay_events_total", Help: "Events that got their position in the log.",
		}),
		leading: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "waybill_relay_leader", Help: "1 while this process sequences the log.",
		}),
		handed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waybill_relay_handed_total", Help: "Events that a follower has taken.",
		}, []string{"follower"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waybill_relay_refused_total", Help: "Times that a follower did not take its events.",
		}, []string{"follower"}),
	}
}

func (m metrics) register(registry prometheus.Registerer) {
	registry.MustRegister(m.given, m.leading, m.handed, m.refused)
}
