package main

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"waybill/domain/notification"
	"waybill/operations"
)

// newAlarm counts messages that are not sent because there were too many, and
// logs that once a day for each organization and receiver.
func (s *service) newAlarm() func(context.Context, operations.OverQuota) {
	refused := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waybill_messages_over_quota_total",
		Help: "Messages not sent because the organization or recipient reached its daily limit.",
	}, []string{"channel", "bound"})
	for _, channel := range notification.Channels {
		for _, bound := range notification.Bounds {
			refused.WithLabelValues(string(channel), string(bound))
		}
	}
	s.registry.MustRegister(refused)
	return func(ctx context.Context, over operations.OverQuota) {
		refused.WithLabelValues(string(over.Channel), string(over.Bound)).Inc()
		if over.First {
			s.logger.WarnContext(ctx, "daily message limit exceeded",
				"org_id", over.OrgID, "channel", string(over.Channel), "bound", string(over.Bound))
		}
	}
}
