package export

import "waybill/domain/event"

// Kinds are the kinds of event in the log after which an export has something to
// decide: all that change what a shipment holds or whether there is one, and the
// mark by hand. A message about an order, a document, a tracking link, or what
// the export wrote itself changes no shipment.
func Kinds() []event.Kind {
	return []event.Kind{
		event.OrderCreated, event.OrderUpdated, event.OrderContactErased, event.OrderMerged, event.OrderCancelled,
		event.OrderReactivated,
		event.OrderNumberCancelled, event.OrderNumberReplanned, // products leave and come back
		event.OrderSplit,                               // products leave
		event.OrderBooked, event.OrderBookingCancelled, // they move the stops' windows
		event.ExportMarked,
	}
}

// MovedKinds are the kinds of event by which an order is cancelled after all, or is
// not cancelled any more, although nobody in the office said so: a driver or a
// carrier reports late what happened before the cancellation, or takes it back.
// Mostly they say nothing about that, and Record.Turned tells when they do.
func MovedKinds() []event.Kind {
	return []event.Kind{event.OrderDelivered, event.OrderFailed, event.OrderCorrected}
}

// AcknowledgedKinds are the kinds of event after which an export's workflow has
// something to learn that changed no shipment: its window begins, or it is over.
func AcknowledgedKinds() []event.Kind { return []event.Kind{event.ExportAcknowledged} }
