package notification

import (
	"slices"
	"strings"
)

// Receiver names the receiver of a rule's messages.
type Receiver string

// The receivers. Address is a fixed one in the rule.
const (
	DeliveryContacts Receiver = "DELIVERY_CONTACTS"
	PickupContacts   Receiver = "PICKUP_CONTACTS"
	Customer         Receiver = "CUSTOMER"
	Address          Receiver = "ADDRESS"
)

// Receivers are all of them.
var Receivers = []Receiver{DeliveryContacts, PickupContacts, Customer, Address}

// Rule maps an event to a message and its receiver. Empty texts mean the
// built-in ones.
type Rule struct {
	Event    Event
	Channel  Channel
	Receiver Receiver
	Address  string
	Subject  string
	Body     string
	HTML     string
	Window   *Window
	Series   Series
	// DaysAhead is how many days before the order's day a reminder is sent; 0
	// for other events.
	DaysAhead int
}

// Series selects how a rule handles orders that a recurring order generates
// or withdraws. It applies to OrderCreated and OrderCancelled.
type Series string

// Once is one message for the whole series, Each one for every order.
const (
	Once  Series = "ONCE"
	Each  Series = "EACH"
	Never Series = "NEVER"
)

// Serieses are all of them.
var Serieses = []Series{Once, Each, Never}

// MaxDaysAhead limits how long before the order's day a reminder is sent.
const MaxDaysAhead = 30

// ReceiverOf parses a rule's receiver: a named one, or an address.
func ReceiverOf(to string) (Receiver, string) {
	if slices.Contains([]Receiver{DeliveryContacts, PickupContacts, Customer}, Receiver(to)) {
		return Receiver(to), ""
	}
	return Address, strings.TrimSpace(to)
}
