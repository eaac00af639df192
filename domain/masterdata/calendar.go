package masterdata

import "waybill/domain/calendar"

// Calendar is the closed days of the departments, customers and locations that keep it.
type Calendar struct {
	Name     string            `json:"name"`
	Closed   []calendar.Closed `json:"closed"`
	IsActive bool              `json:"is_active"`
}

// Kind implements Record.
func (*Calendar) Kind() Kind { return Calendars }

// Called implements Record.
func (k *Calendar) Called() string { return k.Name }

// Active implements Record.
func (k *Calendar) Active() bool { return k.IsActive }

// Check implements Record.
func (k *Calendar) Check() error {
	var c checker
	c.name("name", &k.Name)
	if k.Closed == nil {
		k.Closed = []calendar.Closed{}
	}
	c.problems = append(c.problems, calendar.Problems("closed", k.Closed)...)
	return c.err()
}

// References implements Record.
func (*Calendar) References() []Reference { return nil }
