package notification

import (
	"slices"
	"strings"
)

// Receiver says to whom a rule's messages go.
type Receiver string

// The receivers. Address is a fixed one that the rule names.
const (
	DeliveryContacts Receiver = "DELIVERY_CONTACTS"
	PickupContacts   Receiver = "PICKUP_CONTACTS"
	Customer         Receiver = "CUSTOMER"
	Address          Receiver = "ADDRESS"
)

// Receivers are all of them.
var Receivers = []Receiver{DeliveryContacts, PickupContacts, Customer, Address}

// Rule says which event makes which message for whom. Texts that are empty
// are the built-in ones.
type Rule struct {
	Event    Event
	Channel  Channel
	Receiver Receiver
	Address  string
	Subject  string
	Body     string
	HTML     string
	Window   *Window
}

// ReceiverOf reads who is named in a rule: one of the receivers, or an address.
func ReceiverOf(to string) (Receiver, string) {
	if slices.Contains([]Receiver{DeliveryContacts, PickupContacts, Customer}, Receiver(to)) {
		return Receiver(to), ""
	}
	return Address, strings.TrimSpace(to)
}
