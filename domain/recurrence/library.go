package recurrence

import (
	"errors"
	"fmt"
	"time"

	"github.com/teambition/rrule-go"
)

// ErrLibrary reports that the library failed on an accepted rule. No such
// rule is known.
var ErrLibrary = errors.New("recurrence library failed")

// walk calls visit with the wall times of a pattern from the anchor's period
// to the wall time to, in order, until visit stops it. The start only fills
// in what the pattern leaves open: earlier wall times are visited too, and
// the visitor must apply COUNT.
//
// It creates a new library rule each time, because they cannot be shared.
func (p *pattern) walk(start, anchor, to time.Time, visit func(wall time.Time) bool) (err error) {
	if to.Before(anchor) {
		return nil
	}
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%w: %v", ErrLibrary, reason)
		}
	}()
	twin := lateTwin(anchor.Year(), to.Year())
	option := p.option(start)
	option.Dtstart = moved(anchor, twin)
	option.Until = moved(to, twin)
	rule, err := rrule.NewRRule(option)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLibrary, err)
	}
	next := rule.Iterator()
	for wall, ok := next(); ok; wall, ok = next() {
		if !visit(moved(wall, -twin)) {
			return nil
		}
	}
	return nil
}

// moved returns a wall time so many seconds later; a time.Duration could not
// hold them.
func moved(wall time.Time, seconds int64) time.Time {
	return time.Unix(wall.Unix()+seconds, 0).UTC()
}

// option converts the pattern for the library, with all values that it
// takes from the start made explicit, because the library does not get the
// start.
func (p *pattern) option(start time.Time) rrule.ROption {
	o := rrule.ROption{
		Freq:       libraryFrequencies[p.freq],
		Interval:   p.step(),
		Wkst:       libraryWeekdays[p.weekStart],
		Bysetpos:   p.positions,
		Bymonth:    p.months,
		Bymonthday: p.monthDays,
		Byyearday:  p.yearDays,
		Byweekday:  p.libraryDays(),
		Byhour:     p.hours,
		Byminute:   orElse(p.minutes, start.Minute()),
		Bysecond:   orElse(p.seconds, start.Second()),
	}
	if p.freq != hourly {
		o.Byhour = orElse(p.hours, start.Hour())
	}
	if p.picksDays() {
		return o
	}
	switch p.freq {
	case yearly:
		o.Bymonth = orElse(p.months, int(start.Month()))
		o.Bymonthday = []int{start.Day()}
	case monthly:
		o.Bymonthday = []int{start.Day()}
	case weekly:
		o.Byweekday = []rrule.Weekday{libraryWeekdays[mondayBased(start.Weekday())]}
	}
	return o
}

// orElse returns a list, or the one value if the list is empty.
func orElse(list []int, value int) []int {
	if len(list) > 0 {
		return list
	}
	return []int{value}
}

// mondayBased counts a weekday from Monday on, as iCalendar does.
func mondayBased(day time.Weekday) int { return (int(day) + 6) % 7 }

var libraryFrequencies = [...]rrule.Frequency{
	yearly: rrule.YEARLY, monthly: rrule.MONTHLY, weekly: rrule.WEEKLY, daily: rrule.DAILY, hourly: rrule.HOURLY,
}

var libraryWeekdays = [...]rrule.Weekday{rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA, rrule.SU}

func (p *pattern) libraryDays() []rrule.Weekday {
	days := make([]rrule.Weekday, len(p.weekdays))
	for i, w := range p.weekdays {
		days[i] = libraryWeekdays[w.day]
		if w.number != 0 {
			days[i] = days[i].Nth(w.number)
		}
	}
	return days
}
