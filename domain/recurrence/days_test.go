package recurrence_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/recurrence"
)

func TestDayRuleMatchesDays(t *testing.T) {
	t.Parallel()
	oslo := zone(t, "Europe/Oslo")
	cases := []struct{ name, text, days, others string }{
		{
			"weekdays", "FREQ=WEEKLY;BYDAY=MO,TU", "2025-03-31 2025-04-01 2199-12-30 1970-01-05",
			"2025-03-30 2025-04-02 2200-01-06 1969-12-29",
		},
		{"with the name", "RRULE:FREQ=WEEKLY;BYDAY=MO", "2025-03-31", "2025-04-01"},
		{"every day", "FREQ=DAILY", "2025-03-30 2025-10-26", ""},
		{"months", "FREQ=DAILY;BYMONTH=6,7", "2025-06-01 2025-07-31", "2025-08-01 2025-05-31"},
		{"last Friday", "FREQ=MONTHLY;BYDAY=-1FR", "2025-01-31", "2025-01-24"},
		{"last working day", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2025-08-29", "2025-08-31"},
		{"Christmas", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "2030-12-24", "2030-12-25"},
		{"leap day", "FREQ=YEARLY;BYYEARDAY=60;BYMONTH=2", "2028-02-29", "2027-03-01 2028-03-01"},
		{"first week position", "FREQ=WEEKLY;BYDAY=MO,TH;BYSETPOS=1", "1970-01-05", "1970-01-01"},
		{"not this day", "FREQ=DAILY\nEXDATE:20251224", "2025-12-23", "2025-12-24"},
		{"this day too", "FREQ=WEEKLY;BYDAY=MO\nRDATE:20250102", "2025-01-02", "2025-01-03"},
		{"this time of day too", "FREQ=WEEKLY;BYDAY=MO\nRDATE:20250102T230000Z", "2025-01-03", "2025-01-02"},
		{"until a day", "FREQ=DAILY;UNTIL=20250102", "2025-01-02", "2025-01-03"},
		{"until a time", "FREQ=DAILY;UNTIL=20250102T120000Z", "2025-01-02", "2025-01-03"},
		{"times do not matter", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=6,18", "2025-03-31", "2025-04-01"},
		{
			"every second week from a start", "DTSTART:20250106T090000\nRRULE:FREQ=WEEKLY;INTERVAL=2",
			"2025-01-06 2025-01-20", "2025-01-13 2024-12-23",
		},
		{
			"ten times from a start", "DTSTART;TZID=Europe/Oslo:20250106T090000\nRRULE:FREQ=DAILY;COUNT=10",
			"2025-01-15", "2025-01-16",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rule, err := recurrence.ParseDays(c.text, oslo)
			require.NoError(t, err)
			for _, day := range fullDates(c.days) {
				require.True(t, matches(t, rule, day), day)
			}
			for _, day := range fullDates(c.others) {
				require.False(t, matches(t, rule, day), day)
			}
			again, err := recurrence.ParseDays(rule.Canonical(), oslo)
			require.NoError(t, err)
			require.Equal(t, rule.Canonical(), again.Canonical())
		})
	}
}

func matches(t *testing.T, rule recurrence.DayRule, date string) bool {
	t.Helper()
	day, err := time.Parse(time.DateOnly, date)
	require.NoError(t, err)
	return rule.Matches(day.Date())
}

func TestDayRuleMatchesOnDaysWithoutMidnight(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"America/Santiago", "America/Havana", "Asia/Beirut", "Africa/Cairo", "America/St_Johns", "UTC",
	} {
		rule, err := recurrence.ParseDays("FREQ=DAILY", zone(t, name))
		require.NoError(t, err)
		for day := time.Date(2005, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2008; day = day.AddDate(0, 0, 1) {
			require.True(t, rule.Matches(day.Date()), "%s %s", name, day)
		}
	}
}

func TestParseDaysRefusesAndSaysWhy(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, text, part, id string }{
		{"interval", "FREQ=WEEKLY;BYDAY=MO;INTERVAL=2", "INTERVAL", "recurrence.needs_start"},
		{"count", "FREQ=DAILY;COUNT=3", "COUNT", "recurrence.needs_start"},
		{"some day of the week", "FREQ=WEEKLY", "FREQ", "recurrence.needs_start"},
		{"some day of the month", "FREQ=MONTHLY", "FREQ", "recurrence.needs_start"},
		{"some day of June", "FREQ=YEARLY;BYMONTH=6", "FREQ", "recurrence.needs_start"},
		{"exception with a time", "FREQ=DAILY\nEXDATE:20250101T090000", "EXDATE", "recurrence.needs_start"},
		{"hours", "FREQ=HOURLY", "FREQ", "recurrence.not_for_days"},
		{"minutes", "FREQ=MINUTELY", "FREQ", "recurrence.too_often"},
		{"nothing", "", "rruleset", "recurrence.empty"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := recurrence.ParseDays(c.text, time.UTC)
			requireRefusal(t, err, c.part, c.id)
		})
	}
}

func TestParseDaysAcceptsAnIntervalOfOne(t *testing.T) {
	t.Parallel()
	_, err := recurrence.ParseDays("FREQ=WEEKLY;INTERVAL=1;BYDAY=MO", nil)
	require.NoError(t, err)
}
