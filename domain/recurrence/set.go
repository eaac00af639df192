package recurrence

import (
	"slices"
	"strings"
	"time"
)

// maxDates is how many RDATE and EXDATE values a rule may have together.
const maxDates = 500

// ruleset is the content of a text before it gets a start and a zone.
type ruleset struct {
	start   *moment
	pattern *pattern
	rdates  []moment
	exdates []moment
}

// readSet parses a text. It checks everything that does not depend on the start
// and the organization's zone.
func readSet(text string) (ruleset, error) {
	lines, err := readLines(text)
	if err != nil {
		return ruleset{}, err
	}
	var set ruleset
	known := zones{}
	for _, l := range lines {
		if err := set.add(l, known); err != nil {
			return ruleset{}, err
		}
	}
	return set, set.finish()
}

// add takes in one line.
func (s *ruleset) add(l line, known zones) error {
	switch l.name {
	case "DTSTART":
		return s.addStart(l, known)
	case "RRULE":
		return s.addPattern(l)
	case "RDATE", "EXDATE":
		return s.addDates(l, known)
	case "EXRULE":
		return refuse(l.name, msgUnsupported)
	default:
		return refuse(shown(l.name), msgUnknownLine)
	}
}

func (s *ruleset) addStart(l line, known zones) error {
	if s.start != nil {
		return refuse(l.name, msgRepeated)
	}
	starts, err := readMoments(l, known)
	if err != nil {
		return err
	}
	if len(starts) != 1 {
		return refuse(l.name, msgRepeated)
	}
	s.start = &starts[0]
	return nil
}

func (s *ruleset) addPattern(l line) error {
	if s.pattern != nil {
		return refuse(l.name, msgRepeated)
	}
	if len(l.params) > 0 {
		return refuse(l.name, msgMalformed, "value", shown(l.params[0]))
	}
	p, err := readPattern(l.value)
	if err != nil {
		return err
	}
	s.pattern = &p
	return nil
}

func (s *ruleset) addDates(l line, known zones) error {
	if len(s.rdates)+len(s.exdates)+strings.Count(l.value, ",") >= maxDates {
		return refuse(l.name, msgManyDates, "max", itoa(maxDates))
	}
	dates, err := readMoments(l, known)
	if err != nil {
		return err
	}
	if l.name == "RDATE" {
		s.rdates = append(s.rdates, dates...)
	} else {
		s.exdates = append(s.exdates, dates...)
	}
	return nil
}

// finish checks what concerns several lines, and sorts the dates.
func (s *ruleset) finish() error {
	if s.pattern == nil && len(s.rdates) == 0 {
		return refuse("RRULE", msgNoRule)
	}
	if s.pattern != nil && s.start != nil && s.start.form == dateForm {
		if part := s.pattern.timePart(); part != "" {
			return refuse(part, msgTimeOfDay)
		}
	}
	s.rdates = inOrder(s.rdates)
	s.exdates = inOrder(s.exdates)
	return nil
}

// startingAt returns the set with its DTSTART, if any, set to an instant in
// canonical form. Without a TZID it is converted to UTC, so that the text names
// the same start after the organization changes its zone.
func (s *ruleset) startingAt(start time.Time) ruleset {
	moved := *s
	if s.start == nil {
		return moved
	}
	first := utcMoment(start)
	if s.start.tzid != "" {
		first = zonedMoment(start, s.start.zone, s.start.tzid)
	}
	moved.start = &first
	return moved
}

// lastOfPattern returns the last instant that the pattern may reach: its UNTIL,
// or the end of the years that we deal with.
func (s *ruleset) lastOfPattern(zone *time.Location) time.Time {
	if s.pattern == nil || s.pattern.until == nil {
		return lastInstant(zone)
	}
	until := s.pattern.until
	if until.form == dateForm {
		return lastOfDay(until.wall, zone)
	}
	return until.at(zone)
}

// additions returns the instants that RDATE adds, in order.
func (s *ruleset) additions(start time.Time, zone *time.Location) []time.Time {
	added := make([]time.Time, 0, len(s.rdates))
	for _, m := range s.rdates {
		if m.form == dateForm {
			m.wall = m.wall.Add(timeOfDay(start))
		}
		added = append(added, m.at(zone))
	}
	slices.SortFunc(added, time.Time.Compare)
	return slices.CompactFunc(added, time.Time.Equal)
}

// splitList splits a comma-separated list and trims its items.
func splitList(value string) []string {
	items := strings.Split(value, ",")
	for i, item := range items {
		items[i] = strings.TrimSpace(item)
	}
	return items
}
