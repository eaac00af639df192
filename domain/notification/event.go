package notification

import (
	"maps"
	"slices"

	"waybill/domain/order"
)

// Event is what a message is about; it is also the template's type.
type Event string

// The events.
const (
	OrderCreated    Event = "ORDER_CREATED"
	OrderCancelled  Event = "ORDER_CANCELLED"
	StopApproaching Event = "STOP_APPROACHING"
	StopArrived     Event = "STOP_ARRIVED"
	OrderDelivered  Event = "ORDER_DELIVERED"
	OrderFailed     Event = "ORDER_FAILED"
)

// Events are all of them.
var Events = []Event{OrderCreated, OrderCancelled, StopApproaching, StopArrived, OrderDelivered, OrderFailed}

// kinds are the events of the log that people may be told of.
var kinds = map[order.EventKind]Event{
	order.EventCreated:   OrderCreated,
	order.EventCancelled: OrderCancelled,
	"stop.approaching":   StopApproaching,
	"stop.arrived":       StopArrived,
	"order.delivered":    OrderDelivered,
	"order.failed":       OrderFailed,
}

// Kinds are the kinds of event in the log that people may be told of.
func Kinds() []order.EventKind { return slices.Sorted(maps.Keys(kinds)) }

// EventOf returns what a change in the log means to receivers of messages.
func EventOf(kind order.EventKind) (Event, bool) {
	event, ok := kinds[kind]
	return event, ok
}
