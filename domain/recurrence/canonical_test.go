package recurrence_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/recurrence"
)

func TestCanonicalRewritesTheText(t *testing.T) {
	t.Parallel()
	oslo := zone(t, "Europe/Oslo")
	start := instant(t, "2025-01-01T08:00:00Z")
	cases := []struct{ name, text, want string }{
		{"bare value", "FREQ=DAILY", "RRULE:FREQ=DAILY"},
		{"bare value after a start", "DTSTART:20250101T080000Z\nFREQ=DAILY", "DTSTART:20250101T080000Z\nRRULE:FREQ=DAILY"},
		{
			"lower case", "rrule:freq=weekly;byday=mo,fr;until=20251231t225959z",
			"RRULE:FREQ=WEEKLY;UNTIL=20251231T225959Z;BYDAY=MO,FR",
		},
		{
			"order of parts", "RRULE:BYDAY=MO;COUNT=3;INTERVAL=2;WKST=SU;FREQ=WEEKLY",
			"RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU;COUNT=3;BYDAY=MO",
		},
		{"order of lists", "FREQ=WEEKLY;BYDAY=FR,MO,WE;BYHOUR=16,8", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=8,16"},
		{"repetitions", "FREQ=MONTHLY;BYMONTHDAY=1,15,01,+1;BYDAY=MO,MO", "RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15;BYDAY=MO"},
		{"numbered days", "FREQ=MONTHLY;BYDAY=+2MO,-1fr", "RRULE:FREQ=MONTHLY;BYDAY=-1FR,2MO"},
		{"interval of one is kept", "FREQ=DAILY;INTERVAL=1", "RRULE:FREQ=DAILY;INTERVAL=1"},
		{"usual week start is not", "FREQ=DAILY;WKST=MO", "RRULE:FREQ=DAILY"},
		{"semicolon at the end", "RRULE:FREQ=DAILY;", "RRULE:FREQ=DAILY"},
		{"spaces", "  RRULE : FREQ = WEEKLY ; BYDAY = MO , TU  ", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU"},
		{"folded", "RRULE:FREQ=WEE\r\n KLY;BYDAY=MO,\r\n\tTU\r\n", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU"},
		{
			"carriage returns", "DTSTART:20250101T080000Z\r\nRRULE:FREQ=DAILY\r\nEXDATE:20250102T080000Z\r\n",
			"DTSTART:20250101T080000Z\nRRULE:FREQ=DAILY\nEXDATE:20250102T080000Z",
		},
		{"start after the rule", "RRULE:FREQ=DAILY\nDTSTART:20250101T080000Z", "DTSTART:20250101T080000Z\nRRULE:FREQ=DAILY"},
		{
			"start with a value type", "DTSTART;VALUE=DATE-TIME:20250101T090000\nRRULE:FREQ=DAILY",
			"DTSTART:20250101T080000Z\nRRULE:FREQ=DAILY",
		},
		{
			"start on the wall clock", "DTSTART:20250101T090000\nRRULE:FREQ=DAILY", "DTSTART:20250101T080000Z\nRRULE:FREQ=DAILY",
		},
		{
			"start in a quoted zone", "dtstart;tzid=\"America/New_York\":20250101T030000\nRRULE:FREQ=DAILY",
			"DTSTART;TZID=America/New_York:20250101T030000\nRRULE:FREQ=DAILY",
		},
		{
			"dates", "FREQ=DAILY\nEXDATE:20250105\nRDATE;VALUE=DATE:20250104,20250103,20250104\nEXDATE;VALUE=DATE:20250106",
			"RRULE:FREQ=DAILY\nRDATE;VALUE=DATE:20250103,20250104\nEXDATE;VALUE=DATE:20250105,20250106",
		},
		{
			"dates by the way they are written",
			"FREQ=DAILY\nEXDATE;TZID=Asia/Tokyo:20250101T170000\nEXDATE:20250103T080000Z,20250104T090000,20250105",
			"RRULE:FREQ=DAILY\nEXDATE:20250104T090000\nEXDATE;TZID=Asia/Tokyo:20250101T170000\nEXDATE:20250103T080000Z\n" +
				"EXDATE;VALUE=DATE:20250105",
		},
		{
			"dates in two zones",
			"RDATE;TZID=Asia/Tokyo:20250102T170000\nRDATE;TZID=Asia/Seoul:20250103T170000\n" +
				"RDATE;TZID=Asia/Tokyo:20250104T170000",
			"RDATE;TZID=Asia/Seoul:20250103T170000\nRDATE;TZID=Asia/Tokyo:20250102T170000,20250104T170000",
		},
		{
			"few hours and many minutes", "FREQ=HOURLY;INTERVAL=12;BYHOUR=3,9,21;BYMINUTE=0,1,2,3,4,5,6,7,8,9",
			"RRULE:FREQ=HOURLY;INTERVAL=12;BYHOUR=3,9,21;BYMINUTE=0,1,2,3,4,5,6,7,8,9",
		},
		{"dates alone", "RDATE:20250105T080000Z", "RDATE:20250105T080000Z"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rule := parse(t, c.text, start, oslo)
			require.Equal(t, c.want, rule.Canonical())
			require.Equal(t, c.want, parse(t, rule.Canonical(), start, oslo).Canonical())
		})
	}
}

func TestZoneComesFromTheTextIfItNamesOne(t *testing.T) {
	t.Parallel()
	oslo := zone(t, "Europe/Oslo")
	start := instant(t, "2025-01-01T08:00:00Z")
	require.Equal(t, "Europe/Oslo", parse(t, "FREQ=DAILY", start, oslo).Zone().String())
	require.Equal(t, "Europe/Oslo", parse(t, "DTSTART:20250101T080000Z\nRRULE:FREQ=DAILY", start, oslo).Zone().String())
	require.Equal(t, "Asia/Tokyo",
		parse(t, "DTSTART;TZID=Asia/Tokyo:20250101T170000\nRRULE:FREQ=DAILY", start, oslo).Zone().String())
	require.Equal(t, "UTC", parse(t, "FREQ=DAILY", start, nil).Zone().String())
}

func TestCanonicalTextOutlivesAMoveToAnotherZone(t *testing.T) {
	t.Parallel()
	start := instant(t, "2025-01-01T08:00:00Z")
	saved := parse(t, "DTSTART:20250101T090000\nRRULE:FREQ=DAILY", start, zone(t, "Europe/Oslo")).Canonical()
	require.Equal(t, saved, parse(t, saved, start, zone(t, "America/New_York")).Canonical())
}

func TestWithStartMovesTheRule(t *testing.T) {
	t.Parallel()
	oslo := zone(t, "Europe/Oslo")
	start, later := instant(t, "2025-01-01T08:00:00Z"), instant(t, "2025-07-01T09:30:00Z")
	cases := []struct{ name, text, want string }{
		{"no start in the text", "FREQ=DAILY", "RRULE:FREQ=DAILY"},
		{"start in UTC", "DTSTART:20250101T080000Z\nRRULE:FREQ=DAILY", "DTSTART:20250701T093000Z\nRRULE:FREQ=DAILY"},
		{
			"start in a zone", "DTSTART;TZID=Asia/Tokyo:20250101T170000\nRRULE:FREQ=DAILY",
			"DTSTART;TZID=Asia/Tokyo:20250701T183000\nRRULE:FREQ=DAILY",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			old := parse(t, c.text, start, oslo)
			rule, err := old.WithStart(later)
			require.NoError(t, err)
			require.Equal(t, c.want, rule.Canonical())
			require.Equal(t, old.Zone(), rule.Zone())
			require.True(t, rule.Start().Equal(later))
			require.Equal(t, parse(t, c.want, later, oslo).Canonical(), rule.Canonical())
			require.True(t, old.Start().Equal(start), "the old rule stays as it was")
		})
	}
	t.Run("HourOutOfReach", func(t *testing.T) {
		t.Parallel()
		_, err := parse(t, "FREQ=HOURLY;INTERVAL=2;BYHOUR=11", start, oslo).WithStart(start.Add(time.Hour))
		requireRefusal(t, err, "BYHOUR", "recurrence.hour_never_reached")
	})
}

func TestZeroRuleHasNoOccurrences(t *testing.T) {
	t.Parallel()
	var rule recurrence.Rule
	found, err := rule.Between(time.Time{}, instant(t, "2199-01-01T00:00:00Z"), 10)
	require.NoError(t, err)
	require.Empty(t, found)
	require.False(t, rule.OnDay(2025, 1, 1))
	require.Equal(t, time.UTC, rule.Zone())
	require.False(t, recurrence.DayRule{}.Matches(2025, 1, 1))
}
