package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"waybill/domain/notification"
	"waybill/operations/notifications"
	"waybill/providers"
)

func TestProviderOutageIsCountedAndLoggedOnce(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	registry := prometheus.NewRegistry()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	w := newMessageWatch(registry, slog.New(slog.NewJSONHandler(&said, nil)), func() time.Time { return now })
	attempt := func(fault *providers.Fault) {
		w.Attempted(t.Context(), &notifications.MessageAttempt{
			OrgID: 7, OrderID: 8, ID: 9, Channel: notification.Email, Provider: notifications.MailProvider, Fault: fault,
		})
	}
	away := &providers.Fault{Failure: notification.Unavailable, Passing: true, Cause: errors.New("connection refused")}
	attempt(away)
	attempt(&providers.Fault{Failure: notification.Unavailable, Passing: true, Resting: true})
	attempt(away)
	require.Equal(t, 1, strings.Count(said.String(), `"level":"WARN","msg":"mail server unavailable"`))
	require.Contains(t, said.String(), `"org_id":7,"order_id":8,"notification_id":9`)
	now = now.Add(13 * time.Minute)
	attempt(nil)
	attempt(&providers.Fault{Failure: notification.Rejected})
	require.Equal(t, 1, strings.Count(said.String(), `"msg":"mail server available again"`))
	require.Contains(t, said.String(), `"away_for":"13m0s"`)
	w.Ended(notification.Email, "")
	w.Ended(notification.Email, notification.Rejected)
	require.NoError(t, testutil.GatherAndCompare(registry, strings.NewReader(`
		# HELP waybill_messages_ended_total Messages that were sent or failed, by outcome.
		# TYPE waybill_messages_ended_total counter
		waybill_messages_ended_total{channel="EMAIL",outcome="failed"} 1
		waybill_messages_ended_total{channel="EMAIL",outcome="sent"} 1
		waybill_messages_ended_total{channel="SMS",outcome="failed"} 0
		waybill_messages_ended_total{channel="SMS",outcome="sent"} 0
		# HELP waybill_provider_requests_total Attempts to send messages through providers, by outcome.
		# TYPE waybill_provider_requests_total counter
		waybill_provider_requests_total{channel="EMAIL",outcome="accepted",provider="smtp"} 1
		waybill_provider_requests_total{channel="EMAIL",outcome="refused",provider="smtp"} 1
		waybill_provider_requests_total{channel="EMAIL",outcome="resting",provider="smtp"} 1
		waybill_provider_requests_total{channel="EMAIL",outcome="unavailable",provider="smtp"} 2
		waybill_provider_requests_total{channel="SMS",outcome="accepted",provider="twilio"} 0
		waybill_provider_requests_total{channel="SMS",outcome="refused",provider="twilio"} 0
		waybill_provider_requests_total{channel="SMS",outcome="resting",provider="twilio"} 0
		waybill_provider_requests_total{channel="SMS",outcome="unavailable",provider="twilio"} 0
	`)))
}

func TestAttentionCountsAreCached(t *testing.T) {
	t.Parallel()
	reads, now := 0, time.Now()
	shown := newAttention(func(context.Context) (map[string]int64, error) {
		reads++
		return map[string]int64{"export_pending": 3}, nil
	}, func(context.Context) (map[string]float64, error) {
		return map[string]float64{"EMAIL": 61}, nil
	}, func() time.Time { return now })
	require.NoError(t, testutil.CollectAndCompare(shown, strings.NewReader(`
		# HELP waybill_needs_attention Items of all organizations that need a person's attention.
		# TYPE waybill_needs_attention gauge
		waybill_needs_attention{kind="export_pending"} 3
		# HELP waybill_oldest_waiting_message_seconds How long the oldest overdue message has waited.
		# TYPE waybill_oldest_waiting_message_seconds gauge
		waybill_oldest_waiting_message_seconds{channel="EMAIL"} 61
	`)))
	require.Equal(t, 2, testutil.CollectAndCount(shown))
	require.Equal(t, 1, reads)
	now = now.Add(attentionEvery)
	require.Equal(t, 2, testutil.CollectAndCount(shown))
	require.Equal(t, 2, reads)
}

func TestSearchEndedBySignalLogsNoWarning(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	logger := slog.New(calmly{slog.NewJSONHandler(&said, nil)}).With("task_queue", "planning")
	logger.Warn("RecordActivityHeartbeat with error", "Error", context.Canceled)
	require.Empty(t, said.String())
	logger.Warn("RecordActivityHeartbeat with error", "Error", errors.New("unavailable"))
	logger.Warn("Activity error.", "Error", context.Canceled)
	require.Equal(t, 2, strings.Count(said.String(), "WARN"))
}
