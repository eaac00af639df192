package recurrence

import "time"

// Rule is an accepted recurrence rule together with its start and its zone.
// It never changes, and many goroutines may use one at a time. The zero Rule
// has no occurrences.
type Rule struct {
	set   ruleset
	zone  *time.Location
	start time.Time
	wall  time.Time // the start's wall time in zone, as if in UTC
	text  string

	until   time.Time // the last instant that the pattern may reach
	added   []time.Time
	removed exclusions
}

// Parse reads a rule that begins at start. The text is a whole ruleset (lines
// DTSTART, RRULE, RDATE and EXDATE) or the bare value of one RRULE.
//
// The rule's zone is the TZID of a DTSTART in the text, else zone; a nil zone
// is UTC. A DTSTART must name the same instant as start. The start counts to
// the whole second. A text that is refused is a *RefusedError.
func Parse(text string, start time.Time, zone *time.Location) (Rule, error) {
	set, err := readSet(text)
	if err != nil {
		return Rule{}, err
	}
	return newRule(set, start, zone)
}

// Canonical returns the rule as text in a normal form: one line each, with
// parts and lists in a fixed order. It is the text to save and to show. Parsing
// it again with the same start and zone yields the same rule and the same text.
func (r Rule) Canonical() string { return r.text }

// Zone returns the zone whose wall clock the rule follows.
func (r Rule) Zone() *time.Location {
	if r.zone == nil {
		return time.UTC
	}
	return r.zone
}

// Start returns the instant before which there is no occurrence.
func (r Rule) Start() time.Time { return r.start }

// WithStart returns the same rule from another start. A DTSTART in its text
// moves along and keeps its zone. The new start may make the rule unusable,
// which is a *RefusedError: an hour may now never be reached.
func (r Rule) WithStart(start time.Time) (Rule, error) {
	return newRule(r.set.startingAt(start), start, r.Zone())
}

// newRule combines a set with its start and its zone, and checks what depends
// on them.
func newRule(set ruleset, start time.Time, zone *time.Location) (Rule, error) {
	if set.start != nil && set.start.zone != nil {
		zone = set.start.zone
	}
	if zone == nil {
		zone = time.UTC
	}
	start = start.Truncate(time.Second).In(zone)
	if err := checkStart(set, start); err != nil {
		return Rule{}, err
	}
	set = set.startingAt(start)
	r := Rule{set: set, zone: zone, start: start, wall: wallOf(start), text: set.String()}
	if len(r.text) > maxText {
		return Rule{}, refuse("rruleset", msgTooLong, "max", itoa(maxText))
	}
	r.until = set.lastOfPattern(zone)
	r.added = set.additions(r.wall, zone)
	r.removed = newExclusions(set.exdates, zone)
	return r, nil
}

// checkStart refuses a start that the set contradicts or cannot begin at.
func checkStart(set ruleset, start time.Time) error {
	if !yearInRange(start.Year()) {
		return refuseYear("DTSTART", start.Year())
	}
	// A DTSTART may have to be written in UTC, where it can be another year.
	if utc := start.UTC().Year(); set.start != nil && !yearInRange(utc) {
		return refuseYear("DTSTART", utc)
	}
	if set.start != nil && !set.start.at(start.Location()).Equal(start) {
		return refuse("DTSTART", msgStartDiffer)
	}
	if set.pattern == nil {
		return nil
	}
	return set.pattern.checkReach(start.Hour())
}

// refuseYear returns the error for a date outside the supported years.
func refuseYear(part string, year int) error {
	return refuse(part, msgYear, "year", itoa(year), "min", itoa(minYear), "max", itoa(maxYear))
}
