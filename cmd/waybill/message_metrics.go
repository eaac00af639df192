package main

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"waybill/domain/notification"
	"waybill/operations/notifications"
)

// The results of an attempt to send a message through its provider.
const (
	attemptAccepted    = "accepted"
	attemptRefused     = "refused"     // for good
	attemptUnavailable = "unavailable" // the provider is unavailable or wants a pause
	attemptResting     = "resting"     // not called, because the provider is unavailable
)

// messageWatch counts attempts and messages, and logs that a provider is
// unavailable and that it is back: once each, however many messages wait.
type messageWatch struct {
	logger   *slog.Logger
	now      func() time.Time
	requests *prometheus.CounterVec
	ended    *prometheus.CounterVec

	mu   sync.Mutex
	away map[providerAccount]time.Time
}

// providerAccount is a server or an account that messages go through.
type providerAccount struct{ provider, account string }

func newMessageWatch(registry prometheus.Registerer, logger *slog.Logger, now func() time.Time) *messageWatch {
	w := &messageWatch{
		logger: logger, now: now, away: map[providerAccount]time.Time{},
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waybill_provider_requests_total", Help: "Attempts to send messages through providers, by outcome.",
		}, []string{"provider", "channel", "outcome"}),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waybill_messages_ended_total", Help: "Messages that were sent or failed, by outcome.",
		}, []string{"channel", "outcome"}),
	}
	for provider, channel := range map[string]notification.Channel{
		notifications.MailProvider: notification.Email, notifications.SMSProvider: notification.SMS,
	} {
		for _, outcome := range []string{attemptAccepted, attemptRefused, attemptUnavailable, attemptResting} {
			w.requests.WithLabelValues(provider, string(channel), outcome)
		}
		w.ended.WithLabelValues(string(channel), "sent")
		w.ended.WithLabelValues(string(channel), "failed")
	}
	registry.MustRegister(w.requests, w.ended)
	return w
}

// Attempted implements notifications.MessageWatch.
func (w *messageWatch) Attempted(ctx context.Context, a *notifications.MessageAttempt) {
	outcome := outcomeOf(a)
	w.requests.WithLabelValues(a.Provider, string(a.Channel), outcome).Inc()
	account := providerAccount{a.Provider, a.Account}
	about := []any{
		"provider", a.Provider, "channel", string(a.Channel), "account_variable", a.Account,
		"org_id", a.OrgID, "order_id", a.OrderID, "notification_id", a.ID,
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	since, isAway := w.away[account]
	switch {
	case outcome == attemptUnavailable && !isAway:
		w.away[account] = w.now()
		w.logger.WarnContext(ctx, providerName(a.Channel)+" unavailable",
			append(about, "error", a.Fault.Error(), "cause", a.Fault.Cause)...)
	case isAway && (outcome == attemptAccepted || outcome == attemptRefused):
		delete(w.away, account)
		w.logger.InfoContext(ctx, providerName(a.Channel)+" available again",
			append(about, "away_for", w.now().Sub(since).String())...)
	}
}

func outcomeOf(a *notifications.MessageAttempt) string {
	switch {
	case a.Fault == nil:
		return attemptAccepted
	case a.Fault.Resting:
		return attemptResting
	case a.Fault.Passing:
		return attemptUnavailable
	}
	return attemptRefused
}

func providerName(channel notification.Channel) string {
	if channel == notification.SMS {
		return "SMS provider"
	}
	return "mail server"
}

// Ended implements notifications.MessageWatch.
func (w *messageWatch) Ended(channel notification.Channel, failure notification.Failure) {
	outcome := "sent"
	if failure != "" {
		outcome = "failed"
	}
	w.ended.WithLabelValues(string(channel), outcome).Inc()
}
