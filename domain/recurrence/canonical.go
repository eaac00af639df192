package recurrence

import (
	"fmt"
	"strings"
)

// String returns the set in canonical form. The parts of the RRULE have the
// order of the common libraries.
func (s *ruleset) String() string {
	var lines []string
	if s.start != nil {
		lines = append(lines, "DTSTART"+s.start.params()+":"+s.start.value())
	}
	if s.pattern != nil {
		lines = append(lines, "RRULE:"+s.pattern.String())
	}
	lines = appendDates(lines, "RDATE", s.rdates)
	lines = appendDates(lines, "EXDATE", s.exdates)
	return strings.Join(lines, "\n")
}

// appendDates writes moments, those with the same parameters on one line.
func appendDates(lines []string, name string, moments []moment) []string {
	last := ""
	for _, m := range moments {
		head := name + m.params() + ":"
		if head == last {
			lines[len(lines)-1] += "," + m.value()
			continue
		}
		lines = append(lines, head+m.value())
		last = head
	}
	return lines
}

// String writes the pattern as the value of an RRULE.
func (p *pattern) String() string {
	parts := []string{"FREQ=" + p.freq.String()}
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+"="+value)
		}
	}
	if p.interval > 0 {
		add("INTERVAL", itoa(p.interval))
	}
	if p.weekStart > 0 {
		add("WKST", weekdayNames[p.weekStart])
	}
	if p.count > 0 {
		add("COUNT", itoa(p.count))
	}
	if p.until != nil {
		add("UNTIL", p.until.value())
	}
	add("BYSETPOS", joined(p.positions))
	add("BYMONTH", joined(p.months))
	add("BYMONTHDAY", joined(p.monthDays))
	add("BYYEARDAY", joined(p.yearDays))
	add("BYDAY", joined(p.weekdays))
	add("BYHOUR", joined(p.hours))
	add("BYMINUTE", joined(p.minutes))
	add("BYSECOND", joined(p.seconds))
	return strings.Join(parts, ";")
}

// joined writes a list; an empty one is an empty text.
func joined[T any](values []T) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = fmt.Sprint(value)
	}
	return strings.Join(texts, ",")
}
