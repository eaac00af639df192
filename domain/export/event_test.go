package export_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/event"
	"waybill/domain/export"
)

func TestKindsAreThoseThatChangeAShipment(t *testing.T) {
	t.Parallel()
	for _, kind := range []event.Kind{
		event.OrderCreated, event.OrderUpdated, event.OrderMerged, event.OrderCancelled, event.OrderReactivated,
		event.OrderBooked, event.OrderBookingCancelled, event.ExportMarked,
	} {
		require.Contains(t, export.Kinds(), kind)
	}
	for _, kind := range []event.Kind{
		"notification.queued", "notification.dequeued", "notification.sent", "notification.delivered", "notification.failed",
		"document.attached", "document.detached", "export.external_update",
		event.ExportOffered, event.ExportAcknowledged, event.ExportWithdrawn, event.ExportClosed,
		event.TrackingReserved, event.TrackingRevoked, event.OrderRuleSkipped, event.DraftPromoted,
	} {
		require.NotContains(t, export.Kinds(), kind)
	}
}
