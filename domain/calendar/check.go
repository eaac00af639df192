package calendar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"waybill/domain/fault"
	"waybill/domain/recurrence"
)

// MostCalendars is how many active calendars an organization has at most.
const MostCalendars = 100

// The limits of a calendar: its entries, those with rules, the bytes of a label or a rule, and the days of a range.
const (
	MostEntries = 200
	MostRules   = 30
	longestText = 255
	MostDays    = 366
)

// Problems returns what is wrong with entries, below a field. It trims their labels.
func Problems(field string, closed []Closed) (problems []fault.Violation) {
	if len(closed) > MostEntries {
		return []fault.Violation{{Field: field, Text: fault.Say("field.too_many", "max", strconv.Itoa(MostEntries))}}
	}
	rules := 0
	for i := range closed {
		if closed[i].RRule != "" {
			rules++
		}
		at := fmt.Sprintf("%s[%d]", field, i)
		problems = append(problems, closed[i].label(at+".label")...)
		problems = append(problems, closed[i].days(at)...)
	}
	if rules > MostRules {
		problems = append(problems, one(field, fault.Say("calendar.too_many_rules", "max", strconv.Itoa(MostRules)))...)
	}
	return problems
}

func (c *Closed) label(field string) []fault.Violation {
	c.Label = strings.TrimSpace(c.Label)
	switch {
	case c.Label == "":
		return one(field, fault.Say("master_data.missing"))
	case len(c.Label) > longestText:
		return one(field, fault.Say("field.too_long", "max", strconv.Itoa(longestText)))
	case !utf8.ValidString(c.Label) || strings.IndexByte(c.Label, 0) >= 0:
		return one(field, fault.Say("request.not_text"))
	}
	return nil
}

// days checks that an entry has a date or a rule, and that a range ends after it begins.
func (c *Closed) days(at string) []fault.Violation {
	switch {
	case c.Date == "" && c.RRule == "":
		return one(at+".date", fault.Say("calendar.no_days"))
	case c.RRule != "" && (c.Date != "" || c.Until != ""):
		return one(at+".rrule", fault.Say("calendar.rule_alone"))
	case c.RRule != "":
		return c.rule(at + ".rrule")
	}
	first, ok := parseDay(c.Date)
	if !ok {
		return one(at+".date", fault.Say("calendar.bad_date"))
	}
	if c.Until == "" {
		return nil
	}
	last, ok := parseDay(c.Until)
	switch {
	case !ok:
		return one(at+".until", fault.Say("calendar.bad_date"))
	case last.Before(first) || last.Sub(first) >= MostDays*24*time.Hour:
		return one(at+".until", fault.Say("calendar.bad_range", "max", strconv.Itoa(MostDays)))
	}
	return nil
}

func (c *Closed) rule(field string) []fault.Violation {
	if len(c.RRule) > longestText {
		return one(field, fault.Say("field.too_long", "max", strconv.Itoa(longestText)))
	}
	_, err := recurrence.ParseDays(c.RRule, time.UTC)
	if err == nil {
		return nil
	}
	text := fault.Say("request.invalid")
	if refused := (*recurrence.RefusedError)(nil); errors.As(err, &refused) {
		text = refused.Text
	}
	return one(field, text)
}

// parseDay reads a day of the years in which rules pick days.
func parseDay(text string) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, text)
	return day, err == nil && day.Year() >= 1970 && day.Year() <= 2199
}

func one(field string, text fault.Text) []fault.Violation {
	return []fault.Violation{{Field: field, Text: text}}
}
