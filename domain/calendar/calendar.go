// Package calendar tells on which days a department, a customer or a location has closed: holidays, and days or weeks
// that somebody names. It is pure.
package calendar

import (
	"encoding/json"
	"fmt"
	"time"

	"waybill/domain/recurrence"
)

// Closed is one entry of a calendar: a day, a range of days, or the days that a recurrence rule picks.
type Closed struct {
	// Label is why it is closed, such as "Constitution Day".
	Label string `json:"label"           yaml:"label"`
	// Date is the day, or the first of a range, as YYYY-MM-DD; empty with a rule.
	Date string `json:"date,omitempty"  yaml:"date"`
	// Until is the last day of a range; empty is one day.
	Until string `json:"until,omitempty" yaml:"until"`
	// RRule picks the days if there is no date.
	RRule string `json:"rrule,omitempty" yaml:"rrule"`
}

// Calendar is the closed days of those who keep it.
type Calendar struct {
	ID   int64
	Name string

	entries []entry
}

// entry is a closed entry as it is looked up.
type entry struct {
	label       string
	first, last time.Time
	rule        *recurrence.DayRule
}

// New reads the entries of a calendar. Their rules pick days of a zone.
func New(id int64, name string, closed []Closed, zone *time.Location) (*Calendar, error) {
	c := &Calendar{ID: id, Name: name, entries: make([]entry, 0, len(closed))}
	for i := range closed {
		read, err := readEntry(&closed[i], zone)
		if err != nil {
			return nil, fmt.Errorf("calendar %q, entry %d: %w", name, i, err)
		}
		c.entries = append(c.entries, read)
	}
	return c, nil
}

func readEntry(closed *Closed, zone *time.Location) (entry, error) {
	e := entry{label: closed.Label}
	if closed.RRule != "" {
		rule, err := recurrence.ParseDays(closed.RRule, zone)
		e.rule = &rule
		return e, err
	}
	var err error
	if e.first, err = time.Parse(time.DateOnly, closed.Date); err != nil {
		return e, err
	}
	e.last = e.first
	if closed.Until != "" {
		e.last, err = time.Parse(time.DateOnly, closed.Until)
	}
	return e, err
}

// On returns the label of the first entry that a day belongs to, and whether there is one. A nil calendar is always
// open. Only the year, the month and the day count.
func (c *Calendar) On(date time.Time) (label string, closed bool) {
	if c == nil {
		return "", false
	}
	day := dayOf(date)
	for i := range c.entries {
		if c.entries[i].has(day) {
			return c.entries[i].label, true
		}
	}
	return "", false
}

func (e *entry) has(day time.Time) bool {
	if e.rule != nil {
		return e.rule.Matches(day.Date())
	}
	return !day.Before(e.first) && !day.After(e.last)
}

func dayOf(date time.Time) time.Time {
	year, month, day := date.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// MostDaysAhead is how many days after a closed one an open one is looked for.
const MostDaysAhead = 366

// NextOpen returns the first day after a date on which none of the calendars is closed; zero if there is none within
// MostDaysAhead days.
func NextOpen(date time.Time, calendars ...*Calendar) time.Time {
	for day, n := dayOf(date), 0; n < MostDaysAhead; n++ {
		day = day.AddDate(0, 0, 1)
		if open(day, calendars) {
			return day
		}
	}
	return time.Time{}
}

func open(day time.Time, calendars []*Calendar) bool {
	for _, c := range calendars {
		if _, closed := c.On(day); closed {
			return false
		}
	}
	return true
}

// Stored are the calendars of an organization as they are stored. It is not safe for concurrent use.
type Stored struct {
	zone *time.Location
	rows map[int64]row
	read map[int64]*Calendar
}

// row is a stored calendar.
type row struct {
	ID     int64    `json:"id"`
	Name   string   `json:"name"`
	Closed []Closed `json:"closed"`
}

// Read reads calendars from a JSON array of objects with id, name and closed. Their rules pick days of a zone.
func Read(document []byte, zone *time.Location) (Stored, error) {
	var rows []row
	if err := json.Unmarshal(document, &rows); err != nil {
		return Stored{}, fmt.Errorf("read calendars: %w", err)
	}
	s := Stored{zone: zone, rows: make(map[int64]row, len(rows)), read: make(map[int64]*Calendar, len(rows))}
	for _, r := range rows {
		s.rows[r.ID] = r
	}
	return s, nil
}

// None reports whether there are no calendars.
func (s *Stored) None() bool { return len(s.rows) == 0 }

// Of returns the calendar with an id; nil if there is none. Its rules are read when it is first asked for.
func (s *Stored) Of(id int64) (*Calendar, error) {
	r, known := s.rows[id]
	if !known {
		return nil, nil
	}
	if c := s.read[id]; c != nil {
		return c, nil
	}
	c, err := New(r.ID, r.Name, r.Closed, s.zone)
	if err == nil {
		s.read[id] = c
	}
	return c, err
}
