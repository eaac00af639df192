package integration_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/integration"
)

func TestLatestResultDeterminesHealth(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 12, 7, 9, 0, 0, 0, time.UTC)
	for want, f := range map[integration.State]integration.Fares{
		integration.Idle:    {},
		integration.OK:      {SucceededAt: at, FailedAt: at.Add(-time.Hour)},
		integration.Failing: {SucceededAt: at, FailedAt: at.Add(time.Hour)},
	} {
		require.Equal(t, want, f.State(true))
		require.Equal(t, integration.NotConfigured, f.State(false))
	}
}

func TestCarrierIntegrationReceivesOrReports(t *testing.T) {
	t.Parallel()
	offered := integration.OfCarrier("bring", true, false, false, time.Time{})
	require.Equal(t, integration.Out, offered.Direction)
	require.True(t, offered.Configured, "it fetches with a key")
	require.NotContains(t, offered.Events, event.ExportUpdated)
	reports := integration.OfCarrier("bring", false, true, false, time.Time{})
	require.Equal(t, integration.In, reports.Direction)
	require.False(t, reports.Configured, "its secret is not set")
	require.Equal(t, []event.Kind{event.ExportUpdated}, reports.Events)
	both := integration.OfCarrier("bring", true, true, true, time.Time{})
	require.Equal(t, integration.Both, both.Direction)
	require.True(t, both.Configured)
	require.Equal(t, "carrier-bring", both.Name)
}

func TestOnlyTheHostOfAnAddressIsShown(t *testing.T) {
	t.Parallel()
	require.Equal(t, "hooks.example:8443", integration.HostOf("https://user:s3cret@hooks.example:8443/t0ken?x=y"))
	require.Empty(t, integration.HostOf("://"))
}
