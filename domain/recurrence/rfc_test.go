package recurrence_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The accepted examples of RFC 5545 3.8.5.3 with the dates that it lists.
// The start is 2 September 1997 at 09:00 in New York by default. A date
// means 09:00; "..." means that the rule continues.
var rfcExamples = []struct{ start, text, want string }{
	{"", "FREQ=DAILY;COUNT=10", "1997-09-02 09-03 09-04 09-05 09-06 09-07 09-08 09-09 09-10 09-11"},
	{"", "FREQ=DAILY;UNTIL=19971224T000000Z;INTERVAL=30", "1997-09-02 10-02 11-01 12-01"},
	{"", "FREQ=DAILY;INTERVAL=2", "1997-09-02 09-04 09-06 09-08 ..."},
	{"", "FREQ=DAILY;INTERVAL=10;COUNT=5", "1997-09-02 09-12 09-22 10-02 10-12"},
	{
		"1998-01-01", "FREQ=YEARLY;UNTIL=19980105T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
		"1998-01-01 01-02 01-03 01-04 01-05",
	},
	{"1998-01-01", "FREQ=DAILY;UNTIL=19980105T140000Z;BYMONTH=1", "1998-01-01 01-02 01-03 01-04 01-05"},
	{"", "FREQ=WEEKLY;COUNT=10", "1997-09-02 09-09 09-16 09-23 09-30 10-07 10-14 10-21 10-28 11-04"},
	{"", "FREQ=WEEKLY;UNTIL=19971024T000000Z", "1997-09-02 09-09 09-16 09-23 09-30 10-07 10-14 10-21"},
	{
		"", "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
		"1997-09-02 09-16 09-30 10-14 10-28 11-11 11-25 12-09 12-23 1998-01-06 01-20 ...",
	},
	{
		"", "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
		"1997-09-02 09-04 09-09 09-11 09-16 09-18 09-23 09-25 09-30 10-02",
	},
	{
		"1997-09-01", "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971010T000000Z;WKST=SU;BYDAY=MO,WE,FR",
		"1997-09-01 09-03 09-05 09-15 09-17 09-19 09-29 10-01 10-03",
	},
	{"", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "1997-09-02 09-04 09-16 09-18 09-30 10-02 10-14 10-16"},
	{
		"1997-09-05", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
		"1997-09-05 10-03 11-07 12-05 1998-01-02 02-06 03-06 04-03 05-01 06-05",
	},
	{"1997-09-05", "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", "1997-09-05 10-03 11-07 12-05"},
	{
		"1997-09-07", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
		"1997-09-07 09-28 11-02 11-30 1998-01-04 01-25 03-01 03-29 05-03 05-31",
	},
	{"1997-09-22", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "1997-09-22 10-20 11-17 12-22 1998-01-19 02-16"},
	{"1997-09-28", "FREQ=MONTHLY;BYMONTHDAY=-3", "1997-09-28 10-29 11-28 12-29 1998-01-29 02-26 ..."},
	{"", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", "1997-09-02 09-15 10-02 10-15 11-02 11-15 12-02 12-15 1998-01-02 01-15"},
	{
		"1997-09-30", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
		"1997-09-30 10-01 10-31 11-01 11-30 12-01 12-31 1998-01-01 01-31 02-01",
	},
	{
		"1997-09-10", "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
		"1997-09-10 09-11 09-12 09-13 09-14 09-15 1999-03-10 03-11 03-12 03-13",
	},
	{
		"", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
		"1997-09-02 09-09 09-16 09-23 09-30 11-04 11-11 11-18 11-25 1998-01-06 01-13 01-20 01-27 ...",
	},
	{
		"1997-06-10", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
		"1997-06-10 07-10 1998-06-10 07-10 1999-06-10 07-10 2000-06-10 07-10 2001-06-10 07-10",
	},
	{
		"1997-03-10", "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
		"1997-03-10 1999-01-10 02-10 03-10 2001-01-10 02-10 03-10 2003-01-10 02-10 03-10",
	},
	{
		"1997-01-01", "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
		"1997-01-01 04-10 07-19 2000-01-01 04-09 07-18 2003-01-01 04-10 07-19 2006-01-01",
	},
	{"1997-05-19", "FREQ=YEARLY;BYDAY=20MO", "1997-05-19 1998-05-18 1999-05-17 ..."},
	{"1997-03-13", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", "1997-03-13 03-20 03-27 1998-03-05 03-12 03-19 03-26 1999-03-04 ..."},
	{
		"1997-06-05", "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
		"1997-06-05 06-12 06-19 06-26 07-03 07-10 07-17 07-24 07-31 08-07 08-14 08-21 08-28 1998-06-04 ...",
	},
	{"1998-02-13", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "1998-02-13 03-13 11-13 1999-08-13 2000-10-13 ..."},
	{
		"1997-09-13", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
		"1997-09-13 10-11 11-08 12-13 1998-01-10 02-07 03-07 04-11 05-09 06-13 ...",
	},
	{
		"1996-11-05", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
		"1996-11-05 2000-11-07 2004-11-02 ...",
	},
	{"1997-09-04", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997-09-04 10-07 11-06"},
	{
		"1997-09-29", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
		"1997-09-29 10-30 11-27 12-30 1998-01-29 02-26 03-30 ...",
	},
	{"1997-08-05", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05 08-10 08-19 08-24"},
	{"1997-08-05", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05 08-17 08-19 08-31"},
	{"2007-01-15", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007-01-15 01-30 02-15 03-15 03-30"},
}

func TestExamplesOfRFC5545(t *testing.T) {
	t.Parallel()
	newYork := zone(t, "America/New_York")
	for _, c := range rfcExamples {
		t.Run(c.start+" "+c.text, func(t *testing.T) {
			t.Parallel()
			if c.start == "" {
				c.start = "1997-09-02"
			}
			rule := parse(t, c.text, local(t, c.start+" 09:00", newYork), newYork)
			want, open := strings.CutSuffix(c.want, " ...")
			dates := fullDates(want)
			limit := len(dates)
			if !open {
				limit++
			}
			found := first(t, rule, limit)
			for i, at := range found {
				date, isNine := strings.CutSuffix(at[:len("2006-01-02 15:04")], " 09:00")
				require.True(t, isNine, at)
				found[i] = date
			}
			require.Equal(t, dates, found)
		})
	}
}

// fullDates gives each date the year of the last one that has a year.
func fullDates(list string) []string {
	dates := strings.Fields(list)
	for i, date := range dates {
		if len(date) == len("01-02") {
			dates[i] = dates[i-1][:5] + date
		}
	}
	return dates
}

func TestExamplesOfRFC5545WithTimes(t *testing.T) {
	t.Parallel()
	newYork := zone(t, "America/New_York")
	start := local(t, "1997-09-02 09:00", newYork)
	cases := []struct{ name, text, want string }{
		{"HourlyUntil", "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000", "09:00 12:00 15:00"},
		{
			"SeveralTimesADay", "FREQ=DAILY;BYHOUR=9,10,11,12;BYMINUTE=0,20,40;UNTIL=19970902T114000",
			"09:00 09:20 09:40 10:00 10:20 10:40 11:00 11:20 11:40",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var found []string
			for _, at := range first(t, parse(t, c.text, start, newYork), 100) {
				found = append(found, strings.Fields(at)[1])
			}
			require.Equal(t, c.want, strings.Join(found, " "))
		})
	}
}

func TestExceptionsOfRFC5545(t *testing.T) {
	t.Parallel()
	newYork := zone(t, "America/New_York")
	rule := parse(t, lines(
		"DTSTART;TZID=America/New_York:19970902T090000",
		"RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
		"EXDATE;TZID=America/New_York:19980313T090000",
	), local(t, "1997-09-02 09:00", newYork), time.UTC)
	require.Equal(t, []string{
		"1998-02-13 09:00 -0500", "1998-11-13 09:00 -0500", "1999-08-13 09:00 -0400", "2000-10-13 09:00 -0400",
	}, first(t, rule, 4))
}
