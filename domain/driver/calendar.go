package driver

import (
	"fmt"
	"time"

	"waybill/domain/calendar"
	"waybill/domain/recurrence"
)

// Rule are the hours of the days that a recurrence rule picks.
type Rule struct {
	RRule string
	Hours
}

// Calendar is when a driver works. The first rule that matches a day applies,
// unless the department has closed that day; entries for single days override
// both.
type Calendar struct {
	rules []dayRule
	days  map[time.Time]Workday
	// Closed are the days on which the rules do not apply, nil for none.
	Closed *calendar.Calendar
}

type dayRule struct {
	picks recurrence.DayRule
	hours Hours
}

// NewCalendar reads rules in the time zone of an organization. days are the
// entries for single days.
func NewCalendar(zone *time.Location, rules []Rule, days []Workday) (Calendar, error) {
	c := Calendar{days: byDate(days)}
	for _, r := range rules {
		picks, err := recurrence.ParseDays(r.RRule, zone)
		if err != nil {
			return Calendar{}, fmt.Errorf("read workday rule %q: %w", r.RRule, err)
		}
		c.rules = append(c.rules, dayRule{picks, r.Hours})
	}
	return c, nil
}

// On returns the work of one day, and whether the driver works on it.
func (c Calendar) On(date time.Time) (Workday, bool) {
	if day, said := c.days[date.UTC()]; said {
		return day, !day.Off
	}
	if _, closed := c.Closed.On(date); closed {
		return Workday{}, false
	}
	for _, r := range c.rules {
		if r.picks.Matches(date.Date()) {
			return Workday{Date: date, Hours: r.hours}, true
		}
	}
	return Workday{}, false
}

// Between returns the days of work of a range, both ends included.
func (c Calendar) Between(start, end time.Time) []Workday {
	var days []Workday
	for date := start; !date.After(end); date = date.AddDate(0, 0, 1) {
		if day, works := c.On(date); works {
			days = append(days, day)
		}
	}
	return days
}
