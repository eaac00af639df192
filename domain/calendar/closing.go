package calendar

import "time"

// Party is who has closed.
type Party string

// The parties of an order.
const (
	Department Party = "DEPARTMENT"
	Customer   Party = "CUSTOMER"
	Pickup     Party = "PICKUP"
	Delivery   Party = "DELIVERY"
)

// Parties are the calendars that the parties of an order keep; nil is none.
type Parties struct{ Department, Customer, Pickup, Delivery *Calendar }

// Closing says that a party of an order has closed on a day.
type Closing struct {
	Party Party `json:"party"`
	// Calendar is the name of the calendar, and Label that of its entry.
	Calendar string `json:"calendar"`
	Label    string `json:"label"`
	// NextOpen is the next day on which no party has closed, as YYYY-MM-DD; empty if there is none within MostDaysAhead.
	NextOpen string `json:"nextOpenDay,omitempty"`
}

// Closings finds out who has closed, and finds the same only once. The zero value is ready. It is not safe for
// concurrent use.
type Closings struct{ known map[asked]found }

type asked struct {
	parties Parties
	day     time.Time
}

// found has the closings of a customer or a stop, and of a department.
type found struct{ order, department *Closing }

// Order returns which of the customer, the pickup and the delivery has closed on a day, the first of them; nil if none
// has.
func (c *Closings) Order(date time.Time, parties Parties) *Closing { return c.on(date, parties).order }

// Department returns that the department has closed on a day, or nil.
func (c *Closings) Department(date time.Time, parties Parties) *Closing {
	return c.on(date, parties).department
}

func (c *Closings) on(date time.Time, parties Parties) found {
	if parties == (Parties{}) {
		return found{}
	}
	key := asked{parties, dayOf(date)}
	known, is := c.known[key]
	if is {
		return known
	}
	known = parties.on(key.day)
	if c.known == nil {
		c.known = map[asked]found{}
	}
	c.known[key] = known
	return known
}

func (p Parties) on(day time.Time) (closed found) {
	for _, of := range []struct {
		party Party
		keeps *Calendar
		to    **Closing
	}{
		{Customer, p.Customer, &closed.order},
		{Pickup, p.Pickup, &closed.order},
		{Delivery, p.Delivery, &closed.order},
		{Department, p.Department, &closed.department},
	} {
		if label, is := of.keeps.On(day); is && *of.to == nil {
			*of.to = &Closing{Party: of.party, Calendar: of.keeps.Name, Label: label}
		}
	}
	if closed == (found{}) {
		return closed
	}
	next := NextOpen(day, p.Department, p.Customer, p.Pickup, p.Delivery)
	for _, of := range []*Closing{closed.order, closed.department} {
		if of != nil && !next.IsZero() {
			of.NextOpen = next.Format(time.DateOnly)
		}
	}
	return closed
}
