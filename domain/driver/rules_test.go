package driver_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/driver"
)

// day is a Wednesday.
var wednesday = time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)

// worked is a day of so many hours of driving, from six o'clock to a clock time.
func worked(daysBefore, driving, until int) driver.Worked {
	date := wednesday.AddDate(0, 0, -daysBefore)
	return driver.Worked{
		Date: date, Driving: time.Duration(driving) * time.Hour,
		Starts: date.Add(6 * time.Hour), Ends: date.Add(time.Duration(until) * time.Hour),
	}
}

func TestDrivingLeftCarriesOverTheDaysBefore(t *testing.T) {
	t.Parallel()
	rule := driver.DrivingRuleOf("EU_561_2006")
	require.NotNil(t, rule)
	require.Nil(t, driver.DrivingRuleOf("UNKNOWN"))
	for why, tc := range map[string]struct {
		before []driver.Worked
		hours  int
	}{
		"two long days are free":           {nil, 10},
		"one is left":                      {[]driver.Worked{worked(1, 10, 18)}, 10},
		"both are used":                    {[]driver.Worked{worked(2, 10, 18), worked(1, 10, 18)}, 9},
		"those of last week do not count":  {[]driver.Worked{worked(5, 10, 18), worked(4, 10, 18)}, 10},
		"what the fortnight leaves":        {fortnight(9), 90 - 9*9 - 2},
		"nothing is left of the fortnight": {fortnight(11), 0},
	} {
		require.Equal(t, time.Duration(tc.hours)*time.Hour, rule.DrivingLeft(wednesday, tc.before), why)
	}
}

// fortnight are seven days of last week and two of this one, together of nine times so many hours and two.
func fortnight(hours int) (all []driver.Worked) {
	for daysBefore := 9; daysBefore >= 1; daysBefore-- {
		all = append(all, worked(daysBefore, min(hours, 9)+hours/10*2, 18))
	}
	all[8].Driving += 2 * time.Hour
	return all
}

func TestWeekIsLimited(t *testing.T) {
	t.Parallel()
	rule := driver.DrivingRuleOf("EU_561_2006")
	sunday := wednesday.AddDate(0, 0, 4)
	var before []driver.Worked
	for day := 6; day >= 1; day-- {
		w := worked(0, 9, 18)
		w.Date = sunday.AddDate(0, 0, -day)
		before = append(before, w)
	}
	require.Equal(t, 2*time.Hour, rule.DrivingLeft(sunday, before), "56 hours less 54")
}

// TestNightsBelongToTheWeekOfTheirHours divides the shift from Sunday to Monday at midnight, as the law does.
func TestNightsBelongToTheWeekOfTheirHours(t *testing.T) {
	t.Parallel()
	rule := driver.DrivingRuleOf("EU_561_2006")
	sunday := wednesday.AddDate(0, 0, 4)
	var before []driver.Worked
	for daysBefore := 14; daysBefore >= 1; daysBefore-- { // two Sundays among them, eight hours of each after midnight
		w := worked(0, 0, 18)
		if w.Date = sunday.AddDate(0, 0, -daysBefore); daysBefore%7 == 0 {
			w.Driving, w.Night = 9*time.Hour, 8*time.Hour
		}
		before = append(before, w)
	}
	before[13].Driving = 40 * time.Hour
	require.Equal(t, 8*time.Hour, rule.DrivingLeft(sunday, before), "56 hours less 40 of Saturday and 8 of Monday")
	before[13].Driving, before[6].Driving = 20*time.Hour, 50*time.Hour
	require.Equal(t, 3*time.Hour, rule.DrivingLeft(sunday, before), "90 hours less 50, 9, 20, and 8 of a Monday")
}

func TestShortRestsAreThreeAWeek(t *testing.T) {
	t.Parallel()
	rule := driver.DrivingRuleOf("EU_561_2006")
	require.Equal(t, 9*time.Hour, rule.RestNeeded(wednesday, nil))
	saturday := wednesday.AddDate(0, 0, 3)
	var before []driver.Worked
	for day := 5; day >= 1; day-- { // until nine in the evening, and from six on
		date := saturday.AddDate(0, 0, -day)
		before = append(before, driver.Worked{Date: date, Starts: date.Add(6 * time.Hour), Ends: date.Add(21 * time.Hour)})
	}
	require.Equal(t, 9*time.Hour, rule.RestNeeded(saturday, before[:3]), "two were short")
	require.Equal(t, 11*time.Hour, rule.RestNeeded(saturday, before), "all three are used")
}

// TestRestAfterDrivingInTurns is short and not one of the short ones of a week.
func TestRestAfterDrivingInTurns(t *testing.T) {
	t.Parallel()
	rule := driver.DrivingRuleOf("EU_561_2006")
	shared := func(daysBefore, starts int) driver.Worked {
		w := worked(daysBefore, 9, 0)
		w.Starts, w.Ends = w.Date.Add(time.Duration(starts)*time.Hour), w.Date.Add(time.Duration(starts+14)*time.Hour)
		return w
	}
	before := []driver.Worked{shared(2, 6), shared(1, 5), shared(0, 4), shared(-1, 3)}
	day := wednesday.AddDate(0, 0, 2)
	require.Equal(t, 11*time.Hour, rule.RestBefore(day, before))
	for i := range before {
		before[i].Shared = true
	}
	require.Equal(t, 9*time.Hour, rule.RestBefore(day, before))
	require.Equal(t, 9*time.Hour, rule.RestNeeded(day, before), "all three are left")
	require.Equal(t, 9*time.Hour, rule.RestBefore(day, nil))
	rest, shift := rule.Two.RestOfTwo()
	require.Equal(t, []time.Duration{9 * time.Hour, 21 * time.Hour}, []time.Duration{rest, shift})
}

// TestWeeklyRestIsDue ends a week of work after six times 24 hours, and lets every second weekly rest be short.
func TestWeeklyRestIsDue(t *testing.T) {
	t.Parallel()
	rule := driver.DrivingRuleOf("EU_561_2006")
	until, rested := rule.WeekOfWork(nil)
	require.True(t, until.IsZero() && rested.IsZero(), "nothing is known")
	monday := wednesday.AddDate(0, 0, -2)
	days := func(from time.Time, count int) (all []driver.Worked) { // from six to eighteen
		for n := range count {
			date := from.AddDate(0, 0, n)
			all = append(all, driver.Worked{Date: date, Starts: date.Add(6 * time.Hour), Ends: date.Add(18 * time.Hour)})
		}
		return all
	}
	before := func(weeks, of int, this int) (all []driver.Worked) { // so many weeks of so many days, and some of this one
		for n := weeks; n > 0; n-- {
			all = append(all, days(monday.AddDate(0, 0, -7*n), of)...)
		}
		return append(all, days(monday, this)...)
	}
	for why, tc := range map[string]struct {
		before        []driver.Worked
		until, rested int // hours since Monday
	}{
		"a week of six days":        {before(0, 0, 6), 6*24 + 6, 5*24 + 18 + 24},
		"a long rest before it":     {before(1, 5, 2), 6*24 + 6, 24 + 18 + 24},
		"a short rest before it":    {before(1, 6, 2), 6*24 + 6, 24 + 18 + 45},
		"two short rests":           {before(2, 6, 1), -24 + 6, 18 + 45},
		"a night is no weekly rest": {before(1, 7, 1), -24 + 6, 18 + 24},
	} {
		until, rested := rule.WeekOfWork(tc.before)
		require.Equal(t, time.Duration(tc.until)*time.Hour, until.Sub(monday), why)
		require.Equal(t, time.Duration(tc.rested)*time.Hour, rested.Sub(monday), why)
	}
}
