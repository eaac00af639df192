package export

import "waybill/domain/order"

// The kinds of event that exports write to the log.
const (
	EventMarked       = "export.marked" // by hand
	EventOffered      = "export.offered"
	EventAcknowledged = "export.acknowledged"
	EventWithdrawn    = "export.withdrawn"
	EventClosed       = "export.closed"
	// EventExternalUpdate is what a carrier says of an order; it leaves the
	// export as it is.
	EventExternalUpdate = "export.external_update"
)

// Kinds are the kinds of event in the log after which an export has something to
// decide: all that change what a shipment holds or whether there is one, and the
// mark by hand. A message about an order, a document, a tracking link, or what
// the export wrote itself changes no shipment.
func Kinds() []order.EventKind {
	return []order.EventKind{
		order.EventCreated, order.EventUpdated, order.EventMerged, order.EventCancelled, order.EventReactivated,
		order.EventBooked, order.EventBookingCancelled, // they move the stops' windows
		EventMarked,
	}
}
