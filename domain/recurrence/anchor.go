package recurrence

import "time"

// A pattern divides wall time into periods: years, months, weeks, days or
// hours. It uses every INTERVAL-th of them, counted from the one of the start,
// and its result in one period does not depend on others. So an expansion may
// begin at any period that is a whole number of steps after the first. Only
// COUNT depends on earlier periods.

// anchor returns the beginning of the period from which to expand, so that no
// occurrence from a wall time on is missed.
func (p *pattern) anchor(start, from time.Time) time.Time {
	first := p.period(start)
	if p.count > 0 {
		return p.periodStart(first)
	}
	steps := max(p.period(from)-first, 0) / p.step()
	return p.periodStart(first + steps*p.step())
}

// period returns the number of the period that contains a wall time.
func (p *pattern) period(wall time.Time) int {
	const hour, day = 3600, 24 * 3600
	switch p.freq {
	case yearly:
		return wall.Year()
	case monthly:
		return wall.Year()*12 + int(wall.Month()) - 1
	case weekly:
		return floorDiv(floorDiv(int(wall.Unix()), day)-p.firstWeek(), 7)
	case daily:
		return floorDiv(int(wall.Unix()), day)
	default:
		return floorDiv(int(wall.Unix()), hour)
	}
}

// periodStart returns the wall time at which a period begins.
func (p *pattern) periodStart(period int) time.Time {
	switch p.freq {
	case yearly:
		return time.Date(period, 1, 1, 0, 0, 0, 0, time.UTC)
	case monthly:
		return time.Date(0, time.Month(period+1), 1, 0, 0, 0, 0, time.UTC)
	case weekly:
		return time.Date(1970, 1, 1+p.firstWeek()+7*period, 0, 0, 0, 0, time.UTC)
	case daily:
		return time.Date(1970, 1, 1+period, 0, 0, 0, 0, time.UTC)
	default:
		return time.Date(1970, 1, 1, period, 0, 0, 0, time.UTC)
	}
}

// firstWeek returns the day, counted from 1 January 1970, on which the week
// numbered 0 begins. 1 January 1970 was a Thursday.
func (p *pattern) firstWeek() int { return p.weekStart - 3 }

// floorDiv divides and rounds down, also below zero.
func floorDiv(a, b int) int {
	quotient := a / b
	if a%b < 0 {
		quotient--
	}
	return quotient
}

// lastLibraryYear is where the library stops searching. Nothing else stops it
// if a pattern has no further days.
const lastLibraryYear = 9999

// lateTwin returns the seconds by which to move the years first to last so that
// they are as late as the library can go and still have the same calendar: the
// same leap years and the same weekdays. A search without further results then
// ends after decades, mostly less than three, instead of 8,000 years.
//
// There is always a twin, because calendars repeat every 400 years.
func lateTwin(first, last int) int64 {
	for year := lastLibraryYear - (last - first); ; year-- {
		if sameCalendar(first, year, last-first+1) {
			return newYear(year).Unix() - newYear(first).Unix()
		}
	}
}

// sameCalendar reports whether the years from a and from b on have the same
// calendar.
func sameCalendar(a, b, years int) bool {
	if newYear(a).Weekday() != newYear(b).Weekday() {
		return false
	}
	for i := range years {
		if leap(a+i) != leap(b+i) {
			return false
		}
	}
	return true
}

func newYear(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }

func leap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }
