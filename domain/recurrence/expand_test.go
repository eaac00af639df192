package recurrence_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/recurrence"
)

func TestExpansionWhereTheLibraryIsWrong(t *testing.T) {
	t.Parallel()
	oslo := zone(t, "Europe/Oslo")
	cases := []struct {
		name, start, text string
		want              []string
	}{
		{
			"repeated values do not use up COUNT", "2025-01-01 09:00", "FREQ=DAILY;COUNT=2;BYHOUR=9,9,9",
			[]string{"2025-01-01 09:00 +0100", "2025-01-02 09:00 +0100"},
		},
		{
			"positions in the week of the start count from its first day",
			"2025-01-01 09:00", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1;COUNT=2",
			[]string{"2025-01-06 09:00 +0100", "2025-01-13 09:00 +0100"},
		},
		{
			"a bare UNTIL keeps its own day", "2025-01-01 09:00", "FREQ=DAILY;UNTIL=20250103",
			[]string{"2025-01-01 09:00 +0100", "2025-01-02 09:00 +0100", "2025-01-03 09:00 +0100"},
		},
		{
			"a bare EXDATE takes out the whole day", "2025-01-01 09:00",
			"FREQ=DAILY;COUNT=3;BYHOUR=9,15\nEXDATE;VALUE=DATE:20250101",
			[]string{"2025-01-02 09:00 +0100"},
		},
		{
			"a bare RDATE is at the start's time", "2025-01-01 09:00", "FREQ=DAILY;COUNT=1\nRDATE;VALUE=DATE:20250705",
			[]string{"2025-01-01 09:00 +0100", "2025-07-05 09:00 +0200"},
		},
		{
			"dates without a zone are in the rule's", "2025-07-01 09:00",
			"FREQ=DAILY;UNTIL=20250703T090000\nEXDATE:20250702T090000",
			[]string{"2025-07-01 09:00 +0200", "2025-07-03 09:00 +0200"},
		},
		{
			"dates in another zone", "2025-01-01 09:00", "FREQ=DAILY;COUNT=3\nEXDATE;TZID=Asia/Tokyo:20250102T170000",
			[]string{"2025-01-01 09:00 +0100", "2025-01-03 09:00 +0100"},
		},
		{
			"a start that does not fit is not an occurrence", "2025-01-01 09:00", "FREQ=WEEKLY;BYDAY=MO;COUNT=2",
			[]string{"2025-01-06 09:00 +0100", "2025-01-13 09:00 +0100"},
		},
		{
			"exceptions count towards COUNT", "2025-01-01 09:00", "FREQ=DAILY;COUNT=2\nEXDATE:20250101T080000Z",
			[]string{"2025-01-02 09:00 +0100"},
		},
		{
			"dates alone", "2025-01-01 09:00", "RDATE:20250105T080000Z,20250103T080000Z,20250105T080000Z",
			[]string{"2025-01-03 09:00 +0100", "2025-01-05 09:00 +0100"},
		},
		{
			"a date that the rule has already", "2025-01-01 09:00", "FREQ=DAILY;COUNT=2\nRDATE:20250102T080000Z",
			[]string{"2025-01-01 09:00 +0100", "2025-01-02 09:00 +0100"},
		},
		{
			"dates go beyond UNTIL", "2025-01-01 09:00", "FREQ=DAILY;UNTIL=20250101\nRDATE:20250202T080000Z",
			[]string{"2025-01-01 09:00 +0100", "2025-02-02 09:00 +0100"},
		},
		{
			"dates before the start are none", "2025-01-01 09:00", "RDATE:20241231T080000Z,20250101T080000Z",
			[]string{"2025-01-01 09:00 +0100"},
		},
		{
			"exceptions win over dates", "2025-01-01 09:00", "RDATE:20250103T080000Z,20250104T080000Z\nEXDATE:20250103",
			[]string{"2025-01-04 09:00 +0100"},
		},
		{
			"the last Monday of a leap year", "2024-01-01 09:00", "FREQ=YEARLY;BYDAY=-53MO,53MO;COUNT=3",
			[]string{"2024-01-01 09:00 +0100", "2024-12-30 09:00 +0100", "2029-01-01 09:00 +0100"},
		},
		{
			"the last day of every second leap February", "2024-02-29 09:00", "FREQ=YEARLY;INTERVAL=8;COUNT=2",
			[]string{"2024-02-29 09:00 +0100", "2032-02-29 09:00 +0100"},
		},
		{
			"the first week of all", "1970-01-01 09:00", "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TH",
			[]string{"1970-01-01 09:00 +0100", "1970-01-15 09:00 +0100"},
		},
		{
			"hours at which steps arrive after a day", "2025-01-01 09:00", "FREQ=HOURLY;INTERVAL=5;BYHOUR=10;COUNT=2",
			[]string{"2025-01-02 10:00 +0100", "2025-01-07 10:00 +0100"},
		},
		{
			"a start at midnight that is a bare date", "2025-01-01 00:00",
			"DTSTART;VALUE=DATE:20250101\nRRULE:FREQ=DAILY;COUNT=2",
			[]string{"2025-01-01 00:00 +0100", "2025-01-02 00:00 +0100"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, first(t, parse(t, c.text, local(t, c.start, oslo), oslo), len(c.want)+1)[:len(c.want)])
		})
	}
}

func TestRulesThatFitNoDayEndQuickly(t *testing.T) {
	t.Parallel()
	start := instant(t, "1970-01-01T09:00:00Z")
	for _, text := range []string{
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
		"FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
		"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
		"FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30",
		"FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;COUNT=10000",
		"FREQ=DAILY;INTERVAL=7;BYDAY=MO",
		"FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1",
		"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6",
		"FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			rule := parse(t, text, start, time.UTC)
			busy := processorTime(t, func() { require.Empty(t, first(t, rule, recurrence.MaxOccurrences)) })
			require.Less(t, busy, time.Second)
		})
	}
}

func TestBetweenKeepsToItsBounds(t *testing.T) {
	t.Parallel()
	start := instant(t, "2020-01-01T09:00:00Z")
	daily := parse(t, "FREQ=DAILY", start, time.UTC)
	between := func(t *testing.T, rule recurrence.Rule, from, to string, limit int) []string {
		t.Helper()
		found, err := rule.Between(instant(t, from), instant(t, to), limit)
		require.NoError(t, err)
		return written(found)
	}
	t.Run("BothEndsAreIncluded", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []string{"2025-03-01 09:00 +0000", "2025-03-02 09:00 +0000"},
			between(t, daily, "2025-03-01T09:00:00Z", "2025-03-02T09:00:00Z", 10))
	})
	t.Run("NothingBeforeTheStart", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []string{"2020-01-01 09:00 +0000"},
			between(t, daily, "1000-01-01T00:00:00Z", "2020-01-02T00:00:00Z", 10))
	})
	t.Run("NoDateBeforeTheStart", func(t *testing.T) {
		t.Parallel()
		rule := parse(t, "RDATE:20191231T090000Z,20200101T090000Z", start, time.UTC)
		require.Equal(t, []string{"2020-01-01 09:00 +0000"},
			between(t, rule, "1000-01-01T00:00:00Z", "2021-01-02T00:00:00Z", 10))
	})
	t.Run("NothingAfterTheLastYear", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []string{"2199-12-31 09:00 +0000"},
			between(t, daily, "2199-12-31T00:00:00Z", "9000-01-02T00:00:00Z", 10))
	})
	t.Run("NoMoreThanTheLimit", func(t *testing.T) {
		t.Parallel()
		require.Len(t, between(t, daily, "2020-01-01T00:00:00Z", "2199-01-01T00:00:00Z", 7), 7)
		require.Len(t, between(t, daily, "2020-01-01T00:00:00Z", "2199-01-01T00:00:00Z", 1_000_000),
			recurrence.MaxOccurrences)
		require.Empty(t, between(t, daily, "2020-01-01T00:00:00Z", "2199-01-01T00:00:00Z", 0))
		require.Empty(t, between(t, daily, "2020-01-01T00:00:00Z", "2199-01-01T00:00:00Z", -1))
	})
	t.Run("NothingBackwards", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, between(t, daily, "2021-01-01T00:00:00Z", "2020-06-01T00:00:00Z", 10))
	})
	t.Run("ExceptionsLeaveRoomForOthers", func(t *testing.T) {
		t.Parallel()
		rule := parse(t, "FREQ=DAILY\nEXDATE:20200101,20200102,20200103", start, time.UTC)
		require.Equal(t, []string{"2020-01-04 09:00 +0000", "2020-01-05 09:00 +0000"},
			between(t, rule, "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z", 2))
	})
	t.Run("GoesOnAfterTheLast", func(t *testing.T) {
		t.Parallel()
		rule := parse(t, "FREQ=HOURLY;INTERVAL=7\nRDATE:20200103T080000Z", start, time.UTC)
		all := first(t, rule, 60)
		head := first(t, rule, 20)
		last, err := time.Parse("2006-01-02 15:04 -0700", head[19])
		require.NoError(t, err)
		tail, err := rule.Between(last.Add(time.Second), instant(t, "2021-01-01T00:00:00Z"), 40)
		require.NoError(t, err)
		require.Equal(t, all, append(head, written(tail)...))
	})
}

func TestStartCountsToTheWholeSecond(t *testing.T) {
	t.Parallel()
	start := instant(t, "2025-01-01T09:00:00Z").Add(700 * time.Millisecond)
	rule := parse(t, "DTSTART:20250101T090000Z\nRRULE:FREQ=DAILY", start, time.UTC)
	require.Equal(t, instant(t, "2025-01-01T09:00:00Z"), rule.Start())
	require.Equal(t, []string{"2025-01-01 09:00 +0000"}, first(t, rule, 1))
}

func TestOnDayFollowsTheLocalCalendar(t *testing.T) {
	t.Parallel()
	tokyo := zone(t, "Asia/Tokyo")
	rule := parse(t, "FREQ=WEEKLY;BYDAY=MO", local(t, "2025-01-06 01:00", tokyo), tokyo)
	require.True(t, rule.OnDay(2025, 1, 6))
	require.True(t, rule.OnDay(2035, 1, 1))
	require.False(t, rule.OnDay(2025, 1, 5), "the day in UTC is another")
	require.False(t, rule.OnDay(2024, 12, 30), "before the start")
}
