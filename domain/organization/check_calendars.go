package organization

import (
	"strings"
	"time"

	"waybill/domain/calendar"
	"waybill/domain/recurrence"
)

// calendarProblems are what is wrong with entries of calendars, by the id of the text that callers of the API get.
var calendarProblems = map[string]string{
	"master_data.missing": "is missing", "calendar.no_days": "is missing: an entry needs date or rrule",
	"calendar.rule_alone":     "must not be combined with date or until",
	"calendar.bad_date":       "must be a date such as \"2027-05-17\"",
	"calendar.bad_range":      "must be date or later, and less than a year after it",
	"calendar.too_many_rules": "must have 30 rules or fewer",
	"field.too_long":          "must be 255 bytes or fewer", "request.not_text": "must be a text",
}

func (c *checker) calendars() {
	names(c, "calendars", c.document.Calendars, func(k Calendar) string { return k.Name })
	if len(c.document.Calendars) > calendar.MostCalendars {
		c.complain("calendars", "must have %d entries or fewer", calendar.MostCalendars)
	}
	for i := range c.document.Calendars {
		closed, path := c.document.Calendars[i].Closed, at("calendars", i)+".closed"
		if len(closed) > calendar.MostEntries {
			c.complain(path, "must have %d entries or fewer", calendar.MostEntries)
			continue
		}
		for _, problem := range calendar.Problems(path, closed) {
			text, known := calendarProblems[problem.Text.ID]
			if !known { // a rule that the parser refuses
				text = ruleProblem(closed, problem.Field)
			}
			c.complain(problem.Field, "%s", text)
		}
	}
}

// ruleProblem is what is wrong with the rule at a path of entries.
func ruleProblem(closed []calendar.Closed, field string) string {
	for i := range closed {
		if strings.HasSuffix(field, at("closed", i)+".rrule") {
			if _, err := recurrence.ParseDays(closed[i].RRule, time.UTC); err != nil {
				return err.Error()
			}
		}
	}
	return "is not a rule"
}
