package recurring

import (
	"time"

	"waybill/domain/recurrence"
)

// Occurrence is one time at which a template requires an order.
type Occurrence struct {
	// Key is the minute on the wall clock of the rule's zone, as YYYYMMDDTHHMM.
	// Times within one minute are one occurrence.
	Key string
	At  time.Time
	// Date is the order's day in the organization's zone, as midnight UTC.
	Date time.Time
}

const keyForm = "20060102T1504"

// DayOf returns the day of an instant in a zone, as midnight UTC.
func DayOf(at time.Time, zone *time.Location) time.Time {
	year, month, day := at.In(zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// Midnight returns the instant at which a day begins in a zone.
func Midnight(day time.Time, zone *time.Location) time.Time { return recurrence.Place(day, zone) }

// Horizon returns the first and last day that must have orders, given today.
// last is before first if none are needed.
func (t *Template) Horizon(today time.Time, zone *time.Location) (first, last time.Time) {
	first, last = DayOf(t.Start, zone), today.AddDate(0, 0, t.DaysAhead)
	if today.After(first) {
		first = today
	}
	if t.End != nil && DayOf(*t.End, zone).Before(last) {
		last = DayOf(*t.End, zone)
	}
	return first, last
}

// Occurrences returns the template's occurrences from one day to another, both
// included, in order.
func (t *Template) Occurrences(first, last time.Time, zone *time.Location) ([]Occurrence, error) {
	rule, err := t.rule(zone)
	if err != nil {
		return nil, err
	}
	if t.End != nil && DayOf(*t.End, zone).Before(last) {
		last = DayOf(*t.End, zone)
	}
	return Expand(rule, first, last, zone, 0)
}

// Expand returns the occurrences of a rule between two days, both included, in
// the days of a zone. A limit of 0 means none.
func Expand(rule recurrence.Rule, first, last time.Time, zone *time.Location, limit int) ([]Occurrence, error) {
	var all []Occurrence
	seen := map[string]bool{}
	// A change of clock at midnight can shift a day's hours, so the search
	// extends a little further on both sides and filters by day.
	from, to := Midnight(first, zone).Add(-slack), Midnight(last.AddDate(0, 0, 1), zone).Add(slack)
	size := recurrence.MaxOccurrences
	if limit > 0 {
		size = min(size, limit+aroundMidnight)
	}
	for {
		times, err := rule.Between(from, to, size)
		if err != nil {
			return nil, err
		}
		for _, at := range times {
			o := Occurrence{Key: at.In(rule.Zone()).Format(keyForm), At: at.UTC(), Date: DayOf(at, zone)}
			if o.Date.Before(first) || o.Date.After(last) || seen[o.Key] {
				continue
			}
			seen[o.Key] = true
			if all = append(all, o); len(all) == limit {
				return all, nil
			}
		}
		if len(times) < size {
			return all, nil
		}
		from = times[len(times)-1].Add(time.Second)
	}
}

// slack is more than any clock change around midnight.
const slack = 26 * time.Hour

// aroundMidnight is about how many occurrences that slack adds before the first.
const aroundMidnight = 32

// Next returns the first day after another one with an occurrence.
func (t *Template) Next(after time.Time, zone *time.Location) (day time.Time, ok bool, err error) {
	rule, err := t.rule(zone)
	if err != nil {
		return time.Time{}, false, err
	}
	last := lastDay
	if t.End != nil {
		last = DayOf(*t.End, zone)
	}
	found, err := Expand(rule, after.AddDate(0, 0, 1), last, zone, 1)
	if err != nil || len(found) == 0 {
		return time.Time{}, false, err
	}
	return found[0].Date, true, nil
}

// covered returns the last generated day. A rule that has ended covers nothing
// after its last occurrence, so a larger COUNT or a later UNTIL adds orders
// there.
func (t *Template) covered(zone *time.Location) (*time.Time, error) {
	if t.GeneratedThrough == nil {
		return nil, nil
	}
	through := *t.GeneratedThrough
	_, more, err := t.Next(through, zone)
	if err != nil || more {
		return &through, err
	}
	found, err := t.Occurrences(through.AddDate(0, 0, -MaxDaysAhead), through, zone)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[len(found)-1].Date, nil
}

var lastDay = time.Date(2199, 12, 31, 0, 0, 0, 0, time.UTC)

// Wake returns when the template needs work next, once everything up to today's
// horizon is done: the midnight at which the next occurrence enters the
// horizon. ok is false if there are no more occurrences.
func (t *Template) Wake(today time.Time, zone *time.Location) (at, next time.Time, ok bool, err error) {
	horizon := today.AddDate(0, 0, t.DaysAhead)
	next, ok, err = t.Next(horizon, zone)
	if err != nil || !ok {
		return time.Time{}, time.Time{}, false, err
	}
	return Midnight(next.AddDate(0, 0, -t.DaysAhead), zone), next, true, nil
}
