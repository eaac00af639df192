package export_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/export"
	"waybill/domain/order"
)

func TestKindsAreThoseThatChangeAShipment(t *testing.T) {
	t.Parallel()
	for _, kind := range []order.EventKind{
		order.EventCreated, order.EventUpdated, order.EventMerged, order.EventCancelled, order.EventReactivated,
		order.EventBooked, order.EventBookingCancelled, export.EventMarked,
	} {
		require.Contains(t, export.Kinds(), kind)
	}
	for _, kind := range []order.EventKind{
		"notification.queued", "notification.dequeued", "notification.sent", "notification.delivered", "notification.failed",
		"document.attached", "document.detached", "export.external_update",
		export.EventOffered, export.EventAcknowledged, export.EventWithdrawn, export.EventClosed,
		order.EventTrackingReserved, order.EventTrackingRevoked, order.EventRuleSkipped, order.EventDraftPromoted,
	} {
		require.NotContains(t, export.Kinds(), kind)
	}
}
