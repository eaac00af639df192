package driving

import (
	"slices"
	"strconv"
	"strings"

	"waybill/domain/event"
	"waybill/domain/order"
)

// transitions lists the statuses that may follow each status. Skipped statuses
// are implied: a delivered order was picked up, even if nobody reported it. An
// order can fail from any status under way. Cancelling and re-planning concern
// an order's numbers and are no transitions.
var transitions = map[order.Status][]order.Status{
	order.Registered: {order.Planned, order.AtPickup, order.PickedUp, order.AtDelivery, order.Delivered},
	order.Planned: {
		order.Registered, order.AtPickup, order.PickedUp, order.AtDelivery, order.Delivered, order.Failed,
	},
	order.AtPickup:   {order.PickedUp, order.AtDelivery, order.Delivered, order.Failed},
	order.PickedUp:   {order.AtDelivery, order.Delivered, order.Failed},
	order.AtDelivery: {order.Delivered, order.Failed},
}

// Allowed returns the statuses that may follow one, or none for a final one.
func Allowed(from order.Status) []order.Status { return slices.Clone(transitions[from]) }

// may reports whether a status may follow another. A correction may set any
// status except those of cancelling.
func may(from, to order.Status, correct bool) bool {
	if correct {
		return from != order.Cancelled && to >= order.Registered && to < order.Cancelled
	}
	return slices.Contains(transitions[from], to)
}

// kinds are the kinds of event for an order that reaches a status.
var kinds = map[order.Status]event.Kind{
	order.Registered: event.OrderUnplanned,
	order.Planned:    event.OrderPlanned,
	order.AtPickup:   event.StopArrived,
	order.PickedUp:   event.OrderPickedUp,
	order.AtDelivery: event.StopArrived,
	order.Delivered:  event.OrderDelivered,
	order.Failed:     event.OrderFailed,
}

// stopOf returns the stop at which an order changes from one status to another,
// or none.
func stopOf(from, to order.Status) order.StopKind {
	switch to {
	case order.AtPickup, order.PickedUp:
		return order.Pickup
	case order.AtDelivery, order.Delivered:
		return order.Delivery
	case order.Failed:
		if from.Loaded() {
			return order.Delivery
		}
		return order.Pickup
	}
	return ""
}

// listed writes statuses for messages, by their ids.
func listed(statuses []order.Status) string {
	ids := make([]string, len(statuses))
	for i, s := range statuses {
		ids[i] = strconv.Itoa(int(s))
	}
	return strings.Join(ids, ", ")
}
