package relay_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"waybill/relay"
)

// A counter that first appears as 1 shows no increase.
func TestFollowerCountersStartAtZero(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	relay.New(nil, slog.New(slog.DiscardHandler), registry, relay.Follower{Name: "exports"})
	require.NoError(t, testutil.GatherAndCompare(registry, strings.NewReader(`
		# HELP waybill_relay_parked_total Events that a follower could not take, and left out.
		# TYPE waybill_relay_parked_total counter
		waybill_relay_parked_total{follower="exports"} 0
	`), "waybill_relay_parked_total"))
}
