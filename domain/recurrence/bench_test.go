package recurrence_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/recurrence"
)

// oldRules began ten years before the fortnight that they are expanded for.
var oldRules = []struct{ name, text string }{
	{"Daily", "FREQ=DAILY"},
	{"Weekly", "FREQ=WEEKLY;BYDAY=MO,WE,FR"},
	{"MonthlyPosition", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"},
	{"Yearly", "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=10"},
	{"Hourly", "FREQ=HOURLY"},
	{"HourlyFiltered", "FREQ=HOURLY;INTERVAL=5;BYDAY=MO"},
	{"DailyCounted", "FREQ=DAILY;COUNT=10000"},
	{"HourlyCounted", "FREQ=HOURLY;INTERVAL=9;COUNT=10000"},
	{"LeapDay", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29"},
	{"FitsNoDay", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"},
	{"FitsNoHour", "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30"},
}

func fortnight(t testing.TB, text string) (rule recurrence.Rule, from, to time.Time) {
	t.Helper()
	oslo := zone(t, "Europe/Oslo")
	rule = parse(t, text, local(t, "2015-01-01 09:00", oslo), oslo)
	from = local(t, "2025-01-01 00:00", oslo)
	return rule, from, from.AddDate(0, 0, 14)
}

func BenchmarkFortnightOfARuleTenYearsOld(b *testing.B) {
	for _, c := range oldRules {
		b.Run(c.name, func(b *testing.B) {
			rule, from, to := fortnight(b, c.text)
			b.ReportAllocs()
			for b.Loop() {
				_, err := rule.Between(from, to, recurrence.MaxOccurrences)
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	start := instant(b, "2025-01-01T08:00:00Z")
	for b.Loop() {
		parse(b, "RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR\nEXDATE:20250106", start, time.UTC)
	}
}

func BenchmarkMatches(b *testing.B) {
	for _, text := range []string{
		"FREQ=WEEKLY;BYDAY=MO,TU", "FREQ=DAILY", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
	} {
		b.Run(text, func(b *testing.B) {
			rule, err := recurrence.ParseDays(text, zone(b, "Europe/Oslo"))
			require.NoError(b, err)
			for b.Loop() {
				rule.Matches(2025, 3, 31)
			}
		})
	}
}
