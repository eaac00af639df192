package recurrence_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWallClockStaysAcrossChangesOfClock(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, zone, start, text string
		want                    []string
	}{
		{
			"spring in Oslo", "Europe/Oslo", "2025-03-29T08:00:00Z", "FREQ=DAILY",
			[]string{"2025-03-29 09:00 +0100", "2025-03-30 09:00 +0200", "2025-03-31 09:00 +0200"},
		},
		{
			"autumn in Oslo", "Europe/Oslo", "2025-10-25T07:00:00Z", "FREQ=DAILY",
			[]string{"2025-10-25 09:00 +0200", "2025-10-26 09:00 +0100", "2025-10-27 09:00 +0100"},
		},
		{
			"spring in New York", "America/New_York", "2025-03-08T14:00:00Z", "FREQ=DAILY",
			[]string{"2025-03-08 09:00 -0500", "2025-03-09 09:00 -0400", "2025-03-10 09:00 -0400"},
		},
		{
			"autumn in New York", "America/New_York", "2025-11-01T13:00:00Z", "FREQ=DAILY",
			[]string{"2025-11-01 09:00 -0400", "2025-11-02 09:00 -0500", "2025-11-03 09:00 -0500"},
		},
		{
			"far in the future", "Europe/Oslo", "2150-03-28T08:00:00Z", "FREQ=DAILY",
			[]string{"2150-03-28 09:00 +0100", "2150-03-29 09:00 +0200"},
		},

		{
			"gap in Oslo", "Europe/Oslo", "2025-03-29T01:30:00Z", "FREQ=DAILY",
			[]string{"2025-03-29 02:30 +0100", "2025-03-30 03:30 +0200", "2025-03-31 02:30 +0200"},
		},
		{
			"gap in New York", "America/New_York", "2025-03-08T07:30:00Z", "FREQ=DAILY",
			[]string{"2025-03-08 02:30 -0500", "2025-03-09 03:30 -0400", "2025-03-10 02:30 -0400"},
		},
		{
			"overlap in Oslo", "Europe/Oslo", "2025-10-25T00:30:00Z", "FREQ=DAILY",
			[]string{"2025-10-25 02:30 +0200", "2025-10-26 02:30 +0200", "2025-10-27 02:30 +0100"},
		},
		{
			"overlap in New York", "America/New_York", "2025-11-01T05:30:00Z", "FREQ=DAILY",
			[]string{"2025-11-01 01:30 -0400", "2025-11-02 01:30 -0400", "2025-11-03 01:30 -0500"},
		},
		{
			"midnight gap in Santiago", "America/Santiago", "2025-09-06T04:00:00Z", "FREQ=DAILY",
			[]string{"2025-09-06 00:00 -0400", "2025-09-07 01:00 -0300", "2025-09-08 00:00 -0300"},
		},
		{
			"midnight gap in Havana", "America/Havana", "2025-03-08T05:30:00Z", "FREQ=DAILY",
			[]string{"2025-03-08 00:30 -0500", "2025-03-09 01:30 -0400", "2025-03-10 00:30 -0400"},
		},
		{
			"midnight overlap in Havana", "America/Havana", "2025-11-01T04:30:00Z", "FREQ=DAILY",
			[]string{"2025-11-01 00:30 -0400", "2025-11-02 00:30 -0400", "2025-11-03 00:30 -0500"},
		},
		{
			"half an hour at Lord Howe", "Australia/Lord_Howe", "2025-10-03T15:45:00Z", "FREQ=DAILY",
			[]string{"2025-10-04 02:15 +1030", "2025-10-05 02:45 +1100", "2025-10-06 02:15 +1100"},
		},
		{
			"the day that Samoa left out", "Pacific/Apia", "2011-12-29T19:00:00Z", "FREQ=DAILY",
			[]string{"2011-12-29 09:00 -1000", "2011-12-31 09:00 +1400", "2012-01-01 09:00 +1400"},
		},

		{
			"the last days of a leap year after the zone's table", "America/Santiago", "2040-12-30T12:00:00Z", "FREQ=DAILY",
			[]string{"2040-12-30 09:00 -0300", "2040-12-31 09:00 -0300", "2041-01-01 09:00 -0300"},
		},

		{
			"a time before the start that a gap moves behind it", "Europe/Oslo",
			"2025-03-30T01:10:00Z", "FREQ=DAILY;BYHOUR=2;BYMINUTE=30",
			[]string{"2025-03-31 02:30 +0200"},
		},
		{
			"the first time after one that a gap moves behind it", "Australia/Lord_Howe",
			"2025-10-04T15:00:00Z", "FREQ=DAILY;BYHOUR=2;BYMINUTE=15,30",
			[]string{"2025-10-05 02:30 +1100"},
		},

		{
			"hourly over a gap", "Europe/Oslo", "2025-03-30T00:00:00Z", "FREQ=HOURLY",
			[]string{"2025-03-30 01:00 +0100", "2025-03-30 03:00 +0200", "2025-03-30 04:00 +0200"},
		},
		{
			"a gap that puts times out of order", "Europe/Oslo", "2025-03-30T00:00:00Z", "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,30",
			[]string{"2025-03-30 03:00 +0200", "2025-03-30 03:30 +0200", "2025-03-31 02:00 +0200"},
		},
		{
			"hourly over an overlap", "Europe/Oslo", "2025-10-25T23:00:00Z", "FREQ=HOURLY",
			[]string{"2025-10-26 01:00 +0200", "2025-10-26 02:00 +0200", "2025-10-26 03:00 +0100"},
		},
		{
			"a start in the second half of an overlap", "Europe/Oslo", "2025-10-26T01:30:00Z", "FREQ=DAILY;COUNT=2",
			[]string{"2025-10-27 02:30 +0100", "2025-10-28 02:30 +0100"},
		},
		{
			"an exception in a gap", "Europe/Oslo", "2025-03-29T01:30:00Z", "FREQ=DAILY\nEXDATE:20250330T023000",
			[]string{"2025-03-29 02:30 +0100", "2025-03-31 02:30 +0200"},
		},
		{
			"an exception of a day whose midnight is skipped", "America/Santiago",
			"2025-09-06T04:00:00Z", "FREQ=DAILY\nEXDATE:20250907",
			[]string{"2025-09-06 00:00 -0400", "2025-09-08 00:00 -0300"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rule := parse(t, c.text, instant(t, c.start), zone(t, c.zone))
			require.Equal(t, c.want, first(t, rule, len(c.want)))
		})
	}
}

func TestUntilOnTheDayOfAMidnightGap(t *testing.T) {
	t.Parallel()
	santiago := zone(t, "America/Santiago")
	rule := parse(t, "FREQ=DAILY;UNTIL=20250907", instant(t, "2025-09-06T04:00:00Z"), santiago)
	require.Equal(t, []string{"2025-09-06 00:00 -0400", "2025-09-07 01:00 -0300"}, first(t, rule, 10))
	rule = parse(t, "FREQ=DAILY;UNTIL=20250906", instant(t, "2025-09-06T04:00:00Z"), santiago)
	require.Equal(t, []string{"2025-09-06 00:00 -0400"}, first(t, rule, 10))
}

func TestOnDayWhereMidnightIsSkipped(t *testing.T) {
	t.Parallel()
	rule := parse(t, "FREQ=DAILY", instant(t, "2025-09-01T04:00:00Z"), zone(t, "America/Santiago"))
	for day := 1; day <= 30; day++ {
		require.True(t, rule.OnDay(2025, 9, day), day)
	}
	samoa := parse(t, "FREQ=DAILY", instant(t, "2011-12-01T19:00:00Z"), zone(t, "Pacific/Apia"))
	require.True(t, samoa.OnDay(2011, 12, 29))
	require.False(t, samoa.OnDay(2011, 12, 30), "there was no such day")
	require.True(t, samoa.OnDay(2011, 12, 31))
}

func TestOnDayWhereADayBeginsTwice(t *testing.T) {
	t.Parallel()
	// At one minute past midnight the clocks went back to 23:01 on the 28th.
	rule := parse(t, "RDATE:20061029T030000Z", instant(t, "2006-10-01T12:00:00Z"), zone(t, "America/St_Johns"))
	require.True(t, rule.OnDay(2006, 10, 28))
	require.False(t, rule.OnDay(2006, 10, 29))
}

func TestBetweenEndsInAnOverlap(t *testing.T) {
	t.Parallel()
	rule := parse(t, "FREQ=DAILY", instant(t, "2025-10-25T00:30:00Z"), zone(t, "Europe/Oslo"))
	found, err := rule.Between(instant(t, "2025-10-26T00:00:00Z"), instant(t, "2025-10-26T01:10:00Z"), 10)
	require.NoError(t, err)
	require.Equal(t, []string{"2025-10-26 02:30 +0200"}, written(found), "02:30 came before the second 02:10")
}

func TestATimeBeforeTheStartIsNotCounted(t *testing.T) {
	t.Parallel()
	// The start is the second 02:30 of its day; the rule is for the first.
	rule := parse(t, "FREQ=DAILY;COUNT=2", instant(t, "2025-10-26T01:30:00Z"), zone(t, "Europe/Oslo"))
	found, err := rule.Between(instant(t, "2025-10-28T00:00:00Z"), instant(t, "2025-11-28T00:00:00Z"), 10)
	require.NoError(t, err)
	require.Equal(t, []string{"2025-10-28 02:30 +0100"}, written(found))
}

func TestOccurrencesAreInTheRulesZone(t *testing.T) {
	t.Parallel()
	oslo := zone(t, "Europe/Oslo")
	rule := parse(t, "FREQ=DAILY;COUNT=1\nRDATE:20250105T080000Z", instant(t, "2025-01-01T08:00:00Z"), oslo)
	found, err := rule.Between(rule.Start(), instant(t, "2026-01-01T00:00:00Z"), 10)
	require.NoError(t, err)
	for _, at := range found {
		require.Equal(t, "Europe/Oslo", at.Location().String())
	}
}
