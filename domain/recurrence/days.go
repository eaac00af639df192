package recurrence

import "time"

// DayRule selects whole local days, such as those on which a location is open.
// It is immutable, and safe for concurrent use. The zero DayRule selects none.
type DayRule struct{ rule Rule }

// ParseDays reads a rule that selects days of a zone's calendar. The text is
// the bare value of one RRULE, or a whole ruleset. Its frequency may be YEARLY,
// MONTHLY, WEEKLY or DAILY.
//
// A rule without a DTSTART applies from 1970 on. It may not have parts that
// depend on a start: COUNT, an INTERVAL above 1, WEEKLY without BYDAY and the
// like, and an EXDATE with a time of day. The error for a rejected text is a
// *RefusedError.
func ParseDays(text string, zone *time.Location) (DayRule, error) {
	set, err := readSet(text)
	if err != nil {
		return DayRule{}, err
	}
	if zone == nil {
		zone = time.UTC
	}
	if set.pattern != nil && set.pattern.freq == hourly {
		return DayRule{}, refuse("FREQ", msgDayRule, "value", hourly.String())
	}
	start := place(newYear(minYear), zone)
	if set.start != nil {
		start = set.start.at(zone)
	} else if part := set.needsStart(); part != "" {
		return DayRule{}, refuse(part, msgNeedsStart)
	}
	rule, err := newRule(set, start, zone)
	return DayRule{rule: rule}, err
}

// Matches reports whether the rule selects a local day. It takes a few
// microseconds for any day, and keeps no state between calls. Two kinds of
// rule take longer: one that matches no day for decades takes about a tenth of
// a millisecond, and one with COUNT must count from its start, at most a few
// milliseconds.
func (d DayRule) Matches(year int, month time.Month, day int) bool {
	return d.rule.OnDay(year, month, day)
}

// Canonical returns the rule as text, always in the same form. Parsing it again
// with the same zone yields the same rule and the same text.
func (d DayRule) Canonical() string { return d.rule.Canonical() }

// needsStart names the part that is meaningless without a DTSTART, if any.
func (s *ruleset) needsStart() string {
	for _, m := range s.exdates {
		if m.form != dateForm {
			return "EXDATE"
		}
	}
	p := s.pattern
	switch {
	case p == nil:
		return ""
	case p.count > 0:
		return "COUNT"
	case p.interval > 1:
		return "INTERVAL"
	case p.freq < daily && !p.picksDays():
		return "FREQ"
	default:
		return ""
	}
}
