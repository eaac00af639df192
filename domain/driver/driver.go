// Package driver is the rules of drivers and of the days on which they work.
package driver

import (
	"fmt"
	"strings"
	"time"

	"github.com/nyaruka/phonenumbers"

	"waybill/domain/fault"
	"waybill/domain/order"
)

// Details are what is known of a driver; what is empty is not known.
type Details struct {
	ExternalID   string
	Name         string
	PhoneNumber  string
	EmailAddress string
}

// The longest texts that are kept, in bytes, and the longest schedule in days.
const (
	maxName = 255
	MaxDays = 366
)

// Check returns the details as they are kept, or says what is wrong with them.
func (d Details) Check() (Details, error) {
	d.Name = strings.TrimSpace(d.Name)
	var problems []fault.Violation
	complain := func(field string, text fault.Text) {
		problems = append(problems, fault.Violation{Field: field, Text: text})
	}
	for _, text := range []struct{ field, value string }{
		{"external_id", d.ExternalID}, {"name", d.Name}, {"phone_number", d.PhoneNumber}, {"email_address", d.EmailAddress},
	} {
		if len(text.value) > maxName {
			complain(text.field, fault.Say("field.too_long", "max", fmt.Sprint(maxName)))
		}
	}
	if d.Name == "" {
		complain("name", fault.Say("driver.name_missing"))
	}
	if d.PhoneNumber != "" {
		d.PhoneNumber = d.phone(complain)
	}
	if at := strings.LastIndex(d.EmailAddress, "@"); d.EmailAddress != "" &&
		(at < 1 || at == len(d.EmailAddress)-1 || strings.ContainsAny(d.EmailAddress, " \t\r\n,;<>")) {
		complain("email_address", fault.Say("driver.bad_email"))
	}
	if len(problems) > 0 {
		return d, &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"), Violations: problems}
	}
	return d, nil
}

// phone returns the number as E.164 writes it.
func (d Details) phone(complain func(string, fault.Text)) string {
	if len(d.PhoneNumber) <= maxName {
		number, err := phonenumbers.Parse(d.PhoneNumber, "")
		if err == nil && phonenumbers.IsPossibleNumber(number) {
			return phonenumbers.Format(number, phonenumbers.E164)
		}
		complain("phone_number", fault.Say("driver.bad_phone"))
	}
	return d.PhoneNumber
}

// Workday is one day on which a driver works, in clock times of the
// organization's zone. One that ends before it starts ends on the next day.
type Workday struct {
	Date         time.Time
	Starts, Ends order.Clock
}

// Schedule says on which days of a range, both ends included, a driver works.
// On the others of the range there is no work.
type Schedule struct {
	Start, End time.Time
	Days       []Workday
}

// Check says what is wrong with a schedule.
func (s Schedule) Check() error {
	var problems []fault.Violation
	complain := func(field string, text fault.Text) {
		problems = append(problems, fault.Violation{Field: field, Text: text})
	}
	switch {
	case s.End.Before(s.Start):
		complain("end_date", fault.Say("date.end_before_start"))
	case s.End.Sub(s.Start) >= MaxDays*24*time.Hour:
		complain("end_date", fault.Say("driver.schedule_too_long", "max", fmt.Sprint(MaxDays)))
	}
	seen := map[time.Time]bool{}
	for i, day := range s.Days {
		if i == MaxDays {
			complain("workdays", fault.Say("field.too_many", "max", fmt.Sprint(MaxDays)))
			break
		}
		field := fmt.Sprintf("workdays[%d]", i)
		switch {
		case day.Date.Before(s.Start) || day.Date.After(s.End):
			complain(field+".date", fault.Say("driver.day_outside"))
		case seen[day.Date]:
			complain(field+".date", fault.Say("driver.day_twice"))
		case day.Starts == day.Ends:
			complain(field+".ends", fault.Say("driver.no_hours"))
		}
		seen[day.Date] = true
	}
	if len(problems) > 0 {
		return &fault.Error{Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"), Violations: problems}
	}
	return nil
}

// Same reports whether a driver works on just these days already.
func (s Schedule) Same(present []Workday) bool {
	if len(present) != len(s.Days) {
		return false
	}
	hours := make(map[time.Time]Workday, len(present))
	for _, day := range present {
		hours[day.Date.UTC()] = day
	}
	for _, day := range s.Days {
		now, works := hours[day.Date.UTC()]
		if !works || now.Starts != day.Starts || now.Ends != day.Ends {
			return false
		}
	}
	return true
}
