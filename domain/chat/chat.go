// Package chat has the rules of messages between the office and drivers.
package chat

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"waybill/domain/fault"
)

// Side is who wrote a message.
type Side string

// The sides.
const (
	Office Side = "OFFICE"
	Driver Side = "DRIVER"
)

// Other is who reads what a side wrote.
func (s Side) Other() Side {
	if s == Office {
		return Driver
	}
	return Office
}

// Bounds of messages.
const (
	// Longest is how many characters a message may have.
	Longest = 500
	// MostADay is how many messages of a driver's day each side may write.
	MostADay = 200
	// MostReceivers is how many drivers may get a message at once, or about how many orders.
	MostReceivers = 100
	// LatestDelay is for how many days a phone may be without a connection, and how many days
	// ahead a driver may write about a route.
	LatestDelay = 7
)

// Message is a message that is to be sent.
type Message struct {
	From Side
	// DriverIDs are those who get it, or the driver who wrote it.
	DriverIDs []int64
	// Day is that of the route.
	Day  time.Time
	Text string
	// OrderID is 0 for a message about no order.
	OrderID int64
	// Orders are several orders that the office writes about: each of their drivers gets a message for
	// each order. Then DriverIDs are those of the orders, one for each.
	Orders []int64
	// ClientID is what the phone calls it, and empty for the office.
	ClientID string
	Written  time.Time
}

// Check tidies a message up, and returns what is wrong with it by field. today is the day in
// the organization's calendar.
func (m *Message) Check(today time.Time) error {
	m.Text = strings.TrimSpace(m.Text)
	if m.Text == "" {
		return fault.Field("text", fault.Say("param.required"))
	}
	if utf8.RuneCountInString(m.Text) > Longest {
		return fault.Field("text", fault.Say("chat.too_long", "max", strconv.Itoa(Longest)))
	}
	if m.From == Office {
		return m.checkOffice(today)
	}
	if m.Day.Before(today.AddDate(0, 0, -LatestDelay)) || m.Day.After(today.AddDate(0, 0, LatestDelay)) {
		return refused("date", fault.Say("chat.other_day", "days", strconv.Itoa(LatestDelay)))
	}
	return nil
}

func (m *Message) checkOffice(today time.Time) error {
	field, ids, twice := "driverIds", m.DriverIDs, driverTwice
	if m.Orders != nil {
		field, ids, twice = "orderIds", m.Orders, orderTwice
		if len(m.DriverIDs) > 0 || m.OrderID != 0 {
			return refused(field, fault.Say("chat.orders_alone"))
		}
	}
	if len(ids) == 0 || len(ids) > MostReceivers {
		return fault.Field(field, fault.Say("driven.how_many", "max", strconv.Itoa(MostReceivers)))
	}
	seen := make(map[int64]bool, len(ids))
	for _, id := range ids {
		if seen[id] {
			return refused(field, twice(strconv.FormatInt(id, 10)))
		}
		seen[id] = true
	}
	if m.Day.Before(today.AddDate(0, 0, -1)) { // a route may go on after midnight
		return refused("date", fault.Say("chat.day_is_over"))
	}
	return nil
}

func driverTwice(name string) fault.Text { return fault.Say("chat.driver_twice", "name", name) }
func orderTwice(name string) fault.Text  { return fault.Say("chat.order_twice", "name", name) }

// Receiver is a driver who may get a message, with how many the side has written that day.
type Receiver struct {
	ID       int64
	Name     string
	Messages int64
}

// Address sends a message about several orders to their drivers, by order. It
// returns the fault of all orders that have none.
func (m *Message) Address(drivers map[int64]int64) error {
	var problems []fault.Violation
	m.DriverIDs = make([]int64, len(m.Orders))
	for i, id := range m.Orders {
		if m.DriverIDs[i] = drivers[id]; drivers[id] == 0 {
			text := fault.Say("chat.no_driver", "name", strconv.FormatInt(id, 10))
			problems = append(problems, fault.Violation{Field: "orderIds[" + strconv.Itoa(i) + "]", Text: text})
		}
	}
	return fault.Violated(problems)
}

// About are the orders of the messages to DriverIDs, 0 for none.
func (m *Message) About() []int64 {
	if m.Orders != nil {
		return m.Orders
	}
	return slices.Repeat([]int64{m.OrderID}, len(m.DriverIDs))
}

// Admit returns why the drivers of a message may not get it, if so.
func (m *Message) Admit(known []Receiver) error {
	byID := make(map[int64]*Receiver, len(known))
	for i := range known {
		byID[known[i].ID] = &known[i]
	}
	for _, id := range m.DriverIDs {
		r := byID[id]
		if r != nil {
			r.Messages++
		}
		switch {
		case r == nil:
			return refused("driverIds", fault.Say("driver.not_found", "name", strconv.FormatInt(id, 10)))
		case r.Messages > MostADay:
			return &fault.Error{
				Kind: fault.IllegalState, Text: fault.Say("chat.full", "name", r.Name, "max", strconv.Itoa(MostADay)),
				Resource: "driver", Name: strconv.FormatInt(id, 10),
			}
		}
	}
	return nil
}

// WrittenAt is when a driver wrote a message that came in at a moment, whatever the phone's
// clock says: it knows how long before it sent it.
func WrittenAt(clock, sent, received time.Time) time.Time {
	delay := sent.Sub(clock)
	return received.Add(-max(0, min(delay, LatestDelay*24*time.Hour)))
}

// refused says that a field is well formed but cannot be.
func refused(field string, text fault.Text) error {
	return fault.Violated([]fault.Violation{{Field: field, Text: text}})
}

// NoOrder says that the order of a message does not exist.
func NoOrder(id int64) error {
	return refused("orderId", fault.Say("order.not_found", "name", strconv.FormatInt(id, 10)))
}
