package order

import (
	"time"

	"waybill/domain/calendar"
	"waybill/domain/fault"
)

// fieldsOfParties are the fields of an entry that name who has closed.
var fieldsOfParties = map[calendar.Party]string{
	calendar.Department: "date", calendar.Customer: "customer", calendar.Pickup: "pickup", calendar.Delivery: "delivery",
}

// warnOfClosings warns of a customer, a stop or a department that has closed on the order's day.
func (d *decider) warnOfClosings(j *judged, b basis) {
	s := d.snapshot
	if !b.ok || len(s.Calendars) == 0 {
		return
	}
	parties := calendar.Parties{
		Department: s.Calendars[s.DepartmentCalendars[j.header.DepartmentID]],
		Pickup:     s.Calendars[s.calendarOf(j.pickup)], Delivery: s.Calendars[s.calendarOf(j.delivery)],
	}
	if c := s.index.customersByID[j.header.CustomerID]; c != nil {
		parties.Customer = s.Calendars[c.CalendarID]
	}
	for _, closed := range []*calendar.Closing{s.closings.Order(b.day, parties), s.closings.Department(b.day, parties)} {
		if closed != nil {
			j.note(ClosedThatDay, fieldsOfParties[closed.Party], closedText(b.day, closed))
		}
	}
}

// calendarOf is the calendar that the location of a stop keeps, 0 for none.
func (s *Snapshot) calendarOf(stop *Stop) int64 {
	if l := s.index.locationsByID[stop.LocationID]; l != nil {
		return l.CalendarID
	}
	return 0
}

// closedText names the entry of the calendar, and the next day on which the order can be planned.
func closedText(day time.Time, closed *calendar.Closing) fault.Text {
	id := "import.closed_that_day"
	if closed.Party == calendar.Department {
		id = "import.department_closed"
	}
	return fault.Say(id, "label", fault.Clip(closed.Label), "calendar", fault.Clip(closed.Calendar),
		"date", day.Format(time.DateOnly), "next", closed.NextOpen)
}
