// Package location has the rules for locations that users create and edit.
// Package order has those for locations of imports.
package location

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/recurrence"
	"waybill/domain/visit"
)

// Details are the known details of a location; empty means unknown.
type Details struct {
	ExternalID      string
	Name            string
	Address         order.Address
	Opens, Closes   *order.Clock
	HoursAreDefault bool
	Windows         []Window
	// Pauses are when it is closed within its hours and windows.
	Pauses []order.Pause
	// Curbside means that vehicles stop on the side of the street where it is.
	Curbside bool
	// CalendarID is the calendar that it keeps, nil for none.
	CalendarID *int64
	// EstimatedTimeOnLocation is the default service time in minutes.
	EstimatedTimeOnLocation *int32
	// ServiceTime is how long a visit and each of its orders take, nil if unknown.
	ServiceTime *visit.ServiceTime
}

// Window is hours on the days that a recurrence rule picks.
type Window struct {
	RRule         string
	Opens, Closes order.Clock
}

// The longest text that is kept, in bytes, and the most windows.
const (
	maxName    = 255
	maxWindows = 100
)

// Key is what distinguishes a location without an external id from others.
func (d *Details) Key() order.LocationKey { return order.KeyOf(d.Name, d.Address) }

// Same reports whether a location is so already.
func (d *Details) Same(other *Details) bool { return reflect.DeepEqual(d, other) }

// Check returns the violations of a location, or nil. Its windows are in
// the organization's time zone.
func (d *Details) Check(zone *time.Location) error {
	c := &checker{}
	for _, text := range []struct{ field, value string }{{"external_id", d.ExternalID}, {"name", d.Name}} {
		if len(text.value) > maxName {
			c.complain(text.field, fault.Say("field.too_long", "max", fmt.Sprint(maxName)))
		}
	}
	if field, text, ok := d.Address.Check(); !ok {
		c.complain(strings.TrimSuffix("address."+snake(field), "."), text)
	}
	c.hours(d)
	if t := d.EstimatedTimeOnLocation; t != nil && (*t < 0 || *t > 24*60) {
		c.complain("estimated_time_on_location", fault.Say("stop.bad_service_time"))
	}
	c.problems = append(c.problems, d.ServiceTime.Problems("service_time")...)
	c.windows(d.Windows, zone)
	c.pauses(d.Pauses)
	if len(c.problems) > 0 {
		return &fault.Error{
			Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"), Violations: c.problems,
		}
	}
	return nil
}

// checker collects violations.
type checker struct{ problems []fault.Violation }

func (c *checker) complain(field string, text fault.Text) {
	c.problems = append(c.problems, fault.Violation{Field: field, Text: text})
}

func (c *checker) hours(d *Details) {
	switch {
	case d.Opens == nil && d.Closes == nil:
		if d.HoursAreDefault {
			c.complain("use_opening_hours_as_default", fault.Say("location.no_hours"))
		}
	case d.Opens == nil:
		c.complain("opens", fault.Say("stop.bad_hours"))
	case d.Closes == nil || *d.Opens == *d.Closes:
		c.complain("closes", fault.Say("stop.bad_hours"))
	case *d.Opens == order.EndOfDay:
		c.complain("opens", fault.Say("stop.bad_hours"))
	}
}

func (c *checker) windows(windows []Window, zone *time.Location) {
	if len(windows) > maxWindows {
		c.complain("time_windows", fault.Say("field.too_many", "max", fmt.Sprint(maxWindows)))
		return
	}
	for i, w := range windows {
		field := fmt.Sprintf("time_windows[%d]", i)
		if w.Opens == w.Closes || w.Opens == order.EndOfDay {
			c.complain(field+".closes", fault.Say("stop.bad_hours"))
		}
		if _, err := recurrence.ParseDays(w.RRule, zone); err != nil {
			c.complain(field+".rrule", ruleText(err))
		}
	}
}

// pauses checks that each pause ends after it begins, and the next begins after that.
func (c *checker) pauses(pauses []order.Pause) {
	if len(pauses) > order.MostPauses {
		c.complain("pauses", fault.Say("field.too_many", "max", fmt.Sprint(order.MostPauses)))
		return
	}
	for _, i := range order.WrongPauses(pauses) {
		c.complain(fmt.Sprintf("pauses[%d]", i), fault.Say("location.bad_pause"))
	}
}

func ruleText(err error) fault.Text {
	var refused *recurrence.RefusedError
	if errors.As(err, &refused) {
		return refused.Text
	}
	return fault.Say("request.invalid")
}

// snake names a field of an address as the operations of locations do.
func snake(field string) string {
	if field == "postalCode" {
		return "postal_code"
	}
	return field
}
