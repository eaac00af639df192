package recurrence_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/recurrence"
)

// slowest is how long one text may take. Fuzzing runs slower than usual, so
// the limit is higher.
const slowest = 10 * 100 * time.Millisecond

// seed fills a corpus with all texts of the tables.
func seed(f *testing.F) {
	for i, c := range refusals {
		f.Add(c.text, int64(1_735_718_400+i*3_600), i)
	}
	for i, c := range rfcExamples {
		f.Add("RRULE:"+c.text, int64(873_205_200+i*86_400), i)
	}
	for i, text := range []string{
		"DTSTART;TZID=Europe/Oslo:20250101T090000\nRRULE:FREQ=DAILY;UNTIL=20250601\nEXDATE;VALUE=DATE:20250102",
		"DTSTART:20250101T080000Z\r\nRRULE:FREQ=WEEK\r\n LY;BYDAY=MO\r\nRDATE;TZID=\"Asia/Tokyo\":20250104T010203",
		"FREQ=HOURLY;INTERVAL=5;BYHOUR=10;BYMONTHDAY=31;BYMONTH=2",
		"FREQ=YEARLY;BYDAY=-53MO;BYYEARDAY=-366,366;BYSETPOS=-1;COUNT=10000",
		"FREQ=DAILY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYHOUR=1,2;BYMINUTE=3;BYSECOND=4;COUNT=10000",
		"RDATE:20250101,20250102T000000,20250103T000000Z",
	} {
		f.Add(text, int64(1_735_718_400), i)
	}
}

// fuzzStart makes a start within the years out of any number.
func fuzzStart(seconds int64) time.Time {
	const range230Years = 230 * 365 * 24 * 3600
	seconds %= range230Years
	return time.Unix(max(seconds, -seconds), 0)
}

// FuzzParse looks for a text that makes the package panic, take long, change
// its mind or leave its bounds.
func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string, seconds int64, choice int) {
		zoneName := propertyZones[max(choice, 0)%len(propertyZones)]
		start := fuzzStart(seconds)
		in := zone(t, zoneName)
		busy := processorTime(t, func() { requireSound(t, text, start, in, choice) })
		require.Less(t, busy, slowest, text)
	})
}

// requireSound parses a text and, unless it is refused, expands its rule.
func requireSound(t *testing.T, text string, start time.Time, in *time.Location, choice int) {
	t.Helper()
	rule, err := recurrence.Parse(text, start, in)
	if err != nil {
		var refused *recurrence.RefusedError
		require.ErrorAs(t, err, &refused)
		return
	}
	again, err := recurrence.Parse(rule.Canonical(), start, in)
	require.NoError(t, err, rule.Canonical())
	require.Equal(t, rule.Canonical(), again.Canonical())
	require.Equal(t, rule, again)

	end := start.AddDate(choice%50, 0, 30)
	found, err := rule.Between(start.AddDate(-1, 0, 0), end, recurrence.MaxOccurrences)
	require.NoError(t, err)
	require.LessOrEqual(t, len(found), recurrence.MaxOccurrences)
	requireWithin(t, found, start, end)
}

// requireWithin also sees to it that the times are in order, each once.
func requireWithin(t *testing.T, times []time.Time, start, end time.Time) {
	t.Helper()
	for i, at := range times {
		require.False(t, at.Before(start) || at.After(end), "%s is not in %s to %s", at, start, end)
		require.True(t, i == 0 || times[i-1].Before(at), "%s comes after %s", at, times[max(i-1, 0)])
	}
}

// FuzzParseDays does the same for rules that pick days.
func FuzzParseDays(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string, seconds int64, choice int) {
		in := zone(t, propertyZones[max(choice, 0)%len(propertyZones)])
		busy := processorTime(t, func() { requireSoundDays(t, text, fuzzStart(seconds), in) })
		require.Less(t, busy, slowest, text)
	})
}

func requireSoundDays(t *testing.T, text string, day time.Time, in *time.Location) {
	t.Helper()
	rule, err := recurrence.ParseDays(text, in)
	if err != nil {
		var refused *recurrence.RefusedError
		require.ErrorAs(t, err, &refused)
		return
	}
	again, err := recurrence.ParseDays(rule.Canonical(), in)
	require.NoError(t, err, rule.Canonical())
	require.Equal(t, rule.Canonical(), again.Canonical())
	require.Equal(t, rule.Matches(day.Date()), again.Matches(day.Date()))
}
