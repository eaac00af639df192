package export

import "waybill/domain/event"

// Kinds returns the kinds of event after which an export must be reconsidered:
// all that change a shipment or whether there is one, and the manual mark.
// Messages, documents, tracking links and the export's own events change no
// shipment.
func Kinds() []event.Kind {
	return []event.Kind{
		event.OrderCreated, event.OrderUpdated, event.OrderContactErased, event.OrderMerged, event.OrderCancelled,
		event.OrderReactivated,
		event.OrderNumberCancelled, event.OrderNumberReplanned, // products leave and come back
		event.OrderSplit,                               // products leave
		event.OrderBooked, event.OrderBookingCancelled, // they move the stops' windows
		event.StopPlaced, // it moves the stop
		event.ExportMarked,
	}
}

// MovedKinds returns the kinds of event that may cancel an order or undo a
// cancellation without a decision by the office: a driver or a carrier reports
// late what happened before the cancellation, or undoes a report. Most of these
// events do neither; Record.Turned reports when they do.
func MovedKinds() []event.Kind {
	return []event.Kind{event.OrderDelivered, event.OrderFailed, event.OrderCorrected}
}

// AcknowledgedKinds are the kinds of event that concern an export's workflow
// although they change no shipment: its window begins or ends.
func AcknowledgedKinds() []event.Kind { return []event.Kind{event.ExportAcknowledged} }
