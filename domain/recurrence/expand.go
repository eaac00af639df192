package recurrence

import (
	"slices"
	"time"
)

// MaxOccurrences is the maximum number of returned occurrences.
const MaxOccurrences = 1000

// Between returns the occurrences from one instant to another, both included, in
// order and in the rule's zone. It returns at most limit of them, and never more
// than MaxOccurrences; to continue, call it again from a second after the last.
//
// The cost depends on the time between the two instants, not on the age of the
// start, except that a rule with COUNT is counted from its start. The error is
// ErrLibrary.
func (r Rule) Between(from, to time.Time, limit int) ([]time.Time, error) {
	limit = min(limit, MaxOccurrences)
	if r.zone == nil || limit < 1 {
		return nil, nil
	}
	c := collector{rule: &r, from: later(from, r.start), to: earlier(to, lastInstant(r.zone)), limit: limit}
	if c.to.Before(c.from) {
		return nil, nil
	}
	if err := c.collectPattern(); err != nil {
		return nil, err
	}
	c.collectDates()
	return slices.Clip(c.found[:min(len(c.found), limit)]), nil
}

// OnDay reports whether the rule has an occurrence on a day of its zone's
// calendar. Should the library break down, it reports false.
func (r Rule) OnDay(year int, month time.Month, day int) bool {
	if r.zone == nil {
		return false
	}
	midnight := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	// A change of clock at midnight can make a day begin, end and begin again,
	// so the search includes the days around it: there is space for three days'
	// times and all dates.
	from := place(midnight, r.zone).Add(-widestShift)
	found, err := r.Between(from, from.Add(3*widestShift), MaxOccurrences)
	return err == nil && slices.ContainsFunc(found, func(at time.Time) bool {
		return dayOf(wallOf(at)).Equal(midnight)
	})
}

// lastInstant returns the last instant at which any rule may have an occurrence.
func lastInstant(zone *time.Location) time.Time {
	return place(newYear(maxYear+1).Add(-time.Second), zone)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// collector gathers the occurrences between two instants.
type collector struct {
	rule     *Rule
	from, to time.Time
	limit    int
	counted  int         // towards COUNT
	found    []time.Time // in order, each once
}

// outOfOrder is the maximum number of occurrences out of order: those of the
// day that the longest gap skips, which is moved past the ones after it.
const outOfOrder = 2 * maxADay

// collectPattern collects the occurrences of the RRULE.
func (c *collector) collectPattern() error {
	p := c.rule.set.pattern
	if p == nil {
		return nil
	}
	from, to := c.wallRange()
	visit := func(wall time.Time) bool {
		if wall.Before(c.rule.wall) {
			return true
		}
		if wall.Before(from) && wall.Sub(c.rule.wall) > widestShift {
			c.counted++
			return c.counted != p.count
		}
		return c.take(wall, p.count)
	}
	return p.walk(c.rule.wall, p.anchor(c.rule.wall, from), to, visit)
}

// wallRange returns the wall times that can happen from c.from to c.to, and some
// more, because a change of clock can be in between.
func (c *collector) wallRange() (from, to time.Time) {
	end := earlier(c.to, c.rule.until)
	return wallOf(c.from.In(c.rule.zone)).Add(-widestShift), wallOf(end.In(c.rule.zone)).Add(widestShift)
}

// take places one wall time and keeps it if it is wanted. It reports whether
// there may be more.
func (c *collector) take(wall time.Time, count int) bool {
	at := place(wall, c.rule.zone)
	if at.Before(c.rule.start) {
		return true
	}
	c.counted++
	if !at.Before(c.from) && !at.After(c.to) && !at.After(c.rule.until) && !c.rule.removed.has(at) {
		c.insert(at)
	}
	return c.counted != count && len(c.found) < c.limit+outOfOrder
}

// insert keeps the order. A time in a gap can fall on or behind the next ones.
func (c *collector) insert(at time.Time) {
	i := len(c.found)
	for i > 0 && c.found[i-1].After(at) {
		i--
	}
	if i == 0 || !c.found[i-1].Equal(at) {
		c.found = slices.Insert(c.found, i, at)
	}
}

// collectDates adds the dates of RDATE.
func (c *collector) collectDates() {
	for _, at := range c.rule.added {
		at = at.In(c.rule.zone)
		if !at.Before(c.from) && !at.After(c.to) && !c.rule.removed.has(at) {
			c.insert(at)
		}
	}
}
