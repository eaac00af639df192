package recurrence_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// reference is a rule in the terms of RFC 5545, expanded by brute force: it
// checks every day and every time of day. It shares no code with the package or
// the library.
type reference struct {
	freq                                 string
	interval, count                      int
	until                                time.Time // wall time; zero means none
	weekStart                            int       // days after Monday
	months, monthDays, yearDays, setPos  []int
	weekdays                             []numberedDay
	hours, minutes, seconds              []int
	start                                time.Time // wall time
	zone                                 *time.Location
	excludedDays, excludedTimes, addedAt []time.Time // wall times
}

type numberedDay struct{ number, day int }

var dayNames = []string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}

// text writes the rule as a caller would.
func (r reference) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "RRULE:FREQ=%s;INTERVAL=%d;WKST=%s", r.freq, r.interval, dayNames[r.weekStart])
	if r.count > 0 {
		fmt.Fprintf(&b, ";COUNT=%d", r.count)
	}
	if !r.until.IsZero() {
		b.WriteString(";UNTIL=" + r.until.Format("20060102T150405"))
	}
	var days []string
	for _, d := range r.weekdays {
		days = append(days, strings.TrimPrefix(fmt.Sprint(d.number), "0")+dayNames[d.day])
	}
	if len(days) > 0 {
		b.WriteString(";BYDAY=" + strings.Join(days, ","))
	}
	for _, list := range []struct {
		name   string
		values []int
	}{
		{"BYMONTH", r.months},
		{"BYMONTHDAY", r.monthDays},
		{"BYYEARDAY", r.yearDays},
		{"BYSETPOS", r.setPos},
		{"BYHOUR", r.hours},
		{"BYMINUTE", r.minutes},
		{"BYSECOND", r.seconds},
	} {
		if len(list.values) > 0 {
			b.WriteString(";" + list.name + "=" + strings.ReplaceAll(strings.Trim(fmt.Sprint(list.values), "[]"), " ", ","))
		}
	}
	for _, day := range r.excludedDays {
		b.WriteString("\nEXDATE;VALUE=DATE:" + day.Format("20060102"))
	}
	for _, at := range r.excludedTimes {
		b.WriteString("\nEXDATE:" + at.Format("20060102T150405"))
	}
	for _, at := range r.addedAt {
		b.WriteString("\nRDATE:" + at.Format("20060102T150405"))
	}
	return b.String()
}

// expand returns all occurrences up to a wall time, in order.
func (r reference) expand(to time.Time) []time.Time {
	var found []time.Time
	counted := 0
	begin := placeSlowly(r.start, r.zone)
	for _, wall := range r.walls(to.AddDate(0, 0, 2)) {
		at := placeSlowly(wall, r.zone)
		if wall.Before(r.start) || at.Before(begin) {
			continue
		}
		if counted++; r.count > 0 && counted > r.count {
			break
		}
		if r.until.IsZero() || !at.After(placeSlowly(r.until, r.zone)) {
			found = append(found, at)
		}
	}
	for _, wall := range r.addedAt {
		found = append(found, placeSlowly(wall, r.zone))
	}
	end := placeSlowly(to, r.zone)
	found = slices.DeleteFunc(found, func(at time.Time) bool {
		return at.Before(begin) || at.After(end) || r.excluded(at)
	})
	slices.SortFunc(found, time.Time.Compare)
	return slices.CompactFunc(found, time.Time.Equal)
}

func (r reference) excluded(at time.Time) bool {
	day := at.In(r.zone).Format("20060102")
	for _, excluded := range r.excludedDays {
		if excluded.Format("20060102") == day {
			return true
		}
	}
	for _, excluded := range r.excludedTimes {
		if placeSlowly(excluded, r.zone).Equal(at) {
			return true
		}
	}
	return false
}

// walls returns the wall times of all whole periods that begin before to.
func (r reference) walls(to time.Time) []time.Time {
	var all, period []time.Time
	current := -1
	flush := func() {
		all = append(all, r.choose(period)...)
		period = nil
	}
	// The first period may begin up to a year before the start.
	for day := time.Date(r.start.Year(), 1, -6, 0, 0, 0, 0, time.UTC); ; day = day.AddDate(0, 0, 1) {
		for hour := range 24 {
			at := day.Add(time.Duration(hour) * time.Hour)
			number := r.periodOf(at)
			if number != current {
				flush()
				if at.After(to) {
					return all
				}
				current = number
			}
			if number >= 0 && number%r.interval == 0 && r.dayFits(day) && r.hourFits(hour) {
				period = append(period, r.inHour(at)...)
			}
		}
	}
}

// choose applies BYSETPOS to one period's dates.
func (r reference) choose(period []time.Time) []time.Time {
	if len(r.setPos) == 0 {
		return period
	}
	var chosen []time.Time
	for i, at := range period {
		if slices.Contains(r.setPos, i+1) || slices.Contains(r.setPos, i-len(period)) {
			chosen = append(chosen, at)
		}
	}
	return chosen
}

// periodOf counts the periods since that of the start; earlier ones are
// negative.
func (r reference) periodOf(at time.Time) int {
	switch r.freq {
	case "YEARLY":
		return at.Year() - r.start.Year()
	case "MONTHLY":
		return (at.Year()-r.start.Year())*12 + int(at.Month()) - int(r.start.Month())
	case "WEEKLY":
		monday := r.start.Truncate(24 * time.Hour)
		for weekdayOf(monday) != r.weekStart {
			monday = monday.AddDate(0, 0, -1)
		}
		return floor(at.Sub(monday), 7*24*time.Hour)
	case "DAILY":
		return floor(at.Sub(r.start.Truncate(24*time.Hour)), 24*time.Hour)
	default:
		return floor(at.Sub(r.start.Truncate(time.Hour)), time.Hour)
	}
}

func floor(a, b time.Duration) int {
	if a < 0 {
		return -1
	}
	return int(a / b)
}

func weekdayOf(day time.Time) int { return (int(day.Weekday()) + 6) % 7 }

// dayFits reports whether a day matches all conditions on days, from the rule
// or else from the start.
func (r reference) dayFits(day time.Time) bool {
	if len(r.months) > 0 && !slices.Contains(r.months, int(day.Month())) {
		return false
	}
	monthLength := time.Date(day.Year(), day.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
	yearLength := time.Date(day.Year(), 12, 31, 0, 0, 0, 0, time.UTC).YearDay()
	if len(r.monthDays) > 0 && !slices.Contains(r.monthDays, day.Day()) &&
		!slices.Contains(r.monthDays, day.Day()-monthLength-1) {
		return false
	}
	if len(r.yearDays) > 0 && !slices.Contains(r.yearDays, day.YearDay()) &&
		!slices.Contains(r.yearDays, day.YearDay()-yearLength-1) {
		return false
	}
	if len(r.weekdays) > 0 {
		return slices.ContainsFunc(r.weekdays, func(d numberedDay) bool { return r.weekdayFits(d, day) })
	}
	return len(r.monthDays)+len(r.yearDays) > 0 || r.startSays(day)
}

func (r reference) startSays(day time.Time) bool {
	switch r.freq {
	case "YEARLY":
		return day.Day() == r.start.Day() && (len(r.months) > 0 || day.Month() == r.start.Month())
	case "MONTHLY":
		return day.Day() == r.start.Day()
	case "WEEKLY":
		return day.Weekday() == r.start.Weekday()
	default:
		return true
	}
}

// weekdayFits counts the same weekdays before and after a day in its month or
// its year.
func (r reference) weekdayFits(want numberedDay, day time.Time) bool {
	if weekdayOf(day) != want.day {
		return false
	}
	if want.number == 0 {
		return true
	}
	step, number := -7, 0
	if want.number < 0 {
		step = 7
	}
	inMonth := r.freq == "MONTHLY" || len(r.months) > 0
	for d := day; d.Year() == day.Year() && (!inMonth || d.Month() == day.Month()); d = d.AddDate(0, 0, step) {
		number++
	}
	return number == max(want.number, -want.number)
}

func (r reference) hourFits(hour int) bool {
	if len(r.hours) > 0 {
		return slices.Contains(r.hours, hour)
	}
	return r.freq == "HOURLY" || hour == r.start.Hour()
}

func (r reference) inHour(hour time.Time) []time.Time {
	var times []time.Time
	for minute := range 60 {
		for second := range 60 {
			if fits(r.minutes, minute, r.start.Minute()) && fits(r.seconds, second, r.start.Second()) {
				times = append(times, hour.Add(time.Duration(minute)*time.Minute+time.Duration(second)*time.Second))
			}
		}
	}
	return times
}

func fits(list []int, value, otherwise int) bool {
	if len(list) == 0 {
		return value == otherwise
	}
	return slices.Contains(list, value)
}

// placeSlowly tries every offset that the zone has around a wall time.
func placeSlowly(wall time.Time, zone *time.Location) time.Time {
	var first, last time.Time
	for around := -26 * time.Hour; around <= 26*time.Hour; around += time.Hour {
		_, offset := wall.Add(around).In(zone).Zone()
		at := wall.Add(-time.Duration(offset) * time.Second)
		const layout = "2006-01-02T15:04:05"
		if at.In(zone).Format(layout) == wall.Format(layout) && (first.IsZero() || at.Before(first)) {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	if first.IsZero() {
		return last // in a gap the smaller offset, the one before it, gives the later instant
	}
	return first
}

// drawReference returns a random rule that Parse must accept, except for
// its own times of day.
func drawReference(t *rapid.T, zone *time.Location) reference {
	r := reference{
		freq:      rapid.SampledFrom([]string{"YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY"}).Draw(t, "freq"),
		interval:  rapid.SampledFrom([]int{1, 1, 1, 2, 3, 4, 5, 7, 11, 26}).Draw(t, "interval"),
		weekStart: rapid.IntRange(0, 6).Draw(t, "weekStart"),
		start:     drawStart(t),
		zone:      zone,
	}
	// A start is an instant, so it cannot be at a wall time that is skipped.
	r.start = wallSlowly(placeSlowly(r.start, zone), zone)
	r.drawDays(t)
	r.drawTimes(t)
	if r.selects() && rapid.IntRange(0, 3).Draw(t, "positions") == 0 {
		r.setPos = drawList(t, "setPos", signedNumbers(1, 6), 2)
	}
	return r
}

// drawStart draws a quarter of an hour of our time, of the years around the one
// that is not a leap year although 4 divides it, or of any year.
func drawStart(t *rapid.T) time.Time {
	years := rapid.SampledFrom([][2]int{{2023, 2026}, {2095, 2100}, {1971, 2194}}).Draw(t, "years")
	day := time.Date(rapid.IntRange(years[0], years[1]).Draw(t, "year"), 1, 1, 0, 0, 0, 0, time.UTC)
	return day.Add(time.Duration(rapid.IntRange(1, 365*96).Draw(t, "quarter")) * 15 * time.Minute)
}

func (r *reference) selects() bool {
	return len(r.months)+len(r.monthDays)+len(r.yearDays)+len(r.weekdays)+len(r.hours)+len(r.minutes)+len(r.seconds) > 0
}

func wallSlowly(at time.Time, zone *time.Location) time.Time {
	wall, _ := time.Parse(time.DateTime, at.In(zone).Format(time.DateTime))
	return wall
}

func (r *reference) drawDays(t *rapid.T) {
	maybe := func(name string) bool { return rapid.IntRange(0, 2).Draw(t, name) == 0 }
	if maybe("byMonth") {
		r.months = drawList(t, "months", rapid.IntRange(1, 12), 4)
	}
	if r.freq != "WEEKLY" && maybe("byMonthDay") {
		r.monthDays = drawList(t, "monthDays", signedNumbers(1, 31), 8)
	}
	if (r.freq == "YEARLY" || r.freq == "HOURLY") && maybe("byYearDay") {
		r.yearDays = drawList(t, "yearDays", signedNumbers(1, 366), 12)
	}
	if !maybe("byDay") {
		return
	}
	numbers := rapid.Just(0)
	if (r.freq == "MONTHLY" || r.freq == "YEARLY") && rapid.Bool().Draw(t, "numbered") {
		numbers = signedNumbers(1, 5)
		if r.freq == "YEARLY" && len(r.months) == 0 {
			numbers = signedNumbers(1, 53)
		}
	}
	for _, day := range drawList(t, "weekdays", rapid.IntRange(0, 6), 5) {
		r.weekdays = append(r.weekdays, numberedDay{number: numbers.Draw(t, "number"), day: day})
	}
}

func (r *reference) drawTimes(t *rapid.T) {
	if rapid.IntRange(0, 2).Draw(t, "byHour") == 0 {
		r.hours = drawList(t, "hours", rapid.IntRange(0, 23), 4)
	}
	if rapid.IntRange(0, 3).Draw(t, "byMinute") == 0 {
		r.minutes = drawList(t, "minutes", rapid.SampledFrom([]int{0, 15, 30, 59}), 2)
	}
	if rapid.IntRange(0, 5).Draw(t, "bySecond") == 0 {
		r.seconds = drawList(t, "seconds", rapid.IntRange(0, 59), 2)
	}
}

func signedNumbers(low, high int) *rapid.Generator[int] {
	return rapid.Custom(func(t *rapid.T) int {
		n := rapid.IntRange(low, high).Draw(t, "n")
		if rapid.Bool().Draw(t, "negative") {
			return -n
		}
		return n
	})
}

func drawList(t *rapid.T, name string, of *rapid.Generator[int], longest int) []int {
	return rapid.SliceOfN(of, 1, longest).Draw(t, name)
}
