package notification

import (
	"maps"
	"slices"

	"waybill/domain/event"
)

// Event is the event of a message; it is also the template's type.
type Event string

// The events.
const (
	OrderCreated    Event = "ORDER_CREATED"
	OrderCancelled  Event = "ORDER_CANCELLED"
	StopApproaching Event = "STOP_APPROACHING"
	StopArrived     Event = "STOP_ARRIVED"
	OrderDelivered  Event = "ORDER_DELIVERED"
	OrderFailed     Event = "ORDER_FAILED"
	// OrderReminder is some days before the order's day.
	OrderReminder Event = "ORDER_REMINDER"
	// TimeMoved is a stop whose expected time has moved from what its recipient was told.
	TimeMoved Event = "TIME_MOVED"
)

// AlertRaised is an alert. Its rule has the addresses, and no rule of messages changes that.
const AlertRaised Event = "ALERT_RAISED"

// Events of accounts and drivers' phones. Only the owner gets a message, and no rule changes that.
const (
	AccountInvited           Event = "ACCOUNT_INVITED"
	AccountReset             Event = "ACCOUNT_RESET"
	AccountPassphraseChanged Event = "ACCOUNT_PASSPHRASE_CHANGED"
	AccountFactorsChanged    Event = "ACCOUNT_FACTORS_CHANGED"
	AccountTokenCreated      Event = "ACCOUNT_TOKEN_CREATED"
	DriverLink               Event = "DRIVER_LINK"
	DriverCode               Event = "DRIVER_CODE"
)

// Events are the events for rules.
var Events = []Event{
	OrderCreated,
	OrderCancelled,
	StopApproaching,
	StopArrived,
	OrderDelivered,
	OrderFailed,
	OrderReminder,
	TimeMoved,
}

// kinds are the events of the log that people may get messages about.
var kinds = map[event.Kind]Event{
	event.OrderCreated:    OrderCreated,
	event.OrderCancelled:  OrderCancelled,
	event.StopApproaching: StopApproaching,
	event.StopArrived:     StopArrived,
	event.OrderDelivered:  OrderDelivered,
	event.OrderFailed:     OrderFailed,
	event.OrderComingUp:   OrderReminder,
	event.OrderTimeMoved:  TimeMoved,
	// A number that shares an order has its own contacts, who get the same
	// messages as for a separate order.
	event.OrderMerged:          OrderCreated,
	event.OrderNumberCancelled: OrderCancelled,

	event.UserInvited:           AccountInvited,
	event.UserResetRequested:    AccountReset,
	event.UserPassphraseChanged: AccountPassphraseChanged,
	event.FactorAdded:           AccountFactorsChanged,
	event.FactorRemoved:         AccountFactorsChanged,
	event.PasskeyAdded:          AccountFactorsChanged,
	event.PasskeyRemoved:        AccountFactorsChanged,
	event.IdentityLinked:        AccountFactorsChanged,
	event.TokenCreated:          AccountTokenCreated,

	event.DriverLinkRequested: DriverLink,
	event.DriverCodeRequested: DriverCode,

	event.AlertRaised: AlertRaised,
}

// Kinds are the kinds of event in the log that people may get messages about.
func Kinds() []event.Kind { return slices.Sorted(maps.Keys(kinds)) }

// EventOf returns the message event for a kind of event in the log.
func EventOf(kind event.Kind) (Event, bool) {
	name, ok := kinds[kind]
	return name, ok
}
